// What `airlite tune` has found for a program, as a file that compilers take.
//
//   std::optional<runner::Choice> choice = runner::parseChoice(context, fileName, text);
//   if (choice && !choice->recipe.empty()) compileWith(choice->recipe);
#pragma once

#include "airlite/ir/Context.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace airlite::runner {

struct Choice {
  std::string target;   ///< the device that it was made for
  std::string program;  ///< programKey of the text
  std::string
      recipe;      ///< passes as parsePipeline reads them; empty: what the compiler does by itself
  std::string by;  ///< "model" or "sim": who counted the cycles
  uint64_t cycles = 0;         ///< of all runs of the program
  uint64_t defaultCycles = 0;  ///< the same without a choice

  bool operator==(const Choice&) const = default;
};

/// Tells programs apart, by their text: 16 hexadecimal digits (FNV-1a).
std::string programKey(std::string_view text);

/// A JSON object, `"format": "airlite-choice"`.
std::string choiceText(const Choice& choice);
/// Empty after errors, which are reported at their place in the file. Members named `//...` are
/// comments; unknown ones are errors with a proposal.
std::optional<Choice> parseChoice(Context& context, std::string fileName, std::string text);

}  // namespace airlite::runner
