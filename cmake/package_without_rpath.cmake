# CPack runs this on what it has installed for a package. Debian's programs find their libraries
# without a run path; one into a folder of a -dev package (LLVM's) has dpkg-shlibdeps ask, in an order
# that differs from run to run, that package too, and the package that has the library goes missing
# in Depends.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(prefix "${CPACK_TEMPORARY_DIRECTORY}/*${CPACK_PACKAGING_INSTALL_PREFIX}")
file(GLOB programs "${prefix}/bin/*" "${prefix}/lib/python3/dist-packages/airlite/*.so")
foreach(program IN LISTS programs)
  file(RPATH_REMOVE FILE "${program}")
endforeach()
