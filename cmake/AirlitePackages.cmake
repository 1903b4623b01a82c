# `cpack -G DEB` in a build folder: airlite (tools, examples, device data), libairlite-dev (headers,
# static libraries, CMake package, pkg-config) and, with AIRLITE_PYTHON, python3-airlite. What the tools load is read from their binaries; what
# a program that links the libraries needs is what airliteConfig.cmake looks for.

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME airlite)
set(CPACK_PACKAGE_VENDOR "airlite")
set(CPACK_PACKAGE_CONTACT "the airlite developers <airlite@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL dev)
if(AIRLITE_TOOLS)
  list(APPEND CPACK_COMPONENTS_ALL tools)
endif()

if(AIRLITE_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME airlite)
set(CPACK_DEBIAN_TOOLS_DESCRIPTION
  "The tools airlite-opt, airlite-compile, airlite-run, airlite-tune, airlite-compare, airlite-sweep, airlite-inspect and airlite-lsp, with examples.")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libairlite-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_DESCRIPTION
  "Headers and static libraries, a CMake package and a pkg-config file.")
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS libfmt-dev)
if(AIRLITE_GPU)
  string(APPEND CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    ", llvm-${LLVM_VERSION_MAJOR}-dev, liblld-${LLVM_VERSION_MAJOR}-dev, libboost-context-dev")
endif()

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-airlite)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "The Python package airlite: programs, passes, compilers and runs.")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
# The library for GPUs needs the extension module, which is in the package itself.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PROJECT_BINARY_DIR}/python/airlite")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
  "python3 (>= ${airlite_python_version}), python3 (<< ${airlite_next_python_version}), python3-numpy")

set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/package_without_rpath.cmake")

include(CPack)
