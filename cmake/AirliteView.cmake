# The page of airlite-run --view (tools/view) becomes a part of the tool, so that it finds it wherever
# it is installed. Sets AIRLITE_VIEW_SOURCE to the file that holds it.

foreach(part page style script)
  set(extension_page html)
  set(extension_style css)
  set(extension_script js)
  set(path "${PROJECT_SOURCE_DIR}/tools/view/view.${extension_${part}}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${path}")
  file(READ "${path}" view_${part})
endforeach()
set(AIRLITE_VIEW_SOURCE "${PROJECT_BINARY_DIR}/generated/ViewAssets.cpp")
file(CONFIGURE OUTPUT "${AIRLITE_VIEW_SOURCE}" @ONLY CONTENT
"// Made by cmake/AirliteView.cmake from tools/view.
#include \"targets/npu/ViewPage.hpp\"

namespace airlite::tools {

ViewAssets viewAssets() {
  return {R\"~view~(@view_page@)~view~\", R\"~view~(@view_style@)~view~\", R\"~view~(@view_script@)~view~\"};
}

}  // namespace airlite::tools
")
