// The messages of the server: in order, one at a time, unless the client takes a request back.
#include "Server.hpp"

#include <iostream>
#include <utility>

namespace airlite::tools {

namespace {

// Codes of JSON-RPC and of the protocol.
constexpr int kParseError = -32700, kInvalidRequest = -32600, kMethodNotFound = -32601,
              kInvalidParams = -32602, kNotInitialized = -32002, kCancelled = -32800,
              kRequestFailed = -32803;

bool isId(const Json& id) { return id.is_string() || id.is_number_integer() || id.is_null(); }

Json memberOf(const Json& message, const char* name) {
  return message.contains(name) ? message[name] : Json();
}

}  // namespace

void Server::send(const Json& message) {
  if (const Result<void> sent = connection_.send(message); !sent) isDone_ = true;
}

void Server::reply(const Json& id, Json result) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Server::replyError(const Json& id, int code, const std::string& message) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

void Server::notify(const char* method, Json params) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Server::log(const std::string& message) {
  constexpr int kInfo = 3;
  notify("window/logMessage", {{"type", kInfo}, {"message", message}});
}

/// Moves what has arrived into the queue. A request that is taken back is looked for there: one that
/// was answered already, or never asked, is none.
void Server::takeIn() {
  while (std::optional<std::string> body = connection_.next()) {
    Json message = Json::parse(*body, nullptr, false);
    if (message.is_discarded()) {
      replyError(nullptr, kParseError, "the message is not JSON");
      continue;
    }
    const bool isCancel = message.is_object() && memberOf(message, "method") == "$/cancelRequest";
    if (!isCancel) {
      queue_.push_back(std::move(message));
      continue;
    }
    const Json params = memberOf(message, "params");
    const Json id = params.is_object() ? memberOf(params, "id") : Json();
    for (const Json& waiting : queue_)
      if (waiting.is_object() && !id.is_null() && memberOf(waiting, "id") == id)
        cancelled_.insert(id.dump());
  }
}

void Server::handle(const Json& message) {
  const Json method = message.is_object() ? memberOf(message, "method") : Json();
  const Json id = message.is_object() ? memberOf(message, "id") : Json();
  if (message.is_object() && !message.contains("method") && message.contains("id"))
    return;  // a reply
  if (!method.is_string() || !isId(id))
    return replyError(nullptr, kInvalidRequest, "a message has a method, and an id or none");
  const Json params = memberOf(message, "params");
  try {
    if (message.contains("id"))
      handleRequest(method.get<std::string>(), params, id);
    else
      handleNotification(method.get<std::string>(), params);
  } catch (const nlohmann::json::exception& error) {
    // A member of the parameters is missing or of another type.
    const std::string text = method.get<std::string>() + ": " + error.what();
    if (message.contains("id"))
      replyError(id, kInvalidParams, text);
    else
      log(text);
  }
}

void Server::handleRequest(const std::string& method, const Json& params, const Json& id) {
  if (cancelled_.erase(id.dump()))
    return replyError(id, kCancelled, "the client has taken the request back");
  if (method == "initialize" && isInitialized_)
    return replyError(id, kInvalidRequest, "initialize comes once");
  if (method == "initialize") return reply(id, initialize(params));
  if (!isInitialized_) return replyError(id, kNotInitialized, "the first request is initialize");
  if (isShutDown_) return replyError(id, kInvalidRequest, "the server was shut down");
  if (method == "shutdown") {
    isShutDown_ = true;
    return reply(id, nullptr);
  }
  const bool mayRefuse = method == "textDocument/rename" || method == "workspace/executeCommand";
  if (mayRefuse) {
    auto result = method == "textDocument/rename" ? answerRename(params) : runCommand(params);
    if (Refusal* refusal = std::get_if<Refusal>(&result))
      return replyError(id, kRequestFailed, refusal->reason);
    return reply(id, std::get<Json>(std::move(result)));
  }
  std::optional<Json> result = answer(method, params);
  if (!result) return replyError(id, kMethodNotFound, "there is no method '" + method + "'");
  reply(id, std::move(*result));
}

void Server::handleNotification(const std::string& method, const Json& params) {
  if (method == "exit") {
    isDone_ = true;
    return;
  }
  if (!isInitialized_ || isShutDown_) return;
  if (method == "textDocument/didOpen") return open(params);
  if (method == "textDocument/didChange") return change(params);
  if (method == "textDocument/didClose") return close(params);
  if (method == "textDocument/didSave") return saved(params);
}

int Server::run() {
  while (!isDone_) {
    if (queue_.empty() && connection_.isAtEnd()) break;
    const auto wait = queue_.empty() ? idle() : std::chrono::milliseconds(0);
    const Result<void> got = connection_.poll(wait, check_ ? check_->output() : -1);
    takeIn();
    if (!got) {
      std::cerr << "airlite-lsp: error: " << got.error().message << "\n";
      return 1;
    }
    if (queue_.empty()) continue;
    const Json message = std::move(queue_.front());
    queue_.pop_front();
    handle(message);
  }
  return isShutDown_ ? 0 : 1;
}

}  // namespace airlite::tools
