// Diagnostics: reporting, collecting, and how they are written out.
#include "airlite/ir/Diagnostic.hpp"

#include "airlite/ir/Context.hpp"
#include "support/catch_all.hpp"

#include <nlohmann/json.hpp>

using namespace airlite;

namespace {

struct Fixture {
  Context context;
  Location place(std::string text, size_t offset) {
    uint32_t source = context.sources().add("in.mlir", std::move(text));
    return Location::inSource(source, static_cast<uint32_t>(offset));
  }
  std::string format(Location location, std::string message = "bad", unsigned length = 0) {
    return formatDiagnostic(context, {Severity::Error, location, message, {}, length});
  }
  /// The quoted line and the line of carets.
  std::string quote(std::string text, size_t offset, unsigned length = 0) {
    std::string all = format(place(std::move(text), offset), "bad", length);
    return all.substr(all.find('\n') + 1);
  }
};

std::string caretsOf(const std::string& quote) {
  std::string line = quote.substr(quote.find('\n') + 1);
  return line.substr(0, line.size() - 1);
}

LogicalResult failing(Context& context) {
  return emitError(context, Location()) << "expected " << 3 << " operands, found " << -1 << 'x';
}

}  // namespace

TEST_CASE_METHOD(Fixture, "a diagnostic is reported once, when it goes out of scope") {
  DiagnosticCollector collector(context);
  CHECK(failed(failing(context)));
  {
    InFlightDiagnostic first = emitWarning(context, Location());
    InFlightDiagnostic second = std::move(first);
    second << "moved";
    CHECK(collector.diagnostics().size() == 1);
  }
  emitRemark(context, Location()).abandon();
  REQUIRE(collector.diagnostics().size() == 2);
  CHECK(collector.diagnostics()[0].message == "expected 3 operands, found -1x");
  CHECK(collector.diagnostics()[1].severity == Severity::Warning);
  CHECK(collector.hasErrors());
  CHECK(context.diagnostics().errorCount() == 1);
}

TEST_CASE_METHOD(Fixture, "collectors nest and restore the handler before them") {
  std::vector<std::string> seen;
  context.diagnostics().setHandler([&](const Diagnostic& d) { seen.push_back(d.message); });
  {
    DiagnosticCollector outer(context);
    {
      DiagnosticCollector inner(context);
      emitError(context, Location()) << "inner";
      CHECK(inner.diagnostics().size() == 1);
    }
    emitWarning(context, Location()) << "outer";
    CHECK(outer.diagnostics().size() == 1);
    CHECK_FALSE(outer.hasErrors());
  }
  emitError(context, Location()) << "last";
  CHECK(seen == std::vector<std::string>{"last"});
}

TEST_CASE_METHOD(Fixture, "a handler may replace itself while it runs") {
  int calls = 0;
  context.diagnostics().setHandler([&, big = std::string(100, 'x')](const Diagnostic&) {
    context.diagnostics().setHandler({});
    calls += static_cast<int>(big.size()) / 100;
  });
  emitError(context, Location());
  emitError(context, Location());
  CHECK(calls == 1);
}

TEST_CASE_METHOD(Fixture, "the whole token is underlined") {
  CHECK(format(place("  %0 = arith.addi %a, %b : i32\n", 7), "unknown op") ==
        "in.mlir:1:8: error: unknown op\n"
        "  %0 = arith.addi %a, %b : i32\n"
        "       ^^^^^^^^^^\n");
  CHECK(caretsOf(quote("%arg0#1, %b", 0)) == "^^^^^^^");
  CHECK(caretsOf(quote("!air.async.token>", 0)) == "^^^^^^^^^^^^^^^^");
  CHECK(caretsOf(quote("@\"a b\" x", 0)) == "^^^^^^");
  CHECK(caretsOf(quote("\"a\\\"b\" x", 0)) == "^^^^^^");
  CHECK(caretsOf(quote("\"open", 0)) == "^^^^^");
  CHECK(caretsOf(quote("a -> b", 2)) == "  ^^");
  CHECK(caretsOf(quote("a, b", 1)) == " ^");
  CHECK(caretsOf(quote("1.5e3 x", 0)) == "^^^^^");
  CHECK(caretsOf(quote("%", 0)) == "^");
}

TEST_CASE_METHOD(Fixture, "a length overrides the token and stays inside the line") {
  CHECK(caretsOf(quote("abc def ghi\nx", 4, 7)) == "    ^^^^^^^");
  CHECK(caretsOf(quote("abc def\nx", 4, 700)) == "    ^^^");
  CHECK(caretsOf(quote("abc\nx", 3)) == "   ^");
  CHECK(caretsOf(quote("abc", 3)) == "   ^");
  CHECK(caretsOf(quote("", 0)) == "^");
}

TEST_CASE_METHOD(Fixture, "tabs, wide characters and broken bytes keep the caret in place") {
  CHECK(quote("\tfoo", 1) == "        foo\n        ^^^\n");
  CHECK(quote("a\tfoo", 2) == "a       foo\n        ^^^\n");
  CHECK(quote("\xC3\xBC foo", 3) == "\xC3\xBC foo\n  ^^^\n");
  CHECK(quote("\xE6\x97\xA5 foo", 4) == "\xE6\x97\xA5 foo\n   ^^^\n");
  CHECK(quote("\xFF\xFE foo", 3) == "\xEF\xBF\xBD\xEF\xBF\xBD foo\n   ^^^\n");
  CHECK(quote("\xC3\xBC", 0) == "\xC3\xBC\n^\n");
  // Nothing from the input may steer a terminal or reorder a line.
  CHECK(quote("\033[2J foo", 5).find('\033') == std::string::npos);
  CHECK(quote("\xE2\x80\xAE foo", 4) == "\xEF\xBF\xBD foo\n  ^^^\n");
  CHECK(format(Location(), "a\033b\nc") == "<unknown>: error: a\xEF\xBF\xBD"
                                           "b\nc\n");
}

