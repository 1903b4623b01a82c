// The JSON form: what it looks like, that nothing is lost, and what is said about wrong input.
#include "airlite/text/Json.hpp"

#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/text/Printer.hpp"
#include "support/catch_all.hpp"

using namespace airlite;

namespace {

constexpr std::string_view kProgram = R"(#map = affine_map<(d0)[s0] -> (d0 * 2 + s0)>
func.func private @extern(memref<?xf32, strided<[?], offset: ?>>) -> (i1, !air.async.token)
func.func @f(%a: i32, %m: memref<4xf32, #map, 1 : i32>, %c: i1) -> i32 attributes {x.y = #map} {
  %k = arith.constant 5 : i32
  cf.cond_br %c, ^bb2(%k, %a : i32, i32), ^bb1
^bb1:
  cf.br ^bb2(%a, %a : i32, i32)
^bb2(%x: i32, %y: i32):
  %s = arith.addi %x, %y {note = "a\22b\5C\0A\C3\A9", "odd name"} : i32
  "un.known"(%s, %forward) <{p = dense<[true, false]> : vector<2xi1>}> ({
    ^bb0(%z: index loc("arg")):
      "un.end"(%z)[^bb1] : (index) -> ()
    ^bb1:
      %q:2 = "un.pair"() {t = !other.type<x, 1>} : () -> (f32, tuple<>)
  }, {}) : (i32, f64) -> () loc(callsite("callee" at "file.py":7:3))
  %forward = arith.constant 0x7FF0000000000000 : f64 loc(unknown)
  return %s : i32
}
)";

class Reader {
 public:
  Reader() : collector(context) {
    registerAllDialects(context);
    context.setAllowUnregistered(true);
  }
  OwningOp text(std::string_view source) {
    ParseOptions options;
    options.verify = false;  // %forward is not dominated by its definition
    return parseSource(context, std::string(source), "in.mlir", options);
  }
  OwningOp json(std::string_view source, ParseOptions options = {}) {
    return parseJson(context, std::string(source), "in.json", options);
  }
  std::string firstError() const {
    if (collector.diagnostics().empty()) return "";
    const Diagnostic& first = collector.diagnostics()[0];
    return formatLocation(context, first.location) + ": " + first.message;
  }

  Context context;
  DiagnosticCollector collector;
};

/// A whole document around the members of the module op.
std::string document(std::string_view module) {
  return R"({"format":"airlite-ir","version":1,"module":{"op":"builtin.module",)" +
         std::string(module) + "}}";
}
/// A module whose body has these operations.
std::string withOps(std::string_view ops) {
  return document(R"("regions":[{"blocks":[{"ops":[)" + std::string(ops) + "]}]}]");
}

std::string errorOf(std::string_view json, ParseOptions options = {}) {
  Reader reader;
  OwningOp op = reader.json(json, options);
  CHECK_FALSE(op);
  return reader.firstError();
}

}  // namespace

TEST_CASE("json: the form", "[json]") {
  Reader reader;
  OwningOp module = reader.text("func.func @f(%a: i32) -> i32 {\n  return %a : i32\n}\n");
  REQUIRE(module);
  CHECK(printJson(*module) == R"({
  "format": "airlite-ir",
  "version": 1,
  "module": {
    "op": "builtin.module",
    "loc": ["in.mlir", 0, 0],
    "regions": [
      {
        "blocks": [
          {
            "ops": [
              {
                "op": "func.func",
                "loc": ["in.mlir", 1, 1],
                "attributes": {
                  "function_type": "(i32) -> i32",
                  "sym_name": "\"f\""
                },
                "regions": [
                  {
                    "blocks": [
                      {
                        "args": [{"id": 0, "type": "i32", "loc": ["in.mlir", 1, 14]}],
                        "ops": [
                          {
                            "op": "func.return",
                            "loc": ["in.mlir", 2, 3],
                            "operands": [0]
                          }
                        ]
                      }
                    ]
                  }
                ]
              }
            ]
          }
        ]
      }
    ]
  }
}
)");
}

TEST_CASE("json: text to JSON to text is the identity", "[json]") {
  Reader reader;
  OwningOp first = reader.text(kProgram);
  INFO(reader.firstError());
  REQUIRE(first);
  std::string json = printJson(*first);
  ParseOptions options;
  options.verify = false;
  OwningOp second = reader.json(json, options);
  INFO(reader.firstError());
  REQUIRE(second);
  for (bool generic : {false, true})
    for (bool debugInfo : {false, true}) {
      PrintOptions print{.generic = generic, .debugInfo = debugInfo};
      CHECK(printToString(*first, print) == printToString(*second, print));
    }
  CHECK(printJson(*second) == json);
}

