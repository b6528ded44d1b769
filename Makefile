# The commands of this repository; each installs and builds what it needs.
#
#   make run      serve this repository on http://127.0.0.1:7345
#   make test     every test
#   make check    format, lint, layers, thread annotations, ThreadSanitizer
#   make build    the optimised program, at build/release/lode
#   make conformance-server PORT=n   the conformance tests' server, in the foreground
#   make format   lay the sources out as `make check` wants them
.DEFAULT_GOAL := help
.PHONY: help run test check build conformance-server format clean

PORT ?= 7346
JOBS ?= $(shell nproc)

help:
	@sed -n 's/^#   //p' Makefile

build:
	@tools/setup build
	@cmake --preset release >/dev/null
	@cmake --build --preset release -j $(JOBS) --target lode

run: build
	@build/release/lode serve --workspace . --http 127.0.0.1:7345 --resources-enabled true

test:
	@tools/setup test
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev -j $(JOBS)
	@ctest --preset dev -j $(JOBS)

check:
	@tools/setup check
	@tools/check

conformance-server:
	@tools/setup test
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev -j $(JOBS) --target lode_fixture
	@build/dev/lode_fixture --no-stdio --http 127.0.0.1:$(PORT)

format:
	@tools/setup check
	@git ls-files '*.h' '*.cc' | xargs clang-format-16 -i

clean:
	rm -rf build
