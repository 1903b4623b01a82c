# Options, and what a developer's build gets on top. A project that adds airlite as a subdirectory
# gets the libraries only, and none of its own settings is changed.

option(AIRLITE_GPU "Build the GPU backend (needs LLVM 19 and lld)" ON)
option(AIRLITE_MPI "Let airlite-run run ranks with mpirun, where CMake finds MPI" OFF)
option(AIRLITE_TOOLS "Build the command line tools" ${PROJECT_IS_TOP_LEVEL})
option(AIRLITE_TESTS "Build the tests and add them to CTest" ${PROJECT_IS_TOP_LEVEL})
option(AIRLITE_PYTHON "Build the Python packages (needs pybind11 and the tools)" OFF)
option(AIRLITE_BENCH "Build the benchmarks" OFF)
option(AIRLITE_INSTALL "Generate the install rules" ${PROJECT_IS_TOP_LEVEL})
option(AIRLITE_WERROR "Treat warnings as errors" OFF)
set(AIRLITE_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined (ON means those two)")
option(AIRLITE_FUZZ "Build the libFuzzer programs of tests/fuzz (clang; turns sanitizers on)" OFF)
option(AIRLITE_STATIC_TOOLS "Link airlite-opt and airlite-inspect without shared libraries" OFF)
set(AIRLITE_LLVM_VERSION "19.1" CACHE STRING "LLVM and lld release to look for, 19.1 or later")

set(AIRLITE_SANITIZERS "${AIRLITE_SANITIZE}")
if(AIRLITE_SANITIZE STREQUAL "ON")
  set(AIRLITE_SANITIZERS "address,undefined")
elseif(NOT AIRLITE_SANITIZE)
  set(AIRLITE_SANITIZERS "")
endif()

if(AIRLITE_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "AIRLITE_FUZZ needs clang, which has libFuzzer: -DCMAKE_CXX_COMPILER=clang++-19")
  endif()
  set(AIRLITE_SANITIZERS "address,undefined,fuzzer-no-link")
endif()

if(AIRLITE_STATIC_TOOLS AND (BUILD_SHARED_LIBS OR AIRLITE_SANITIZERS))
  message(FATAL_ERROR "AIRLITE_STATIC_TOOLS has no place for shared libraries: those of "
    "BUILD_SHARED_LIBS or of AIRLITE_SANITIZE")
endif()

if(AIRLITE_TESTS AND NOT AIRLITE_TOOLS)
  message(FATAL_ERROR "AIRLITE_TESTS needs AIRLITE_TOOLS: the text tests run the tools")
endif()

if(AIRLITE_PYTHON AND AIRLITE_SANITIZERS)
  message(FATAL_ERROR "AIRLITE_PYTHON has no place for AIRLITE_SANITIZE: Python is not instrumented")
endif()

if(AIRLITE_PYTHON AND NOT AIRLITE_TOOLS)
  message(FATAL_ERROR "AIRLITE_PYTHON needs AIRLITE_TOOLS: it shares what runs programs with them")
endif()

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  if(NOT CMAKE_BUILD_TYPE AND NOT multi_config)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  find_program(AIRLITE_CCACHE ccache)
  if(AIRLITE_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${AIRLITE_CCACHE}")
  endif()
endif()

# Linking against libLLVM takes 1.4 s with bfd and 0.2 s with lld. Debian's liblld-19-dev installs
# no plain ld.lld on PATH, hence the -B; a directory that does not exist there is harmless.
set(AIRLITE_LINKER_OPTIONS)
if(PROJECT_IS_TOP_LEVEL)
  include(CheckLinkerFlag)
  set(lld_options -fuse-ld=lld -B/usr/lib/llvm-19/bin)
  check_linker_flag(CXX "${lld_options}" AIRLITE_HAVE_LLD)
  if(AIRLITE_HAVE_LLD)
    set(AIRLITE_LINKER_OPTIONS ${lld_options})
    # For tools that end in milliseconds: what is written by write() and not through a mapping lies
    # in larger pieces in the page cache, and so do segments of 64 KiB, which saves page faults.
    set(AIRLITE_START_OPTIONS -Wl,--no-mmap-output-file -Wl,-z,max-page-size=65536)
  endif()
endif()
