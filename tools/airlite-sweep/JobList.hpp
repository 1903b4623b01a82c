// The jobs of a sweep: what the user writes, one command line of `airlite` a line.
#pragma once

#include "airlite/support/Result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

struct Job {
  std::vector<std::string> words;  ///< "run", "--on=sim", "a.mlir"; what a job is known by
  unsigned line = 0;               ///< in the list, from 1
};

/// The words as one line that readJobs reads again as the same words.
std::string jobText(const std::vector<std::string>& words);

/// The jobs of `text`, at least one, no two of the same words. Words are separated by blanks;
/// '...', "..." and \ keep blanks as a shell does, # begins a comment where a word could begin.
/// Nothing is expanded. The message of an error begins with `name:line:column: error: `.
Result<std::vector<Job>> readJobs(std::string_view name, std::string_view text);

}  // namespace airlite::tools
