// The page of --view: one file that a browser shows without a network.
#pragma once

#include <string>
#include <string_view>

namespace airlite::tools {

/// What the page is made of, from tools/view.
struct ViewAssets {
  std::string_view page, style, script;
};
ViewAssets viewAssets();

/// The page with the record of a run in it (RunRecord::text).
std::string viewPage(std::string_view record);

}  // namespace airlite::tools
