// Frames of messages, see the header.
#include "Connection.hpp"

#include "airlite/support/Text.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <poll.h>
#include <string_view>
#include <unistd.h>

namespace airlite::tools {

static bool isHeaderNamed(std::string_view line, std::string_view name) {
  return line.size() > name.size() && line[name.size()] == ':' &&
         std::equal(name.begin(), name.end(), line.begin(), [](unsigned char a, unsigned char b) {
           return std::tolower(a) == std::tolower(b);
         });
}

/// Reads the header at the place, when all of it is here. Other fields than the length say nothing
/// that matters: the only encoding is UTF-8.
Result<bool> Connection::readHeader() {
  constexpr size_t kLongest = 16'384;
  std::string_view here = std::string_view(buffer_).substr(at_);
  const size_t end = here.find("\r\n\r\n");
  if (end == std::string_view::npos) {
    if (here.size() > kLongest) return Error{"a message begins with no header"};
    return false;
  }
  for (std::string_view line : split(here.substr(0, end), '\n')) {
    constexpr std::string_view kLength = "Content-Length";
    if (!isHeaderNamed(line, kLength)) continue;
    const std::string_view digits = trim(line.substr(kLength.size() + 1));
    size_t size = 0;
    const auto [rest, code] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    const bool isWhole = rest == digits.data() + digits.size() && code == std::errc();
    if (!isWhole || size > kMaxMessage)
      return Error{"the length of a message is no number up to " + std::to_string(kMaxMessage) +
                   ": '" + std::string(digits.substr(0, 40)) + "'"};
    bodySize_ = size;
  }
  if (!bodySize_) return Error{"the header of a message has no Content-Length"};
  at_ += end + 4;
  return true;
}

Result<void> Connection::readSome() {
  constexpr size_t kBlock = size_t(1) << 16;
  const size_t size = buffer_.size();
  buffer_.resize(size + kBlock);
  const ssize_t got = read(in_, buffer_.data() + size, kBlock);
  buffer_.resize(size + static_cast<size_t>(std::max<ssize_t>(got, 0)));
  if (got == 0) isClosed_ = true;
  if (got < 0 && errno != EINTR && errno != EAGAIN)
    return Error{std::string("cannot read from the client: ") + std::strerror(errno)};
  while (true) {
    if (!bodySize_) {
      const Result<bool> header = readHeader();
      if (!header) return header.error();
      if (!*header) break;
    }
    if (buffer_.size() - at_ < *bodySize_) break;
    ready_.push_back(buffer_.substr(at_, *bodySize_));
    at_ += *bodySize_;
    bodySize_.reset();
  }
  if (at_ > buffer_.size() / 2) {
    buffer_.erase(0, at_);
    at_ = 0;
  }
  return {};
}

Result<void> Connection::poll(std::chrono::milliseconds wait, int also) {
  pollfd files[2] = {{in_, POLLIN, 0}, {also, POLLIN, 0}};
  if (isClosed_) files[0].fd = -1;
  int timeout = static_cast<int>(wait.count());
  while (::poll(files, 2, timeout) > 0 && (files[0].revents & (POLLIN | POLLHUP | POLLERR))) {
    if (const Result<void> got = readSome(); !got) return got;
    if (isClosed_) break;
    timeout = 0;  // all that has arrived
  }
  return {};
}

std::optional<std::string> Connection::next() {
  if (taken_ == ready_.size()) return std::nullopt;
  std::string body = std::move(ready_[taken_++]);
  if (taken_ == ready_.size()) {
    ready_.clear();
    taken_ = 0;
  }
  return body;
}

Result<void> Connection::send(const Json& message) {
  const std::string body = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string all = "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  for (size_t at = 0; at < all.size();) {
    const ssize_t wrote = write(out_, all.data() + at, all.size() - at);
    if (wrote < 0 && errno != EINTR)
      return Error{std::string("cannot write to the client: ") + std::strerror(errno)};
    at += static_cast<size_t>(std::max<ssize_t>(wrote, 0));
  }
  return {};
}

}  // namespace airlite::tools
