# The three ways a target of this project is made: library, tool, test room.

set(AIRLITE_WARNINGS
  -Wall -Wextra
  -Wno-missing-field-initializers  # plain structs are filled with designated initializers
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>  # false alarm of GCC 12 on std::string operator+
)

# For -DCMAKE_UNITY_BUILD=ON, which the preset release sets: the files of one folder are compiled as
# one unit (up to AIRLITE_UNITY_SIZE of them), since three quarters of a small unit's time are its
# headers. So names in the anonymous namespaces of a folder must differ. Files that a `using` at
# namespace scope keeps from that stand alone.
set(AIRLITE_UNITY_SIZE 32)
set(AIRLITE_ALONE Txn.cpp MathExpand.cpp pooled_new.cpp
  CheckCore.cpp VectorUnit.cpp VectorizeCore.cpp)  # three tables of one thing, soon one
function(airlite_group_by_folder target)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(path "${source}" ABSOLUTE)
    cmake_path(GET path PARENT_PATH folder)
    cmake_path(GET path FILENAME name)
    string(MD5 key "${folder}")
    math(EXPR count_${key} "0${count_${key}} + 1")
    math(EXPR part "(${count_${key}} - 1) / ${AIRLITE_UNITY_SIZE}")
    if(name IN_LIST AIRLITE_ALONE)
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    else()
      cmake_path(GET folder FILENAME last)
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${last}_${part}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()

