// The printer: programs built by hand against texts that the reference tools print (mlir-opt 19).
#include "airlite/text/Printer.hpp"

#include "airlite/ir/Builder.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/text/OpPrinter.hpp"
#include "support/catch_all.hpp"

#include <cmath>

using namespace airlite;

namespace {

void printModule(OpPrinter& p, Operation& op) {
  p << " ";
  p.printRegion(op.region(), false);
}
void printFunc(OpPrinter& p, Operation& op) {
  p << " ";
  p.printSymbolName(op.attrOf<StringAttr>("sym_name").value());
  p << "(";
  p.printList(op.region().front().arguments(), [&](Value v) { p.printArgument(v); });
  p << ") ";
  p.printRegion(op.region(), false);
}
void printLoop(OpPrinter& p, Operation& op) {
  p << " ";
  p << op.region().front().argument(0);
  p << " to ";
  p.printAffineMapOfSsaIds(op.attrOf<AffineMapAttr>("map").value(), op.operands().vec());
  p << " ";
  p.printRegion(op.region(), false, false);
  p.printOptionalAttrDict(op, {"map"});
}
void printOperandsAndDict(OpPrinter& p, Operation& op) {
  if (op.numOperands()) p << " " << op.operands();
  p.printOptionalAttrDict(op);
}
void nameConstant(Operation& op, FunctionRef<void(Value, std::string_view)> suggest) {
  suggest(op.result(), "c" + std::to_string(op.attrOf<IntegerAttr>("value").value()));
}
void nameExecute(Operation& op, FunctionRef<void(Value, std::string_view)> suggest) {
  suggest(op.result(0), "async_token");
  if (op.numResults() > 1) suggest(op.result(1), "results");
}
void nameLoopArgument(Region& region, FunctionRef<void(Value, std::string_view)> suggest) {
  suggest(region.front().argument(0), "iv");
}

void registerDialects(Context& context) {
  Dialect builtin(context, "builtin", "");
  builtin.op("module").region("body").syntax(nullptr, printModule).traits(Trait::NoTerminator);
  Dialect func(context, "func", "");
  func.op("func").attr("sym_name", attrs::any).region("body").syntax(nullptr, printFunc);
  func.op("return")
      .variadicOperand("operands", types::any)
      .traits(Trait::Terminator)
      .syntax(nullptr, printOperandsAndDict);
  Dialect t(context, "t", "");
  t.op("const")
      .attr("value", attrs::any)
      .result("r", types::any)
      .nameResults(nameConstant)
      .syntax(nullptr, printOperandsAndDict);
  t.op("exec").variadicResult("r", types::any).region("body").nameResults(nameExecute);
  t.op("loop")
      .attr("map", attrs::any)
      .region("body")
      .variadicOperand("o", types::any)
      .nameArguments(nameLoopArgument)
      .syntax(nullptr, printLoop);
  t.op("yield").traits(Trait::Terminator);
  t.op("call")
      .variadicOperand("o", types::any)
      .variadicResult("r", types::any)
      .defaultAttr("mode", attrs::any, "0 : i32")
      .nameResult("1 odd+name")
      .syntax(nullptr, printOperandsAndDict);
}

struct Program {
  Program() {
    registerDialects(context);
    context.setAllowUnregistered(true);
    OperationState state(context, Location(), "builtin.module");
    module = OwningOp(makeWithRegion(state));
    b.setToEnd(module->region().front());
  }

