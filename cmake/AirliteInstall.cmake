# Install rules. One export set per component, so that a user of airlite::ir never needs LLVM.
# CMake's own COMPONENT is the Debian package: `dev` becomes libairlite-dev, `tools` airlite.

include(CMakePackageConfigHelpers)

set(airlite_cmake_dir "${CMAKE_INSTALL_LIBDIR}/cmake/airlite")

# airlite_install_component(NAME TARGET...)
function(airlite_install_component name)
  install(TARGETS ${ARGN} EXPORT airlite-${name} COMPONENT dev)
  install(EXPORT airlite-${name} NAMESPACE airlite:: DESTINATION "${airlite_cmake_dir}"
    FILE airlite-${name}-targets.cmake COMPONENT dev)
endfunction()

airlite_install_component(ir airlite_ir)
install(DIRECTORY include/airlite DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT dev)

set(airlite_components ir)
if(TARGET airlite_gpu_lower)
  list(APPEND airlite_components gpu_lower)
  airlite_install_component(gpu_lower airlite_gpu_lower)
  install(DIRECTORY backends/gpu/include/airlite/gpu/lower
    DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/airlite/gpu" COMPONENT dev OPTIONAL)
endif()
if(TARGET airlite_gpu)
  list(APPEND airlite_components gpu)
  airlite_install_component(gpu airlite_gpu airlite_gpu_llvm)
  install(DIRECTORY backends/gpu/include/airlite DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
    COMPONENT dev)
endif()

# In the order in which they are built on each other: the package reads them so.
airlite_install_component(npu_bytes airlite_npu_bytes ${airlite_npu_rooms})
airlite_install_component(npu_codegen airlite_npu_codegen)
airlite_install_component(npu_lower airlite_npu_lower)
airlite_install_component(npu airlite_npu airlite_npu_compile)
list(APPEND airlite_components npu_bytes npu_codegen npu_lower npu)
install(DIRECTORY backends/npu/include/airlite DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT dev)

get_property(airlite_tools GLOBAL PROPERTY AIRLITE_TOOL_TARGETS)
if(airlite_tools)
  install(TARGETS ${airlite_tools} COMPONENT tools)
endif()
if(TARGET airlite_python)
  # Where Debian's interpreter looks: a prefix other than /usr needs a PYTHONPATH.
  set(airlite_python_dir "lib/python3/dist-packages")
  install(TARGETS airlite_python LIBRARY DESTINATION "${airlite_python_dir}/airlite"
    COMPONENT python)
  if(TARGET airlite_python_gpu)
    install(TARGETS airlite_python_gpu LIBRARY DESTINATION "${airlite_python_dir}/airlite"
      COMPONENT python)
  endif()
  install(DIRECTORY python/airlite python/air DESTINATION "${airlite_python_dir}" COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
  # What stands in for other packages: the .pth file puts it last on the path.
  install(TARGETS airlite_bfloat16
    LIBRARY DESTINATION "${airlite_python_dir}/airlite/_fallback/ml_dtypes" COMPONENT python)
  install(DIRECTORY python/fallback/ml_dtypes python/fallback/filelock OPTIONAL
    DESTINATION "${airlite_python_dir}/airlite/_fallback" COMPONENT python
    FILES_MATCHING PATTERN "*.py" PATTERN "__pycache__" EXCLUDE)
  install(FILES python/airlite-fallback.pth DESTINATION "${airlite_python_dir}" COMPONENT python)
endif()
if(EXISTS "${PROJECT_SOURCE_DIR}/examples")
  install(DIRECTORY examples/ DESTINATION "${CMAKE_INSTALL_DATADIR}/airlite/examples"
    COMPONENT tools)
endif()
# As templates: the library has its own copy.
install(DIRECTORY data/devices DESTINATION "${CMAKE_INSTALL_DATADIR}/airlite" COMPONENT tools)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT tools)

set(airlite_fmt_version ${fmt_VERSION_MAJOR})
configure_package_config_file(cmake/airliteConfig.cmake.in
  "${PROJECT_BINARY_DIR}/airliteConfig.cmake"
  INSTALL_DESTINATION "${airlite_cmake_dir}" NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor release may change the API.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/airliteConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/airliteConfig.cmake"
  "${PROJECT_BINARY_DIR}/airliteConfigVersion.cmake" DESTINATION "${airlite_cmake_dir}"
  COMPONENT dev)

# The way from lib/pkgconfig up to the prefix, so that the .pc file holds no absolute path.
file(RELATIVE_PATH airlite_pc_prefix "/p/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/p")
configure_file(cmake/airlite.pc.in "${PROJECT_BINARY_DIR}/airlite.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/airlite.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  COMPONENT dev)

if(PROJECT_IS_TOP_LEVEL)
  include(AirlitePackages)
endif()
