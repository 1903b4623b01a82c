// The results of a sweep: a file with one JSON object a line, which only grows (docs/sweep.md).
#pragma once

#include "JobProcess.hpp"
#include "airlite/support/Result.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace airlite::tools {

/// How a job ended, in one word: "ok", "exit", "signal" or "time".
std::string_view outcomeName(const JobEnd& end);

/// One line of the file, with its end of line. `version`: of the tools.
std::string resultLine(const std::vector<std::string>& words, const JobEnd& end,
                       std::string_view version);

/// The file, open and locked: no other sweep can write it meanwhile.
class ResultFile {
 public:
  /// Reads what is there, and makes an empty file of none. A last line that is cut is removed: it
  /// is what a killed sweep was writing. A file with anything else than results is an error and
  /// stays as it is. The message of an error begins with `error: ` or a place.
  static Result<ResultFile> open(const std::string& path);
  ResultFile(ResultFile&& other) noexcept;
  ResultFile& operator=(ResultFile&&) = delete;
  ~ResultFile();

  /// The jobs of the file by their words; true: the last result of the job is "ok".
  const std::map<std::vector<std::string>, bool>& earlier() const { return earlier_; }
  bool wasCut() const { return wasCut_; }

  /// Appends a whole line, which is on the disk afterwards, or nothing.
  Result<void> append(std::string_view line);

 private:
  ResultFile(std::string path, int file) : path_(std::move(path)), file_(file) {}
  Result<void> read();
  Error systemError(const char* what) const;

  std::string path_;
  int file_ = -1;
  std::map<std::vector<std::string>, bool> earlier_;
  bool wasCut_ = false;
};

}  // namespace airlite::tools
