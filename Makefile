# The commands of this repository; each installs and builds what it needs.
#
#   make run      serve this repository on http://127.0.0.1:7345
#   make unit     the unit tests alone, in seconds once built
#   make test     every test, and 20 seconds of each fuzz target and of the whole program
#   make check    format, lint, layers, thread annotations, ThreadSanitizer
#   make build    the optimised program, at build/release/lode
#   make fuzz     each fuzz target for 10 minutes, or FUZZ_SECONDS=n
#   make fuzz-coverage   what the kept inputs of the fuzz targets reach
#   make soak     the whole program, fuzzed for 4 hours, or SOAK_MINUTES=n
#   make bench    Lode beside its peers, about 35 minutes; writes bench/RESULTS.md
#   make bench-quick   the same in small, 2 minutes; writes build/bench/RESULTS.md
#   make conformance-server PORT=n   the conformance tests' server, in the foreground
#   make format   lay the sources out as `make check` wants them
.DEFAULT_GOAL := help
.PHONY: help run unit test check fuzz fuzz-coverage soak build bench bench-quick conformance-server format clean

PORT ?= 7346
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 600
SOAK_MINUTES ?= 240

help:
	@sed -n 's/^#   //p' Makefile

build:
	@tools/setup build
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS) --target lode

run: build
	@build/release/lode serve --workspace . --http 127.0.0.1:7345 --resources-enabled true

unit:
	@tools/setup unit
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev -j $(JOBS) --target lode_unit_tests
	@ctest --preset dev -j $(JOBS) -L unit

test:
	@tools/setup test
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev -j $(JOBS)
	@ctest --preset dev -j $(JOBS)
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz -j $(JOBS)
	@fuzz/all 20
	@fuzz/program/all 20 build/dev/lode

fuzz:
	@tools/setup test
	@cmake --preset fuzz >/dev/null
	@cmake --build --preset fuzz -j $(JOBS)
	@fuzz/all $(FUZZ_SECONDS) gather

fuzz-coverage:
	@tools/setup coverage
	@cmake --preset fuzz-coverage >/dev/null
	@cmake --build --preset fuzz-coverage -j $(JOBS)
	@fuzz/coverage

soak: build
	@tools/setup test
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev -j $(JOBS) --target lode
	@fuzz/program/soak $(SOAK_MINUTES)

check:
	@tools/setup check
	@tools/check

bench bench-quick:
	@tools/setup bench
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS) --target lode mcpbench bare_loop search_bench code_bench
	@tests/node_modules/node-linux-*/bin/node bench/run.mjs $(if $(findstring quick,$@),--quick)

conformance-server:
	@tools/setup test
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev -j $(JOBS) --target lode_fixture
	@build/dev/lode_fixture --no-stdio --http 127.0.0.1:$(PORT)

format:
	@tools/setup check
	@git ls-files '*.h' '*.cc' ':!tests/syntax/samples' | xargs clang-format-16 -i

clean:
	rm -rf build
