#include "ViewPage.hpp"

namespace airlite::tools {
namespace {

/// JSON as it may stand in a script element: no text in it ends the element.
std::string withoutTags(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json)
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  return out;
}

/// The page has each mark once.
void fill(std::string& page, std::string_view mark, std::string_view with) {
  page.replace(page.find(mark), mark.size(), with);
}

}  // namespace

std::string viewPage(std::string_view record) {
  const ViewAssets assets = viewAssets();
  std::string page(assets.page);
  fill(page, "/*STYLE*/", assets.style);
  fill(page, "/*SCRIPT*/", assets.script);
  fill(page, "/*RECORD*/", withoutTags(record));
  return page;
}

}  // namespace airlite::tools