  Operation* makeWithRegion(OperationState& state, std::span<const Type> arguments = {}) {
    Operation* op = Operation::create(context, withRegion(state));
    Block& block = op->region().addBlock();
    for (Type type : arguments)
      block.addArgument(type, Location());
    return op;
  }
  OperationState& withRegion(OperationState& state) {
    state.addRegion();
    return state;
  }
  OperationState state(std::string_view name) {
    return OperationState(Location(), context.opDef(name));
  }
  /// Inserts an op with one region and continues inside.
  Operation* open(std::string_view name, std::initializer_list<Type> arguments = {},
                  std::initializer_list<NamedAttribute> attributes = {},
                  std::initializer_list<Type> results = {},
                  std::initializer_list<Value> operands = {}) {
    OperationState s = state(name);
    for (const NamedAttribute& a : attributes)
      s.attributes.set(a.name, a.value);
    s.addTypes(std::span<const Type>(results.begin(), results.size()));
    s.addOperands(std::span<const Value>(operands.begin(), operands.size()));
    Operation* op = makeWithRegion(s, std::span<const Type>(arguments.begin(), arguments.size()));
    b.insert(op);
    b.setToEnd(op->region().front());
    return op;
  }
  void close(Operation* op) { b.setAfter(*op); }
  Operation* add(std::string_view name, std::initializer_list<Value> operands = {},
                 std::initializer_list<Type> results = {},
                 std::initializer_list<NamedAttribute> attributes = {}) {
    OperationState s = state(name);
    for (const NamedAttribute& a : attributes)
      s.attributes.set(a.name, a.value);
    s.addTypes(std::span<const Type>(results.begin(), results.size()));
    s.addOperands(std::span<const Value>(operands.begin(), operands.size()));
    return b.insert(Operation::create(context, s));
  }
  Operation* constant(int64_t value) {
    return add("t.const", {}, {index()}, {b.named("value", b.indexAttr(value))});
  }
  NamedAttribute map(std::string_view name, int64_t offset) {
    AffineExpr sum = AffineExpr::dim(context, 0) + offset;
    return b.named(name, AffineMapAttr::get(AffineMap::get(context, 1, 0, std::span(&sum, 1))));
  }
  Type index() { return IndexType::get(context); }
  Type i32() { return b.intType(32); }
  std::string print(const PrintOptions& options = {}) { return printToString(*module, options); }

  Context context;
  Builder b{context};
  OwningOp module;
};

std::string hexOrDigits(Context& context, FloatKind kind, uint64_t bits) {
  return FloatAttr::get(FloatType::get(context, kind), floatFromBits(kind, bits)).str();
}

}  // namespace

TEST_CASE("floats print the shortest of the usual forms that reads back", "[printer]") {
  Context context;
  auto f32 = [&](uint32_t bits) { return hexOrDigits(context, FloatKind::F32, bits); };
  CHECK(f32(0x3F800000) == "1.000000e+00 : f32");
  CHECK(f32(0x3DCCCCCD) == "1.000000e-01 : f32");
  CHECK(f32(0x3F333333) == "0.699999988 : f32");
  CHECK(f32(0x47F1205A) == "123456.703 : f32");
  CHECK(f32(0x80000000) == "-0.000000e+00 : f32");
  CHECK(f32(0xDA5ED1D4) == "-1.56795383E+16 : f32");
  CHECK(f32(0x4B800000) == "0x4B800000 : f32");  // 16777216: all digits, no point
  CHECK(f32(0x7F800000) == "0x7F800000 : f32");
  CHECK(f32(0xFF800000) == "0xFF800000 : f32");
  CHECK(f32(0x7FC00000) == "0x7FC00000 : f32");
  CHECK(f32(0x000116C2) == "9.999940e-41 : f32");
  CHECK(hexOrDigits(context, FloatKind::F16, 0x0001) == "5.960460e-08 : f16");
  CHECK(hexOrDigits(context, FloatKind::F16, 0x7BFF) == "6.550400e+04 : f16");
  CHECK(hexOrDigits(context, FloatKind::BF16, 0x3DCD) == "1.000980e-01 : bf16");
  Type f64 = FloatType::get(context, FloatKind::F64);
  CHECK(FloatAttr::get(f64, 0.7).str() == "0.69999999999999996 : f64");
  CHECK(FloatAttr::get(f64, 3.14159265358979).str() == "3.14159265358979 : f64");
  CHECK(FloatAttr::get(f64, 1e300).str() == "1.000000e+300 : f64");
  CHECK(FloatAttr::get(f64, 5e-324).str() == "4.940660e-324 : f64");
}

TEST_CASE("attributes", "[printer]") {
  Context context;
  Builder b(context);
  auto integer = [&](Type type, int64_t value) { return IntegerAttr::get(type, value).str(); };
  CHECK(integer(b.intType(64), 1) == "1 : i64");
  CHECK(integer(b.intType(8), -1) == "-1 : i8");
  CHECK(integer(b.intType(1), 1) == "true");
  CHECK(integer(IntegerType::get(context, 8, Signedness::Unsigned), 255) == "255 : ui8");
  CHECK(integer(b.indexType(), 5) == "5 : index");
  CHECK(b.stringAttr("a\"\\\n\tb\xFF").str() == "\"a\\22\\\\\\0A\\09b\\FF\"");
  CHECK(b.unitAttr().str() == "unit");
  Attribute mixed[] = {b.i64Attr(1), b.i32Attr(2),
                       FloatAttr::get(FloatType::get(context, FloatKind::F64), 1.5),
                       FloatAttr::get(FloatType::get(context, FloatKind::F64), INFINITY)};
  CHECK(ArrayAttr::get(context, mixed).str() ==
        "[1, 2 : i32, 1.500000e+00, 0x7FF0000000000000 : f64]");
  NamedAttribute entries[] = {b.named("3d", b.i64Attr(4)), b.named("b c", b.unitAttr()),
                              b.named("c.d", b.unitAttr())};
  CHECK(DictionaryAttr::get(context, entries).str() == "{\"3d\" = 4 : i64, \"b c\", c.d}");
  std::string_view nested[] = {"b c"};
  CHECK(SymbolRefAttr::get(context, "foo", nested).str() == "@foo::@\"b c\"");
  CHECK(TypeAttr::get(b.f32()).str() == "f32");
}

