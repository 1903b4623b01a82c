// Messages of JSON-RPC with a Content-Length header, over two file descriptors.
#pragma once

#include "airlite/support/Result.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace airlite::tools {

/// Reads without blocking, so that a server can look for a request that takes another one back, and
/// do something else while nobody asks.
class Connection {
 public:
  using Json = nlohmann::ordered_json;
  /// A message of more bytes is an error: it would have to be held in memory as a whole.
  static constexpr size_t kMaxMessage = size_t(512) << 20;

  Connection(int in, int out) : in_(in), out_(out) {}

  /// Waits until there is something to read from the client or from `also` (-1: nothing else), or
  /// `wait` is over, and reads what there is. An error: no more can be read.
  Result<void> poll(std::chrono::milliseconds wait, int also = -1);
  /// The body of the next message that is here as a whole.
  std::optional<std::string> next();
  /// The client has closed its end, and everything was taken out.
  bool isAtEnd() const { return isClosed_; }

  Result<void> send(const Json& message);

 private:
  Result<void> readSome();
  Result<bool> readHeader();

  int in_, out_;
  bool isClosed_ = false;
  std::string buffer_;  // read, not yet taken out
  size_t at_ = 0;       // what is before was taken out
  std::optional<size_t> bodySize_;
  std::vector<std::string> ready_;  // in the order of their arrival, next first
  size_t taken_ = 0;
};

}  // namespace airlite::tools
