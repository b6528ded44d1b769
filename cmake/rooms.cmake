# How a room of src/ becomes a library and a test program.
#
#   lode_room(base SOURCES result.cc … USES Boost::json …)
#       a static library lode_base; `src/` is the include root.
#   lode_room_tests(base result_test.cc … SLOW Tokens.EndlessWordsAreNoTrap …)
#       a GoogleTest program lode_base_test, run by ctest: as unit_base without, and as
#       unit_base_slow with those tests only that take more than about a second. The
#       target lode_unit_tests builds all such programs.

add_library(lode_options INTERFACE)
target_include_directories(lode_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(lode_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  -Woverloaded-virtual -Werror -fno-omit-frame-pointer)
target_compile_definitions(lode_options INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_DISABLE_BOOST_COROUTINE)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  target_compile_options(lode_options INTERFACE -Wthread-safety -Wreserved-identifier)
elseif(LODE_SANITIZE)
  # g++ 12 sees uninitialised reads in the code that the sanitizers add.
  target_compile_options(lode_options INTERFACE -Wno-maybe-uninitialized)
endif()
if(LODE_SANITIZE)
  target_compile_options(lode_options INTERFACE -fsanitize=${LODE_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(lode_options INTERFACE -fsanitize=${LODE_SANITIZE})
  if(LODE_NO_SANITIZE)
    target_compile_options(lode_options INTERFACE -fno-sanitize=${LODE_NO_SANITIZE})
  endif()
endif()
find_program(LODE_MOLD mold)
if(LODE_MOLD)
  target_link_options(lode_options INTERFACE -fuse-ld=mold)
endif()

function(lode_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES" ${ARGN})
  add_library(lode_${name} STATIC ${ROOM_SOURCES})
  target_link_libraries(lode_${name} PUBLIC lode_options ${ROOM_USES})
endfunction()

add_custom_target(lode_unit_tests)

function(lode_room_tests name)
  if(NOT LODE_TESTS)
    return()
  endif()
  cmake_parse_arguments(TESTS "" "" "SLOW" ${ARGN})
  add_executable(lode_${name}_test ${TESTS_UNPARSED_ARGUMENTS})
  target_link_libraries(lode_${name}_test PRIVATE lode_${name} GTest::gtest GTest::gtest_main)
  # The code under test is optimised; compiling the tests themselves takes half the time so.
  target_compile_options(lode_${name}_test PRIVATE -O0)
  add_dependencies(lode_unit_tests lode_${name}_test)
  list(JOIN TESTS_SLOW ":" slow)
  add_test(NAME unit_${name} COMMAND lode_${name}_test "--gtest_filter=-${slow}")
  set_tests_properties(unit_${name} PROPERTIES LABELS unit)
  if(slow)
    add_test(NAME unit_${name}_slow COMMAND lode_${name}_test "--gtest_filter=${slow}")
    set_tests_properties(unit_${name}_slow PROPERTIES LABELS slow)
  endif()
endfunction()