TEST_CASE("dense attributes", "[printer]") {
  Context context;
  Builder b(context);
  int64_t bools[] = {1, 0};
  CHECK(DenseArrayAttr::get(b.intType(1), bools).str() == "array<i1: true, false>");
  CHECK(DenseArrayAttr::getI32(context, {}).str() == "array<i32>");
  double floats[] = {1.0, 0.1};
  CHECK(DenseArrayAttr::getFloats(FloatType::get(context, FloatKind::F64), floats).str() ==
        "array<f64: 1.000000e+00, 1.000000e-01>");
  auto tensor = [&](std::vector<int64_t> shape, unsigned width) -> ShapedType {
    return RankedTensorType::get(context, shape, b.intType(width));
  };
  auto dense = [&](ShapedType type, unsigned width, std::vector<int64_t> values) {
    std::vector<Attribute> elements;
    for (int64_t v : values)
      elements.push_back(IntegerAttr::get(b.intType(width), v));
    return DenseElementsAttr::get(type, elements).str();
  };
  CHECK(dense(tensor({2, 2}, 32), 32, {1, 2, 3, -4}) ==
        "dense<[[1, 2], [3, -4]]> : tensor<2x2xi32>");
  CHECK(dense(tensor({2, 1, 2}, 8), 8, {1, 2, 3, 4}) ==
        "dense<[[[1, 2]], [[3, 4]]]> : tensor<2x1x2xi8>");
  CHECK(dense(tensor({}, 32), 32, {5}) == "dense<5> : tensor<i32>");
  CHECK(dense(tensor({4}, 1), 1, {1}) == "dense<true> : tensor<4xi1>");
  std::vector<int64_t> many(101, 1);
  many[0] = 2;
  std::string text = dense(tensor({101}, 16), 16, many);
  CHECK(text.substr(0, 21) == "dense<\"0x020001000100");
  CHECK(text.substr(text.size() - 21) == "0\"> : tensor<101xi16>");
  std::vector<int64_t> bits(101, 0);
  bits[0] = bits[9] = bits[100] = 1;
  CHECK(dense(tensor({101}, 1), 1, bits) ==
        "dense<\"0x01020000000000000000000010\"> : tensor<101xi1>");
}

TEST_CASE("types", "[printer]") {
  Context context;
  Builder b(context);
  Type f32 = b.f32();
  int64_t shape[] = {4, kDynamic};
  int64_t strides[] = {kDynamic, 1};
  Attribute layout = StridedLayoutAttr::get(context, kDynamic, strides);
  CHECK(MemRefType::get(context, shape, f32, layout, b.i32Attr(1)).str() ==
        "memref<4x?xf32, strided<[?, 1], offset: ?>, 1 : i32>");
  CHECK(MemRefType::get(context, {}, f32, Attribute(), b.i64Attr(1)).str() == "memref<f32, 1>");
  CHECK(UnrankedMemRefType::get(context, f32, Attribute()).str() == "memref<*xf32>");
  CHECK(RankedTensorType::get(context, shape, f32, b.stringAttr("enc")).str() ==
        "tensor<4x?xf32, \"enc\">");
  CHECK(VectorType::get(context, std::span(shape, 1), f32).str() == "vector<4xf32>");
  CHECK(TupleType::get(context, {}).str() == "tuple<>");
  CHECK(ComplexType::get(context, f32).str() == "complex<f32>");
  Type empty = FunctionType::get(context, {}, {});
  CHECK(empty.str() == "() -> ()");
  CHECK(FunctionType::get(context, std::span(&f32, 1), std::span(&f32, 1)).str() == "(f32) -> f32");
  CHECK(FunctionType::get(context, std::span(&f32, 1), std::span(&empty, 1)).str() ==
        "(f32) -> (() -> ())");
  CHECK(OpaqueType::get(context, "foo.bar<1>").str() == "!foo.bar<1>");
}

