// Fuzz target: a program as JSON. The same promises as for text.
#include "airlite/text/Json.hpp"

#include "RoundTrip.hpp"
#include "Target.hpp"

using namespace airlite;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static fuzz::SharedContext shared;
  std::string text(reinterpret_cast<const char*>(data), size);
  if (OwningOp program = fuzz::readProgram(shared.next(), std::move(text), true))
    fuzz::checkWrittenForms(*program);
  return 0;
}

/// Without the blanks at the beginning of lines, so that more of a mutation hits something.
static std::string dense(const std::string& json) {
  std::string out;
  for (size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '\n')
      i = std::min(json.find_first_not_of(' ', i + 1), json.size()) - 1;
    else
      out += json[i];
  }
  return out;
}

std::vector<std::string> fuzz::seedsIn(std::string_view path, const std::string& text) {
  if (path.ends_with(".json")) return {text};
  if (!isTextProgram(path)) return {};
  static SharedContext shared;
  std::vector<std::string> seeds;
  for (std::string& piece : splitPieces(text))
    if (OwningOp program = readProgram(shared.next(), std::move(piece), false))
      seeds.push_back(dense(printJson(*program)));
  return seeds;
}