TEST_CASE("json: an op that is not a module is wrapped in one", "[json]") {
  Reader reader;
  OwningOp op = reader.json(R"({"format":"airlite-ir","version":1,"module":{"op":"a.b"}})");
  REQUIRE(op);
  CHECK(printToString(*op) == "module {\n  \"a.b\"() : () -> ()\n}\n");
  CHECK(op->location().isUnknown());
}

TEST_CASE("json: values may be used before they are defined, keys come in any order", "[json]") {
  Reader reader;
  OwningOp op = reader.json(withOps(
                                R"({"operands":[9007199254740991],"op":"a.use"},
         {"//":"a comment","results":[{"type":"i1","id":9007199254740991}],"op":"a.def"})"),
                            {.limits = {}, .verify = false});
  INFO(reader.firstError());
  REQUIRE(op);
  Block& body = op->region().front();
  CHECK(body.front().operand(0) == body.back().result());
}

TEST_CASE("json: the places of wrong syntax", "[json]") {
  CHECK(errorOf("") == "in.json:1:1: JSON syntax error in value: unexpected end of input; expected "
                       "'[', '{', or a literal");
  CHECK(errorOf("{\n  \"format\": nope}") ==
        "in.json:2:13: JSON syntax error in value: invalid literal");
  CHECK(errorOf("{\"a\": \"x\ny\"}")
            .starts_with("in.json:1:9: JSON syntax error in value: invalid string"));
  CHECK(errorOf("{\"a\": 1e999}") ==
        "in.json:1:7: JSON syntax error in number overflow parsing '1e999'");
  CHECK(errorOf("{\"a\": [1 2]}").starts_with("in.json:1:10: JSON syntax error in array"));
  CHECK(errorOf("{} {}").starts_with("in.json:1:4: JSON syntax error"));
  CHECK(errorOf("{\"a\": \"\xff\"}") == "in.json:1:8: input is not valid UTF-8");
}

TEST_CASE("json: wrong kinds and keys", "[json]") {
  CHECK(errorOf("[]") == "in.json:1:1: expected an object, found an array (at the top)");
  CHECK(errorOf("{}") == "in.json:1:1: expected the key 'format' in this object (at the top)");
  CHECK(errorOf(R"({"format":"x","version":1,"module":{}})") ==
        "in.json:1:11: expected 'airlite-ir', found 'x' (at /format)");
  CHECK(errorOf(R"({"format":"airlite-ir","version":2,"module":{}})") ==
        "in.json:1:34: not supported: version 2 of the JSON form; this airlite reads version 1 "
        "(at /version)");
  CHECK(errorOf(R"({"format":"airlite-ir","version":1,"module":{}})") ==
        "in.json:1:45: expected the key 'op' in this object (at /module)");
  CHECK(errorOf(document(R"("regons":[])")) ==
        "in.json:1:68: unknown key 'regons'; did you mean 'regions'? (at /module/regons)");
  CHECK(errorOf(document(R"("op":"a.b")")) == "in.json:1:68: duplicate key 'op' (at /module/op)");
  CHECK(errorOf(document(R"("//":1)")) ==
        "in.json:1:73: expected a string as a comment, found a number (at /module/~1~1)");
  CHECK(errorOf(document(R"("operands":[1.0])")) ==
        "in.json:1:80: expected the number of a value, found a negative or fractional number "
        "(at /module/operands/0)");
  CHECK(errorOf(document(R"("operands":{"0":1})")) ==
        "in.json:1:79: expected an array of value numbers, found an object (at /module/operands)");
  CHECK(errorOf(document(R"("loc":["f",1])")) ==
        "in.json:1:74: expected a location of the form [file, line, column] (at /module/loc)");
  CHECK(errorOf(document(R"("loc":"unit")")) ==
        "in.json:1:74: expected a location such as 'loc(unknown)' (at /module/loc)");
}

TEST_CASE("json: wrong values, blocks and names", "[json]") {
  CHECK(errorOf(withOps(R"({"op":"a.b","operands":[7]})")) ==
        "in.json:1:122: use of undefined value 7 (at /module/regions/0/blocks/0/ops/0/operands/0)");
  CHECK(errorOf(withOps(R"({"op":"a.b","successors":[1]})")) ==
        "in.json:1:124: reference to block 1 of a region with 1 blocks "
        "(at /module/regions/0/blocks/0/ops/0/successors/0)");
  Reader reader;
  CHECK_FALSE(reader.json(
      withOps(R"({"op":"a.b","results":[{"id":0,"type":"i1"},{"id":0,"type":"i1"}]})")));
  REQUIRE(reader.collector.diagnostics().size() == 1);
  const Diagnostic& twice = reader.collector.diagnostics()[0];
  CHECK(twice.message.starts_with("redefinition of value 0"));
  REQUIRE(twice.notes.size() == 1);
  CHECK(twice.notes[0].message == "previously defined here");
}

TEST_CASE("json: unknown ops", "[json]") {
  Reader reader;
  reader.context.setAllowUnregistered(false);
  CHECK_FALSE(reader.json(withOps(R"({"op":"arith.adi"},{"op":"foo.bar"},{"op":"addi"})")));
  REQUIRE(reader.collector.diagnostics().size() == 3);
  CHECK(reader.firstError().find("unregistered operation 'arith.adi' found in dialect ('arith'); "
                                 "did you mean 'arith.addi'?") != std::string::npos);
  CHECK(reader.collector.diagnostics()[1].message.starts_with(
      "unregistered operation 'foo.bar' found in dialect ('foo') that does not allow unknown"));
}

TEST_CASE("json: errors inside the text of types and attributes", "[json]") {
  std::string type = withOps(R"({"op":"a.b","results":[{"id":0,"type":"memref<4xq32>"}]})");
  CHECK(errorOf(type).starts_with("in.json:1:" + std::to_string(type.find("q32") + 1) + ": "));
  // Escapes count as what they stand for.
  std::string plain = withOps(R"({"op":"a.b","attributes":{"x":"[1, \"e\", ?]"}})");
  std::string escaped =
      withOps(R"({"op":"a.b","attributes":{"x":"[1, \"\u00e9\u20ac\ud83d\ude00\", ?]"}})");
  auto column = [](const std::string& message) {
    return std::stoi(message.substr(std::string("in.json:1:").size()));
  };
  CHECK(plain[static_cast<size_t>(column(errorOf(plain)) - 1)] == '?');
  CHECK(escaped[static_cast<size_t>(column(errorOf(escaped)) - 1)] == '?');
  CHECK(errorOf(withOps(R"({"op":"a.b","attributes":{"x":""}})"))
            .ends_with("(at /module/regions/0/blocks/0/ops/0/attributes/x)"));
}