TEST_CASE("affine maps prefer subtraction", "[printer]") {
  Context context;
  AffineExpr d0 = AffineExpr::dim(context, 0), d1 = AffineExpr::dim(context, 1);
  AffineExpr s0 = AffineExpr::symbol(context, 0);
  AffineExpr eighth = s0.floorDiv(AffineExpr::constant(context, 8));
  AffineExpr results[] = {d0 - d1,       d0 - d1 * 4 - 5, -d0,          -(d0 + d1),
                          (d0 + d1) * 5, d0 * -3,         d0 * s0 - d1, eighth};
  CHECK(AffineMapAttr::get(AffineMap::get(context, 2, 1, results)).str() ==
        "affine_map<(d0, d1)[s0] -> (d0 - d1, d0 - d1 * 4 - 5, -d0, -(d0 + d1), (d0 + d1) * 5, "
        "d0 * -3, d0 * s0 - d1, s0 floordiv 8)>");
  AffineExpr constraints[] = {d0 - s0, d0 - 1};
  CHECK(IntegerSetAttr::get(IntegerSet::get(context, 1, 1, constraints, {false, true})).str() ==
        "affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 - 1 == 0)>");
  CHECK(AffineMapAttr::get(AffineMap::get(context, 0, 0, {})).str() == "affine_map<() -> ()>");
}

TEST_CASE("names follow regions", "[printer]") {
  Program p;
  Operation* func = p.open("func.func", {p.i32()}, {p.b.named("sym_name", p.b.stringAttr("f"))});
  p.constant(0);
  p.constant(0);
  Operation* multi = p.add("x.multi", {}, {p.i32(), p.i32()});
  for (int i = 0; i < 2; ++i) {
    Operation* region = p.open("x.region", {p.i32()});
    p.constant(0);
    p.add("x.use", {multi->result(1), region->region().front().argument(0)}, {p.i32()});
    p.close(region);
  }
  Operation* exec = p.open("t.exec", {}, {}, {p.i32(), p.i32(), p.i32()});
  p.close(exec);
  p.add("t.call", {exec->result(0), exec->result(2)}, {p.i32()});
  p.add("func.return", {exec->result(1)});
  (void)func;
  CHECK(p.print() == R"(module {
  func.func @f(%arg0: i32) {
    %c0 = t.const {value = 0 : index}
    %c0_0 = t.const {value = 0 : index}
    %0:2 = "x.multi"() : () -> (i32, i32)
    "x.region"() ({
    ^bb0(%arg1: i32):
      %c0_1 = t.const {value = 0 : index}
      %1 = "x.use"(%0#1, %arg1) : (i32, i32) -> i32
    }) : () -> ()
    "x.region"() ({
    ^bb0(%arg1: i32):
      %c0_1 = t.const {value = 0 : index}
      %1 = "x.use"(%0#1, %arg1) : (i32, i32) -> i32
    }) : () -> ()
    %async_token, %results:2 = "t.exec"() ({
    ^bb0:
    }) : () -> (i32, i32, i32)
    %_1_odd2Bname = t.call %async_token, %results#1
    return %results#0
  }
}
)");
}

TEST_CASE("the generic form has plain numbers and inherent attributes apart", "[printer]") {
  Program p;
  Operation* func =
      p.open("func.func", {p.i32()},
             {p.b.named("sym_name", p.b.stringAttr("f")), p.b.named("x.y", p.b.unitAttr())});
  Operation* outer = p.open("x.region", {p.i32()});
  p.add("x.use", {}, {p.i32()});
  p.close(outer);
  Operation* second = p.open("x.region", {p.i32()});
  p.add("x.use", {}, {p.i32()});
  p.close(second);
  p.constant(7);
  OperationState branch = p.state("x.br");
  Block& next = func->region().addBlock();
  next.addArgument(p.i32(), Location());
  branch.successors = {&next, &next};
  p.b.insert(Operation::create(p.context, branch));
  p.b.setToEnd(next);
  p.add("func.return");
  CHECK(p.print({.generic = true}) == R"("builtin.module"() ({
  "func.func"() <{sym_name = "f"}> ({
  ^bb0(%arg0: i32):
    "x.region"() ({
    ^bb0(%arg2: i32):
      %3 = "x.use"() : () -> i32
    }) : () -> ()
    "x.region"() ({
    ^bb0(%arg1: i32):
      %2 = "x.use"() : () -> i32
    }) : () -> ()
    %0 = "t.const"() <{value = 7 : index}> : () -> index
    "x.br"()[^bb1, ^bb1] : () -> ()
  ^bb1(%1: i32):
    "func.return"() : () -> ()
  }) {x.y} : () -> ()
}) : () -> ()
)");
}

