# All packages are looked for here, before any subdirectory, so that every directory sees the same
# targets. They are global because a parent project links airlite::ir from outside our directory.
# Why each of them: docs/dependencies.md.

set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)

find_package(nlohmann_json 3.9 CONFIG REQUIRED)
find_package(fmt 9 CONFIG REQUIRED)
find_package(Boost 1.74 CONFIG REQUIRED)
find_package(xtensor 0.24 CONFIG REQUIRED)

set(AIRLITE_FMT fmt::fmt)
if(AIRLITE_STATIC_TOOLS)
  add_library(airlite_fmt STATIC "${PROJECT_SOURCE_DIR}/cmake/static_fmt.cpp")
  target_include_directories(airlite_fmt SYSTEM PUBLIC
    "$<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>")
  target_compile_features(airlite_fmt PUBLIC cxx_std_20)
  set_target_properties(airlite_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON)
  set(AIRLITE_FMT "$<BUILD_INTERFACE:airlite_fmt>" "$<INSTALL_INTERFACE:fmt::fmt>")
endif()

if(AIRLITE_GPU)
  find_package(LLVM ${AIRLITE_LLVM_VERSION} CONFIG QUIET)
  if(NOT LLVM_FOUND)
    message(FATAL_ERROR "airlite: LLVM ${AIRLITE_LLVM_VERSION} was not found. Install llvm-19-dev "
      "and liblld-19-dev (scripts/install-deps.sh gpu), or configure with -DAIRLITE_GPU=OFF.")
  endif()
  # lld's package file is not on CMake's search path in Debian, it lies beside LLVM's.
  find_package(Threads REQUIRED)
  find_package(LLD CONFIG REQUIRED HINTS "${LLVM_INSTALL_PREFIX}/lib/cmake/lld")
  find_package(Boost 1.74 CONFIG REQUIRED COMPONENTS context)
  message(STATUS "airlite: GPU backend with LLVM ${LLVM_VERSION} (${LLVM_DIR})")
endif()

if(AIRLITE_TOOLS)
  find_package(CLI11 2 CONFIG REQUIRED)
endif()
if(AIRLITE_TOOLS AND AIRLITE_MPI)
  set(MPI_CXX_SKIP_MPICXX ON)  # its C interface is all that is used
  find_package(MPI COMPONENTS CXX QUIET)
  if(NOT MPI_CXX_FOUND)
    message(STATUS "airlite: no MPI (libopenmpi-dev, openmpi-bin): airlite-run --ranks=mpi is an error")
  endif()
endif()
if(AIRLITE_TESTS)
  find_package(Catch2 CONFIG REQUIRED)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
endif()
if(AIRLITE_BENCH)
  find_package(benchmark CONFIG REQUIRED)
endif()