# What every target has in common. Warnings and the linker are ours, so a subproject keeps its own
# (and has the warnings when it wants them to be errors).
function(airlite_configure_target target)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    POSITION_INDEPENDENT_CODE ON
    INSTALL_RPATH_USE_LINK_PATH ON)
  if(BUILD_SHARED_LIBS)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  endif()
  target_compile_features(${target} PUBLIC cxx_std_20)
  if(PROJECT_IS_TOP_LEVEL OR AIRLITE_WERROR)
    target_compile_options(${target} PRIVATE ${AIRLITE_WARNINGS})
  endif()
  if(PROJECT_IS_TOP_LEVEL)
    target_link_options(${target} PRIVATE ${AIRLITE_LINKER_OPTIONS})
  endif()
  airlite_group_by_folder(${target})
  get_target_property(is_unity ${target} UNITY_BUILD)
  if(is_unity)
    # A class with a field of a type that only its own .cpp file knows: GCC then takes it for a header.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  endif()
  if(AIRLITE_WERROR)
    # GCC 12 reports std::optional and std::variant as maybe-uninitialized where they are not.
    target_compile_options(${target} PRIVATE -Werror
      $<$<CXX_COMPILER_ID:GNU>:-Wno-error=maybe-uninitialized>)
  endif()
  if(AIRLITE_SANITIZERS)
    # Public within the build: whoever links an instrumented library must link the run time too.
    set(flags -fsanitize=${AIRLITE_SANITIZERS} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # Half of the compile time and three quarters of the code for what AddressSanitizer stops at
      # too, and for uses of a local variable after its block; the fuzzing build (clang) keeps them.
      list(APPEND flags -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow
        -fno-sanitize-address-use-after-scope)
    endif()
    target_compile_options(${target} PUBLIC "$<BUILD_INTERFACE:${flags}>")
    target_link_options(${target} PUBLIC "$<BUILD_INTERFACE:${flags}>")
    # Instrumented code confuses this warning of GCC, it reports libstdc++'s own regex.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  endif()
endfunction()

# For what reads and writes files, or waits for LLVM: a release compiles it a fifth faster with -O1.
function(airlite_optimize_less target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# airlite_add_library(NAME HEADERS DIR SOURCES FILE...): target airlite_NAME, alias airlite::NAME.
function(airlite_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "HEADERS" "SOURCES")
  if(NOT ARG_SOURCES)
    # A room that is still being built: the others can be built and tested meanwhile.
    message(WARNING "airlite: airlite_${name} has no sources yet")
    set(ARG_SOURCES "${PROJECT_BINARY_DIR}/generated/empty.cpp")
    file(CONFIGURE OUTPUT "${ARG_SOURCES}" CONTENT "")
  endif()
  add_library(airlite_${name} ${ARG_SOURCES})
  add_library(airlite::${name} ALIAS airlite_${name})
  airlite_configure_target(airlite_${name})
  set_target_properties(airlite_${name} PROPERTIES EXPORT_NAME ${name})
  get_filename_component(headers "${ARG_HEADERS}" ABSOLUTE)
  target_include_directories(airlite_${name} PUBLIC
    $<BUILD_INTERFACE:${headers}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()

# airlite_add_tool(NAME [STATIC] LIBS TARGET...): from tools/NAME.cpp or tools/NAME/*.cpp, into
# build/bin. STATIC: one that AIRLITE_STATIC_TOOLS is for; the others load libraries while they run.
function(airlite_add_tool name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "STATIC" "" "LIBS")
  file(GLOB sources CONFIGURE_DEPENDS ${name}.cpp ${name}/*.cpp)
  if(NOT sources)
    message(WARNING "airlite: tools/${name}.cpp is missing, ${name} is not built")
    return()
  endif()
  add_executable(${name} ${sources})
  airlite_configure_target(${name})
  target_link_libraries(${name} PRIVATE
    $<TARGET_NAME_IF_EXISTS:airlite_tool_common> ${ARG_LIBS} CLI11::CLI11 ${AIRLITE_FMT})
  if(ARG_STATIC AND AIRLITE_STATIC_TOOLS)
    target_link_options(${name} PRIVATE -static ${AIRLITE_START_OPTIONS})
    target_sources(${name} PRIVATE pooled_new.cpp)
  endif()
  if(NOT ARG_STATIC)
    airlite_optimize_less(${name})
  endif()
  target_include_directories(${name} PRIVATE "${PROJECT_BINARY_DIR}/generated")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set_property(GLOBAL APPEND PROPERTY AIRLITE_TOOL_TARGETS ${name})
endfunction()

# airlite_add_room_tests(NAME DIR [PARTS FOLDER...] LIBS TARGET...): the unit tests DIR/*.cpp become
# the program airlite_NAME_tests and the CTest entry unit.NAME; the text tests of DIR become
# text.NAME. With PARTS, DIR is these folders: one program still, and text.NAME_FOLDER for each.
function(airlite_add_room_tests name dir)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "" "" "PARTS;LIBS")
  set(folders ${dir})
  set(entries ${name})
  if(ARG_PARTS)
    list(TRANSFORM ARG_PARTS PREPEND "${dir}/" OUTPUT_VARIABLE folders)
    list(TRANSFORM ARG_PARTS PREPEND "${name}_" OUTPUT_VARIABLE entries)
  endif()
  list(TRANSFORM folders APPEND "/*.cpp" OUTPUT_VARIABLE patterns)
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  if(sources)
    add_executable(airlite_${name}_tests ${sources})
    airlite_configure_target(airlite_${name}_tests)
    target_link_libraries(airlite_${name}_tests PRIVATE airlite_test_main ${ARG_LIBS})
    target_precompile_headers(airlite_${name}_tests REUSE_FROM airlite_test_main)
    # From a precompiled header GCC 12 warns of libstdc++'s own strings.
    target_compile_options(airlite_${name}_tests PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)
    add_test(NAME unit.${name} COMMAND airlite_${name}_tests)
    set_tests_properties(unit.${name} PROPERTIES LABELS unit TIMEOUT 600)
    set_property(GLOBAL APPEND PROPERTY AIRLITE_TEST_TARGETS airlite_${name}_tests)
  endif()
  foreach(folder entry IN ZIP_LISTS folders entries)
    file(GLOB_RECURSE texts CONFIGURE_DEPENDS
      ${folder}/*.mlir ${folder}/*.air ${folder}/*.json ${folder}/*.s)
    if(texts)
      airlite_add_text_test(${entry} "${CMAKE_CURRENT_SOURCE_DIR}/${folder}")
    endif()
  endforeach()
endfunction()

function(airlite_add_text_test name dir)
  set(features)
  if(AIRLITE_GPU)
    list(APPEND features --feature gpu)
  endif()
  if(TARGET MPI::MPI_CXX AND MPIEXEC_EXECUTABLE)
    list(APPEND features --feature mpi)
  endif()
  if(AIRLITE_SANITIZERS)
    list(APPEND features --feature sanitize)
  endif()
  add_test(NAME text.${name} COMMAND "${Python3_EXECUTABLE}"
    "${PROJECT_SOURCE_DIR}/tests/run_text_tests.py" --bin "${PROJECT_BINARY_DIR}/bin"
    --tmp "${PROJECT_BINARY_DIR}/tests/tmp/${name}" ${features} "${dir}")
  set_tests_properties(text.${name} PROPERTIES LABELS text TIMEOUT 1200)
endfunction()