TEST_CASE("aliases are numbered in the order of the reference tools", "[printer]") {
  Program p;
  AffineExpr dim = AffineExpr::dim(p.context, 0) + 4;
  Attribute layout = AffineMapAttr::get(AffineMap::get(p.context, 1, 0, std::span(&dim, 1)));
  int64_t four[] = {4};
  Type memref = MemRefType::get(p.context, four, p.b.f32(), layout, Attribute());
  Operation* outer = p.open("x.op", {}, {p.map("a", 3)}, {memref});
  AffineExpr zero = AffineExpr::dim(p.context, 0);
  Attribute set =
      IntegerSetAttr::get(IntegerSet::get(p.context, 1, 0, std::span(&zero, 1), {false}));
  Attribute list[] = {set, p.map("", 2).value};
  p.add("x.in", {}, {}, {p.b.named("z", ArrayAttr::get(p.context, list))});
  p.close(outer);
  Operation* loop = p.open("t.loop", {p.index()}, {p.map("map", 9), p.map("other", 2)}, {},
                           {p.constant(1)->result()});
  p.add("x.in", {}, {}, {p.map("a", 5)});
  p.add("t.yield");
  p.close(loop);
  CHECK(p.print() == R"(#map = affine_map<(d0) -> (d0 + 2)>
#map1 = affine_map<(d0) -> (d0 + 4)>
#map2 = affine_map<(d0) -> (d0 + 3)>
#map3 = affine_map<(d0) -> (d0 + 5)>
#set = affine_set<(d0) : (d0 >= 0)>
module {
  %0 = "x.op"() ({
    "x.in"() {z = [#set, #map]} : () -> ()
  }) {a = #map2} : () -> memref<4xf32, #map1>
  %c1 = t.const {value = 1 : index}
  t.loop %iv to %c1 + 9 {
    "x.in"() {a = #map3} : () -> ()
  } {other = #map}
}
)");
  std::string nested = printToString(*loop);
  CHECK(nested == R"(t.loop %iv to %c1 + 9 {
  "x.in"() {a = affine_map<(d0) -> (d0 + 5)>} : () -> ()
} {other = affine_map<(d0) -> (d0 + 2)>})");
  CHECK(loop->str() == nested);
  CHECK(p.print({.aliases = false}).substr(0, 8) == "module {");
}

TEST_CASE("default dialects hold for their own region only", "[printer]") {
  Program p;
  Operation* func = p.open("func.func", {}, {p.b.named("sym_name", p.b.stringAttr("g h"))});
  Operation* inner = p.open("builtin.module");
  Operation* innermost = p.open("builtin.module");
  p.close(innermost);
  p.close(inner);
  Operation* loop = p.open("x.region");
  p.add("func.return");
  p.close(loop);
  p.add("func.return");
  (void)func;
  CHECK(p.print() == R"(module {
  func.func @"g h"() {
    builtin.module {
      module {
      }
    }
    "x.region"() ({
      func.return
    }) : () -> ()
    return
  }
}
)");
}

TEST_CASE("defaults are left out and locations come on demand", "[printer]") {
  Program p;
  p.add("t.call", {}, {}, {p.b.named("mode", p.b.i32Attr(0)), p.b.named("x", p.b.unitAttr())});
  Operation* op = p.add("t.call", {}, {}, {p.b.named("mode", p.b.i32Attr(1))});
  op->setLocation(p.context.fileLineCol("a.mlir", 3, 7));
  CHECK(p.print({.debugInfo = true}) == R"(module {
  t.call {x} loc(#loc)
  t.call {mode = 1 : i32} loc(#loc1)
} loc(#loc)
#loc = loc(unknown)
#loc1 = loc("a.mlir":3:7)
)");
}

TEST_CASE("what does not match its definition is printed in the generic form", "[printer]") {
  Program p;
  Operation* constant = p.constant(7);
  CHECK(constant->str() == "%c7 = t.const {value = 7 : index}");
  constant->removeAttr("value");
  CHECK(constant->str() == "%0 = \"t.const\"() : () -> index");
  CHECK(p.module->str().find("\"builtin.module\"() ({") == 0);
  CHECK(printToString(*p.module, {.assumeVerified = false}).find("\"t.const\"()") !=
        std::string::npos);
}
