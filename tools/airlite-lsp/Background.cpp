// What the server does while nobody asks: read texts, publish what is wrong, check programs.
#include "Server.hpp"

#include <algorithm>
#include <utility>

namespace airlite::tools {

using std::chrono::milliseconds;

void Server::edited(const std::string& uri, Document& document) {
  if (checkedUri_ == uri) check_.reset();
  document.reading.reset();
  document.checked.clear();
  document.isPublished = false;
  document.wantsCheck = options_.check == CheckTime::Idle;
  document.editedAt = Clock::now();
}

const Reading& Server::read(Document& document) {
  if (!document.reading) document.reading.emplace(document.text, options_.reading);
  return *document.reading;
}

void Server::publish(const std::string& uri, Document& document) {
  document.isPublished = true;
  Json found = protocolDiagnostics(document.text, uri, read(document).diagnostics(), "airlite");
  for (Json& one : protocolDiagnostics(document.text, uri, document.checked, "airlite check"))
    found.push_back(std::move(one));
  Json params{{"uri", uri}, {"diagnostics", std::move(found)}};
  if (document.version.is_number_integer()) params["version"] = document.version;
  notify("textDocument/publishDiagnostics", std::move(params));
}

/// Does one thing that is due; the time until something else is.
milliseconds Server::idle() {
  constexpr milliseconds kLongest(60'000), kAtOnce(0);
  if (check_) advanceCheck();
  const Clock::time_point now = Clock::now();
  milliseconds wait = kLongest;
  const auto until = [&](const Document& document, unsigned delay) {
    const auto due = document.editedAt + milliseconds(delay);
    return std::max(kAtOnce, std::chrono::ceil<milliseconds>(due - now));
  };
  for (auto& [uri, document] : documents_) {
    if (document.isPublished) continue;
    const milliseconds left = until(document, options_.readDelay);
    wait = std::min(wait, left);
    if (left > kAtOnce) continue;
    publish(uri, document);
    return kAtOnce;
  }
  if (check_) return std::min(wait, milliseconds(100));
  for (auto& [uri, document] : documents_) {
    if (!document.wantsCheck || !document.isPublished) continue;
    const milliseconds left =
        document.editedAt == Clock::time_point() ? kAtOnce : until(document, options_.checkDelay);
    wait = std::min(wait, left);
    if (left > kAtOnce) continue;
    startCheck(uri, document);
    return kAtOnce;
  }
  return wait;
}

void Server::startCheck(const std::string& uri, Document& document) {
  document.wantsCheck = false;
  if (document.reading->hasErrors() || document.reading->pieces().empty()) return;
  std::string options = options_.device.empty() ? "" : "device=" + options_.device;
  auto started = CheckProcess::start(options_.tool, document.text.text(), options,
                                     options_.reading.allowUnregistered, options_.limits);
  if (!started) return log(started.error().message);
  check_.emplace(std::move(*started));
  checkedUri_ = uri;
}

void Server::advanceCheck() {
  if (!check_->advance()) return;
  Document& document = documents_.at(checkedUri_);
  document.checked = check_->found();
  if (!check_->failure().empty()) log(checkedUri_ + ": " + check_->failure());
  check_.reset();
  publish(checkedUri_, document);
}

}  // namespace airlite::tools
