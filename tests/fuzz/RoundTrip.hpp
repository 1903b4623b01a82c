// The promises about the written forms of a program, for the fuzz targets.
#pragma once

#include "airlite/ir/Context.hpp"
#include "airlite/text/Parser.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::fuzz {

/// A context with every dialect that lives for a number of inputs: registration takes longer than
/// reading a small program, and the texts that a context keeps are bounded this way.
class SharedContext {
 public:
  Context& next();

 private:
  std::unique_ptr<Context> context_;
  unsigned uses_ = 0;
};

/// Limits small enough that no input costs more than a fraction of a second.
ParseOptions fuzzLimits();

/// Reads, as text or as JSON. What is refused has been refused with an error.
OwningOp readProgram(Context& context, std::string text, bool json);

/// A verified program prints (custom, generic, with locations, as JSON), each of these reads back,
/// and what was read prints the same bytes.
void checkWrittenForms(Operation& program);

/// The pieces between `// -----` lines.
std::vector<std::string> splitPieces(std::string_view text);

/// True for the names of program files in the text form.
bool isTextProgram(std::string_view path);

}  // namespace airlite::fuzz