TEST_CASE("json: all errors of one run", "[json]") {
  Reader reader;
  CHECK_FALSE(reader.json(withOps(
      R"({"op":"a.b","results":[{"id":0,"type":"i"}]},{"op":7},{"op":"a.c","operands":[0,5]})")));
  CHECK(reader.collector.diagnostics().size() == 3);  // value 0 is known, though its op is broken
  ParseOptions options;
  options.limits.maxErrors = 4;
  Reader many;
  std::string ops = "1";
  for (int i = 0; i < 100; ++i)
    ops += ",1";
  CHECK_FALSE(many.json(withOps(ops), options));
  CHECK(many.collector.diagnostics().size() == 4);
}

TEST_CASE("json: what is verified is said at its place in the JSON text", "[json]") {
  std::string json = withOps(R"({"op":"arith.addi","loc":["other.mlir",3,4]})");
  std::string column = std::to_string(json.find("{\"op\":\"arith.addi\"") + 1);
  CHECK(errorOf(json).starts_with("in.json:1:" + column + ": 'arith.addi' op"));
  ParseOptions options;
  options.verify = false;
  Reader reader;
  OwningOp op = reader.json(json, options);
  REQUIRE(op);
  Location location = op->region().front().front().location();
  CHECK(formatLocation(reader.context, location) == "other.mlir:3:4");
}

TEST_CASE("json: limits", "[json]") {
  ParseOptions options;
  options.limits.maxBytes = 10;
  CHECK(errorOf(document(R"("regions":[])"), options) ==
        "in.json:1:1: input is larger than the limit of 10 bytes");
  std::string nested = R"({"op":"a.leaf"})";
  for (int i = 0; i < 4; ++i)
    nested = R"({"op":"a.b","regions":[{"blocks":[{"ops":[)" + nested + "]}]}]}";
  ParseOptions shallow;
  shallow.limits.maxNesting = 5;
  CHECK(errorOf(withOps(nested), shallow).find("nesting is deeper than the limit of 5") !=
        std::string::npos);
  shallow.limits.maxNesting = 6;
  Reader reader;
  CHECK(reader.json(withOps(nested), shallow));
}
