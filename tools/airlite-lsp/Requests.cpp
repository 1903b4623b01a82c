// What clients ask, and what they tell about their documents.
#include "Server.hpp"

#include <utility>

namespace airlite::tools {

static Position positionOf(const Json& position) {
  return {position.at("line").get<uint32_t>(), position.at("character").get<uint32_t>()};
}

static std::string uriOf(const Json& params) {
  return params.at("textDocument").at("uri").get<std::string>();
}

Json Server::initialize(const Json& params) {
  isInitialized_ = true;
  const auto has = [&](const char* path) {
    const Json::json_pointer pointer(path);
    return params.is_object() && params.contains(pointer) && params[pointer] == true;
  };
  hasNestedOutline_ =
      has("/capabilities/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport");
  constexpr int kIncremental = 2;
  Json can;
  can["positionEncoding"] = "utf-16";
  can["textDocumentSync"] = {{"openClose", true}, {"change", kIncremental}, {"save", true}};
  can["hoverProvider"] = true;
  can["definitionProvider"] = true;
  can["referencesProvider"] = true;
  can["documentHighlightProvider"] = true;
  can["documentSymbolProvider"] = true;
  can["renameProvider"] = {{"prepareProvider", true}};
  can["completionProvider"] = {{"triggerCharacters", {"%", "@", "^", "!", "#", "."}}};
  can["executeCommandProvider"] = {{"commands", {"airlite.check"}}};
  return {{"capabilities", std::move(can)}, {"serverInfo", {{"name", "airlite-lsp"}}}};
}

Server::Document* Server::find(const Json& params) {
  auto found = documents_.find(uriOf(params));
  return found == documents_.end() ? nullptr : &found->second;
}

std::optional<Json> Server::answer(const std::string& method, const Json& params) {
  constexpr std::string_view kPrefix = "textDocument/";
  static const std::set<std::string_view> known{
      "hover",          "definition",    "references", "documentHighlight",
      "documentSymbol", "prepareRename", "completion"};
  if (!method.starts_with(kPrefix)) return std::nullopt;
  const std::string name = method.substr(kPrefix.size());
  if (!known.contains(name)) return std::nullopt;
  Document* document = find(params);
  if (!document) return Json();
  const std::string uri = uriOf(params);
  const bool isWhole = name == "documentSymbol";
  const uint32_t offset = isWhole ? 0 : document->text.offsetOf(positionOf(params.at("position")));
  return answerAt(name, Query{document->text, read(*document), uri, offset}, params);
}

Json Server::answerAt(const std::string& name, const Query& query, const Json& params) {
  if (name == "hover") return hover(query);
  if (name == "definition") return definition(query);
  if (name == "documentHighlight") return highlights(query);
  if (name == "documentSymbol") return outline(query, hasNestedOutline_);
  if (name == "prepareRename") return prepareRename(query);
  if (name == "completion") return completion(query);
  return references(query, params.at("context").at("includeDeclaration").get<bool>());
}

std::variant<Json, Refusal> Server::answerRename(const Json& params) {
  Document* document = find(params);
  if (!document) return Refusal{"the document is not open"};
  const std::string uri = uriOf(params);
  const uint32_t offset = document->text.offsetOf(positionOf(params.at("position")));
  return rename({document->text, read(*document), uri, offset},
                params.at("newName").get<std::string>());
}

std::variant<Json, Refusal> Server::runCommand(const Json& params) {
  if (params.at("command") != "airlite.check") return Refusal{"the only command is airlite.check"};
  const std::string uri = params.at("arguments").at(0).get<std::string>();
  auto found = documents_.find(uri);
  if (found == documents_.end()) return Refusal{"the document is not open: " + uri};
  found->second.wantsCheck = true;
  found->second.editedAt = {};  // now
  return Json();
}

void Server::open(const Json& params) {
  const Json& item = params.at("textDocument");
  const std::string uri = uriOf(params);
  Document& document = documents_[uri];
  document.text.setText(item.at("text").get<std::string>());
  document.version = item.value("version", Json());
  edited(uri, document);
  document.editedAt = Clock::now() - std::chrono::milliseconds(options_.readDelay);
}

void Server::change(const Json& params) {
  Document* document = find(params);
  if (!document) return log("a change of a document that is not open");
  document->version = params.at("textDocument").value("version", Json());
  edited(uriOf(params), *document);
  for (const Json& one : params.at("contentChanges")) {
    const std::string text = one.at("text").get<std::string>();
    if (!one.contains("range") || one["range"].is_null()) {
      document->text.setText(text);
      continue;
    }
    const Json& range = one["range"];
    document->text.replace({positionOf(range.at("start")), positionOf(range.at("end"))}, text);
  }
}

void Server::close(const Json& params) {
  const std::string uri = uriOf(params);
  if (!documents_.erase(uri)) return;
  if (checkedUri_ == uri) check_.reset();
  notify("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}});
}

void Server::saved(const Json& params) {
  Document* document = find(params);
  if (!document || options_.check != CheckTime::Save) return;
  document->wantsCheck = true;
  document->editedAt = {};
}

}  // namespace airlite::tools