TEST_CASE_METHOD(Fixture, "long lines are cut around the caret") {
  std::string line(5000, 'x');
  line.replace(2500, 7, " target");
  line[2507] = ' ';
  std::string text = quote(line, 2501);
  std::string shown = text.substr(0, text.find('\n'));
  CHECK(shown.size() <= 120);
  CHECK(shown.starts_with("...x"));
  CHECK(shown.ends_with("x..."));
  size_t caret = caretsOf(text).find('^');
  CHECK(shown.substr(caret, 6) == "target");
  CHECK(caretsOf(text).substr(caret) == "^^^^^^");

  std::string atStart = quote(line, 0);
  CHECK(atStart.starts_with("xxx"));
  CHECK(caretsOf(atStart).size() <= 120);
  std::string atEnd = quote(line, 4999);
  CHECK_FALSE(atEnd.substr(0, atEnd.find('\n')).ends_with("..."));
  CHECK(caretsOf(atEnd).size() == atEnd.find('\n'));
}

TEST_CASE_METHOD(Fixture, "every offset of any bytes can be quoted") {
  std::string bytes;
  for (int i = 0; i < 400; ++i)
    bytes += static_cast<char>(i * 37 + (i >> 3));
  uint32_t source = context.sources().add("in", bytes);
  for (uint32_t i = 0; i <= bytes.size(); ++i) {
    std::string text = format(Location::inSource(source, i));
    CHECK(text.ends_with("^\n"));
  }
}

TEST_CASE_METHOD(Fixture, "notes follow, with places of their own") {
  Location location = place("a b\nc d\n", 2);
  DiagnosticCollector collector(context);
  emitError(context, location).underline(1) << "redefinition of 'b'";
  {
    InFlightDiagnostic d = emitError(context, location);
    d << "first";
    d.note(Location::inSource(location.source(), 4)).underline(3) << "see "
                                                                  << "here";
    d.note(Location()) << "and nowhere";
  }
  CHECK(formatDiagnostic(context, collector.diagnostics()[1]) ==
        "in.mlir:1:3: error: first\na b\n  ^\n"
        "in.mlir:2:1: note: see here\nc d\n^^^\n"
        "<unknown>: note: and nowhere\n");
}

TEST_CASE_METHOD(Fixture, "colour is only there when asked for") {
  Diagnostic diagnostic{Severity::Warning, place("a", 0), "odd", {}, 0};
  CHECK(formatDiagnostic(context, diagnostic).find('\033') == std::string::npos);
  std::string colored = formatDiagnostic(context, diagnostic, {.color = true});
  CHECK(colored.find("\033[1;35mwarning:\033[0m") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "composed locations are resolved to the file they name") {
  Location file = context.fileLineCol("lib.air", 3, 7);
  CHECK(formatLocation(context, file) == "lib.air:3:7");
  CHECK(file == context.fileLineCol("lib.air", 3, 7));
  CHECK_FALSE(file == context.fileLineCol("lib.air", 3, 8));
  Identifier name = Identifier::get(context, "loop");
  using Kind = ComposedLocation::Kind;
  Location named = context.composedLocation({Kind::Name, name, 0, 0, {file}, {}});
  CHECK(formatLocation(context, named) == "lib.air:3:7");
  Location bare = context.composedLocation({Kind::Name, name, 0, 0, {}, {}});
  CHECK(formatLocation(context, bare) == "loc(\"loop\")");
  Location fused = context.composedLocation({Kind::Fused, {}, 0, 0, {Location(), bare, file}, {}});
  CHECK(formatLocation(context, fused) == "lib.air:3:7");
  CHECK(formatLocation(context, Location()) == "<unknown>");
  Location caller = place("x\ny call", 4);
  Location call = context.composedLocation({Kind::CallSite, {}, 0, 0, {file, caller}, {}});
  CHECK(format(call) ==
        "lib.air:3:7: error: bad\nin.mlir:2:3: note: called from\ny call\n  ^^^^\n");
}

TEST_CASE_METHOD(Fixture, "locations that share children do not cost exponential time") {
  using Kind = ComposedLocation::Kind;
  Location location = context.composedLocation({Kind::Fused, {}, 0, 0, {}, {}});
  for (int i = 0; i < 64; ++i)
    location = context.composedLocation({Kind::Fused, {}, 0, 0, {location, location}, {}});
  CHECK(formatLocation(context, location) == "<unknown>");
}

TEST_CASE_METHOD(Fixture, "the JSON form is one line and always valid") {
  Diagnostic diagnostic{Severity::Error, place("  foo\n", 2), "bad \xFF \"x\"\n", {}, 0};
  diagnostic.notes.push_back({Severity::Note, Location(), "n", {}, 0});
  std::string text = diagnosticToJson(context, diagnostic);
  CHECK(text.find('\n') == std::string::npos);
  auto json = nlohmann::json::parse(text);
  CHECK(json["severity"] == "error");
  CHECK(json["file"] == "in.mlir");
  CHECK(json["line"] == 1);
  CHECK(json["column"] == 3);
  CHECK(json["length"] == 3);
  CHECK(json["message"] == "bad \xEF\xBF\xBD \"x\"\n");
  CHECK(json["notes"].size() == 1);
  CHECK(json["notes"][0]["file"].is_null());
  CHECK(json["notes"][0]["severity"] == "note");
}
