// Input, output and diagnostics of the tools.
#include "Session.hpp"

#include "airlite/ir/Sarif.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <unistd.h>

namespace airlite::tools {

namespace {

struct SarifLog {
  bool isOpen = false;
  std::vector<std::string> results;
};

SarifLog& sarifLog() {
  static SarifLog log;
  return log;
}

}  // namespace

void writeSarif(std::string_view tool, std::string_view version) {
  if (sarifLog().isOpen) std::cerr << sarifDocument(tool, version, sarifLog().results);
}

DiagnosticPrinter::DiagnosticPrinter(Context& context, DiagnosticOptions options)
    : context_(context), options_(std::move(options)) {
  bool terminal = isatty(STDERR_FILENO) && !std::getenv("NO_COLOR");
  color_ = options_.color == "always" || (options_.color == "auto" && terminal);
  if (options_.format == "sarif") sarifLog().isOpen = true;
  previous_ = context.diagnostics().setHandler([this](const Diagnostic& d) { show(d); });
}

DiagnosticPrinter::~DiagnosticPrinter() { context_.diagnostics().setHandler(std::move(previous_)); }

void DiagnosticPrinter::show(const Diagnostic& original) {
  Diagnostic diagnostic = original;
  if (options_.warningsAsErrors && diagnostic.severity == Severity::Warning)
    diagnostic.severity = Severity::Error;
  bool isError = diagnostic.severity == Severity::Error;
  if (isError) ++errors_;
  const bool isSarif = options_.format == "sarif";
  // What is said of one op for each of many cores is said once.
  const bool isRepeated = diagnostic.severity == Severity::Remark &&
                          !remarks_.insert(diagnosticToJson(context_, diagnostic)).second;
  if (isRepeated) return;
  if (isError && options_.maxErrors && errors_ > options_.maxErrors) {
    if (errors_ == options_.maxErrors + 1 && !isSarif)
      std::cerr << "too many errors: the rest is not shown (--max-errors)\n";
    return;
  }
  if (isSarif) return sarifLog().results.push_back(diagnosticToSarif(context_, diagnostic));
  std::cerr << (options_.format == "json" ? diagnosticToJson(context_, diagnostic) + "\n"
                                          : formatDiagnostic(context_, diagnostic, {color_}));
}

constexpr size_t kBlock = size_t(1) << 16;

/// All that is left in the stream, by blocks: inputs of a gigabyte are read too.
static void readAll(std::istream& in, std::string& text) {
  text.clear();
  do {
    size_t size = text.size();
    size_t room = std::max(text.capacity() - size, kBlock);
    text.resize(size + std::min(room, 16 * kBlock));
    in.read(text.data() + size, static_cast<std::streamsize>(text.size() - size));
    text.resize(size + static_cast<size_t>(in.gcount()));
  } while (in);
}

Result<std::string> readInput(const std::string& path) {
  std::string text;
  if (path == "-") {
    readAll(std::cin, text);
    return text;
  }
  std::error_code code;
  if (std::filesystem::is_directory(path, code))
    return Error{"cannot read '" + path + "': it is a directory"};
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{"cannot read '" + path + "': " + std::strerror(errno)};
  uintmax_t size = std::filesystem::file_size(path, code);
  if (!code) text.reserve(size + kBlock);
  readAll(in, text);
  return text;
}

Result<void> writeOutput(const std::string& path, std::string_view text) {
  if (path == "-") {
    std::cout.write(text.data(), static_cast<std::streamsize>(text.size())).flush();
    if (std::cout) return {};
    return Error{"cannot write to standard output"};
  }
  std::error_code code;
  // A device or a pipe is written as it is; a file is replaced as a whole.
  bool plain = std::filesystem::exists(path, code) && !std::filesystem::is_regular_file(path, code);
  std::string target = plain ? path : path + ".tmp" + std::to_string(getpid());
  std::ofstream out(target, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (out && !plain) std::filesystem::rename(target, path, code);
  if (out && !code) return {};
  Error error{"cannot write '" + path + "': " + (code ? code.message() : std::strerror(errno))};
  if (!plain) std::filesystem::remove(target, code);
  return error;
}

std::string inputName(const std::string& path) { return path == "-" ? "<stdin>" : path; }

static std::string normalizeLong(std::string text) {
  if (text.starts_with("--mlir-")) text = "--" + text.substr(7);
  size_t end = text.find('=');
  std::string name = text.substr(0, end);
  if (name == "--allow-unregistered-dialect") name = "--allow-unregistered";
  if (name == "--print-op-generic") name = "--print-generic";
  if (name == "--elide-elementsattrs-if-larger") name = "--elide-elements";
  return end == std::string::npos ? name : name + text.substr(end);
}

std::vector<std::string> normalizeArguments(int argc, char** argv,
                                            const std::vector<std::string>& shortOptions) {
  std::vector<std::string> out;
  bool plain = false;
  for (int i = 1; i < argc; ++i) {
    std::string text = argv[i];
    plain = plain || text == "--";
    bool option = !plain && text.size() > 2 && text[0] == '-';
    bool attached = option && text[1] != '-' &&
                    std::find(shortOptions.begin(), shortOptions.end(), text.substr(0, 2)) !=
                        shortOptions.end() &&
                    (text[2] == '=' || !std::isalpha(static_cast<unsigned char>(text[2])));
    if (option && text[1] != '-' && !attached) text = "-" + text;
    out.push_back(text.starts_with("--") && text.size() > 2 ? normalizeLong(text) : text);
  }
  return out;
}

std::vector<InputPiece> splitInput(std::string_view text) {
  std::vector<InputPiece> pieces;
  unsigned line = 1, firstLine = 1;
  size_t start = 0, at = 0;
  while (at < text.size()) {
    size_t end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    std::string_view content = text.substr(at, end - at);
    while (!content.empty() && (content.back() == ' ' || content.back() == '\r'))
      content.remove_suffix(1);
    if (content == "// -----") {
      pieces.push_back({std::string(text.substr(start, at - start)), firstLine, start});
      start = std::min(end + 1, text.size());
      firstLine = line + 1;
    }
    at = end + 1;
    ++line;
  }
  pieces.push_back({std::string(text.substr(start)), firstLine, start});
  return pieces;
}

}  // namespace airlite::tools
