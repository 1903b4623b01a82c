// Reads and extends the file of results, see the header.
#include "ResultFile.hpp"

#include "../common/Session.hpp"
#include "airlite/support/Text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace airlite::tools {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 4> kOutcomes{"ok", "exit", "signal", "time"};
constexpr std::string_view kLineStart = "{\"job\":[";

struct EarlierResult {
  std::vector<std::string> words;
  bool isSuccess = false;
};

std::optional<EarlierResult> readResultLine(std::string_view line) {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("job") || !json.contains("outcome")) return std::nullopt;
  const Json &job = json["job"], &outcome = json["outcome"];
  if (!job.is_array() || job.empty() || !outcome.is_string()) return std::nullopt;
  const std::string name = outcome;
  if (std::ranges::find(kOutcomes, name) == kOutcomes.end()) return std::nullopt;
  EarlierResult result;
  result.isSuccess = name == kOutcomes[0];
  for (const Json& word : job) {
    if (!word.is_string()) return std::nullopt;
    result.words.push_back(word);
  }
  return result;
}

/// Whether a sweep that was killed can have left this at the end of its file.
bool isCutLine(std::string_view text) {
  const size_t common = std::min(text.size(), kLineStart.size());
  return text.substr(0, common) == kLineStart.substr(0, common);
}

}  // namespace

std::string_view outcomeName(const JobEnd& end) {
  if (end.isSuccess()) return kOutcomes[0];
  if (end.isOverTime) return kOutcomes[3];
  return end.signal != 0 ? kOutcomes[2] : kOutcomes[1];
}

std::string resultLine(const std::vector<std::string>& words, const JobEnd& end,
                       std::string_view version) {
  Json json;
  json["job"] = words;
  json["outcome"] = outcomeName(end);
  if (!end.isOverTime && end.signal == 0) json["exit_code"] = end.exitCode;
  if (!end.isOverTime && end.signal != 0) json["signal"] = end.signal;
  json["seconds"] = std::round(end.seconds * 1000) / 1000;
  json["version"] = version;
  json["stdout"] = end.out.text;
  json["stdout_bytes"] = end.out.bytes;
  json["stderr"] = end.err.text;
  json["stderr_bytes"] = end.err.bytes;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

ResultFile::ResultFile(ResultFile&& other) noexcept
    : path_(std::move(other.path_)),
      file_(std::exchange(other.file_, -1)),
      earlier_(std::move(other.earlier_)),
      wasCut_(other.wasCut_) {}

ResultFile::~ResultFile() {
  if (file_ >= 0) close(file_);
}

Error ResultFile::systemError(const char* what) const {
  return Error{fmt::format("error: cannot {} '{}': {}", what, path_, std::strerror(errno))};
}

Result<ResultFile> ResultFile::open(const std::string& path) {
  ResultFile file(path, ::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666));
  if (file.file_ < 0) return file.systemError("open");
  struct stat status {};
  if (fstat(file.file_, &status) != 0) return file.systemError("open");
  if (!S_ISREG(status.st_mode))
    return Error{fmt::format("error: '{}' is not a plain file: results are kept in one", path)};
  if (flock(file.file_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return file.systemError("lock");
    return Error{fmt::format("error: another sweep writes '{}'", path)};
  }
  if (const auto done = file.read(); !done) return done.error();
  return file;
}

Result<void> ResultFile::read() {
  const auto text = readInput(path_);
  if (!text) return Error{"error: " + text.error().message};
  std::vector<std::string_view> lines = split(*text, '\n');
  const std::string_view last = lines.back();  // what follows the last end of line
  lines.pop_back();
  unsigned number = 0;
  for (const std::string_view line : lines) {
    ++number;
    std::optional<EarlierResult> result = readResultLine(line);
    if (!result)
      return Error{
          fmt::format("{}:{}:1: error: this is not a result of airlite sweep", path_, number)};
    earlier_[std::move(result->words)] = result->isSuccess;
  }
  if (last.empty()) return {};
  if (!isCutLine(last))
    return Error{
        fmt::format("{}:{}:1: error: this is not a result of airlite sweep", path_, number + 1)};
  wasCut_ = true;
  if (ftruncate(file_, static_cast<off_t>(text->size() - last.size())) != 0)
    return systemError("shorten");
  return {};
}

Result<void> ResultFile::append(std::string_view line) {
  struct stat before {};
  if (fstat(file_, &before) != 0) return systemError("write");
  // In one call where the system takes it so: a reader then sees the line or does not see it.
  for (size_t at = 0; at < line.size();) {
    const ssize_t wrote = write(file_, line.data() + at, line.size() - at);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) {
      const Error error = systemError("write");
      if (ftruncate(file_, before.st_size) != 0) return systemError("shorten");
      return error;
    }
    at += static_cast<size_t>(wrote);
  }
  if (fdatasync(file_) != 0) return systemError("write");
  return {};
}

}  // namespace airlite::tools
