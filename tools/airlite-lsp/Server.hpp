// The language server: documents, requests, diagnostics.
//
//   Server server(Connection(0, 1), options);
//   return server.run();
#pragma once

#include "CheckProcess.hpp"
#include "Connection.hpp"
#include "Query.hpp"
#include "Reading.hpp"
#include "TextDocument.hpp"

#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace airlite::tools {

/// When programs are checked for hangs and races: after a while without an edit, when they are
/// saved, or when the command airlite.check asks for it (which always works).
enum class CheckTime { Idle, Save, Request };

struct ServerOptions {
  ReadingOptions reading;
  CheckTime check = CheckTime::Idle;
  CheckLimits limits;
  std::string device;          // of the check; empty: none
  std::string tool;            // path of airlite-opt
  unsigned readDelay = 150;    // ms without an edit before a text is read
  unsigned checkDelay = 1500;  // ms without an edit before it is checked
};

/// One thread: a request is answered before the next one is looked at, and what is to be done while
/// nobody asks is done in short steps or another process. One class: each request needs the open texts, what is
/// still to be read of them, and the connection.
class Server {
 public:
  Server(Connection connection, ServerOptions options)
      : connection_(std::move(connection)), options_(std::move(options)) {}

  /// Until the client says exit or goes away. The exit code that the protocol asks for.
  int run();

 private:
  using Clock = std::chrono::steady_clock;

  struct Document {
    TextDocument text;
    Json version;
    std::optional<Reading> reading;  // of this text
    bool isPublished = false;        // what is wrong with it
    bool wantsCheck = false;
    Clock::time_point editedAt;
    std::vector<Json> checked;  // what the check found in this text
  };

  // Messages (Server.cpp).
  void takeIn();
  void handle(const Json& message);
  void handleRequest(const std::string& method, const Json& params, const Json& id);
  void handleNotification(const std::string& method, const Json& params);
  void reply(const Json& id, Json result);
  void replyError(const Json& id, int code, const std::string& message);
  void notify(const char* method, Json params);
  void log(const std::string& message);
  void send(const Json& message);

  // What is asked (Requests.cpp).
  Json initialize(const Json& params);
  std::optional<Json> answer(const std::string& method, const Json& params);
  Json answerAt(const std::string& method, const Query& query, const Json& params);
  std::variant<Json, Refusal> answerRename(const Json& params);
  std::variant<Json, Refusal> runCommand(const Json& params);
  void open(const Json& params);
  void change(const Json& params);
  void close(const Json& params);
  void saved(const Json& params);

  // What is done while nobody asks (Background.cpp).
  std::chrono::milliseconds idle();
  const Reading& read(Document& document);
  void publish(const std::string& uri, Document& document);
  void edited(const std::string& uri, Document& document);
  void startCheck(const std::string& uri, Document& document);
  void advanceCheck();

  Document* find(const Json& params);

  Connection connection_;
  ServerOptions options_;
  std::deque<Json> queue_;
  std::set<std::string> cancelled_;  // ids, as JSON, of requests in the queue
  std::map<std::string, Document> documents_;
  std::optional<CheckProcess> check_;
  std::string checkedUri_;
  bool isInitialized_ = false, isShutDown_ = false, isDone_ = false;
  bool hasNestedOutline_ = false;
};

}  // namespace airlite::tools
