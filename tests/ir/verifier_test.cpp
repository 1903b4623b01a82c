// The verifier: each rule has a program that breaks it, and the message that says so.
#include "support/catch_all.hpp"
#include "test_dialect.hpp"

using namespace airlite;
using namespace airlite::test;

namespace {

using Messages = std::vector<std::string>;

/// A function to put one bad op into, ended by `t.ret`.
struct InFunction : Fixture {
  InFunction() : owner(module()), func(Fixture::func(body(owner), "f")), block(body(*func)) {
    x = block.addArgument(index(), Location());
    y = block.addArgument(i32(), Location());
    add(block, "t.ret");
  }
  Operation* put(std::string_view name, std::vector<Value> operands = {},
                 std::vector<Type> results = {}, unsigned regions = 0) {
    Operation* op = make(name, std::move(operands), std::move(results), regions);
    block.insert(op, &block.back());
    return op;
  }
  Messages messages() { return verifyMessages(*owner); }
  Attribute integer(unsigned width, int64_t value) {
    return IntegerAttr::get(IntegerType::get(context, width), value);
  }

  OwningOp owner;
  Operation* func;
  Block& block;
  Value x, y;
};

}  // namespace

TEST_CASE("a good program verifies") {
  InFunction f;
  f.put("t.add", {f.y, f.y}, {f.i32()});
  f.put("t.op", {f.x, f.y}, {f.index()});
  f.put("t.maybe", {f.x});
  CHECK(f.messages().empty());
}

TEST_CASE("counts") {
  InFunction f;
  f.put("t.add", {f.y}, {f.i32()});
  f.put("t.add", {f.y, f.y});
  f.put("t.element", {f.x, f.x}, {f.i32()});
  f.put("t.nothing", {f.x});
  f.put("t.nothing", {}, {f.index()});
  f.put("t.region");
  f.put("t.op", {}, {}, 1);
  f.put("t.maybe", {f.x, f.x});
  f.put("t.maybe", {}, {f.index(), f.index()});
  f.put("t.pairs", {f.x, f.x, f.x});
  CHECK(f.messages() ==
        Messages{"'t.add' op expected 2 operands, but found 1", "'t.add' op requires one result",
                 "'t.element' op requires a single operand",
                 "'t.nothing' op requires zero operands", "'t.nothing' op requires zero results",
                 "'t.region' op requires one region", "'t.op' op requires zero regions",
                 "'t.maybe' op operand group starting at #0 requires 0 or 1 element, but found 2",
                 "'t.maybe' op result group starting at #0 requires 0 or 1 element, but found 2",
                 "'t.pairs' op expected 2 operand groups of the same size, but found 3 values for "
                 "them"});
}

TEST_CASE("types") {
  InFunction f;
  Type f32 = FloatType::get(f.context, FloatKind::F32);
  Value z = f.put("t.op", {}, {f32})->result();
  f.put("t.add", {z, f.y}, {f.i32()});
  f.put("t.add", {f.y, f.x}, {f.i32()});
  f.put("t.pairs", {f.x, f.y});
  f.put("t.sub", {f.y, f.y}, {f32});
  const int64_t shape[] = {4};
  Value buffer = f.put("t.op", {}, {MemRefType::get(f.context, shape, f32)})->result();
  f.put("t.element", {buffer}, {f.i32()});
  CHECK(f.messages() ==
        Messages{"'t.add' op operand #0 must be signless-integer-like, but got 'f32'",
                 "'t.add' op requires the same type for all operands and results",
                 "'t.pairs' op operand #1 must be variadic of index, but got 'i32'",
                 "'t.sub' op failed to verify that all of {lhs, rhs, result} have same type",
                 "'t.element' op failed to verify that result type matches element type of "
                 "'from'"});
}

TEST_CASE("inferred types must be the types") {
  InFunction f;
  f.put("t.infer", {}, {f.i32()});
  CHECK(f.messages() == Messages{"'t.infer' op inferred type(s) 'index' are incompatible with "
                                 "return type(s) of operation 'i32'"});
}

TEST_CASE("attributes") {
  InFunction f;
  f.put("t.attrs");
  Operation* wrong = f.put("t.attrs");
  wrong->setAttr("required", f.integer(32, 1));
  Operation* constant = f.put("t.const", {}, {f.index()});
  constant->setAttr("value", f.integer(32, 1));
  CHECK(f.messages() ==
        Messages{"'t.attrs' op requires attribute 'required'",
                 "'t.attrs' op attribute 'required' failed to satisfy constraint: 64-bit signless "
                 "integer attribute",
                 "'t.const' op failed to verify that all of {value, result} have same type"});
}

TEST_CASE("a misspelt attribute is pointed out, other names are fine") {
  InFunction f;
  Operation* op = f.put("t.attrs");
  op->setAttr("required", f.integer(64, 1));
  for (std::string_view name : {"id", "unroll", "foo", "x.required", "broadcst_shape"})
    op->setAttr(name, UnitAttr::get(f.context));
  CHECK(f.messages() == Messages{"'t.attrs' op has no attribute 'broadcst_shape'; did you mean "
                                 "'broadcast_shape'?"});
}

TEST_CASE("operand segments") {
  InFunction f;
  auto put = [&](std::vector<int32_t> sizes) {
    Operation* op = f.put("t.groups", {f.x, f.x});
    op->setAttr("operandSegmentSizes", DenseArrayAttr::getI32(f.context, sizes));
  };
  put({1, 0, 1});
  put({1, 0, 2});
  put({1, -1, 2});
  put({1, 1});
  put({0, 0, 2});
  put({2, 0, 0});
  put({1, 1, 0});
  f.put("t.groups", {f.x});
  f.put("t.groups", {f.x})->setAttr("operandSegmentSizes", UnitAttr::get(f.context));
  std::string head = "'t.groups' op ";
  CHECK(f.messages() ==
        Messages{head + "operand count (2) does not match with the total size (3) specified in "
                        "attribute 'operandSegmentSizes'",
                 head + "'operandSegmentSizes' attribute cannot have negative elements",
                 head + "'operandSegmentSizes' attribute for specifying operand segments must have "
                        "3 elements, but got 2",
                 head + "operand group starting at #0 requires 1 element, but found 0",
                 head + "operand group starting at #0 requires 1 element, but found 2",
                 head + "operand #1 must be 1-bit signless integer, but got 'index'",
                 head + "operand count (1) does not match with the total size (0) specified in "
                        "attribute 'operandSegmentSizes'",
                 head + "attribute 'operandSegmentSizes' failed to satisfy constraint: i32 dense "
                        "array attribute"});
}

TEST_CASE("places and parents") {
  InFunction f;
  Operation* region = f.put("t.region", {}, {}, 1);
  Block& inner = region->region().addBlock();
  f.add(inner, "t.only");
  f.add(inner, "t.ret");
  f.put("t.yield");
  f.add(inner, "t.func", {}, {}, 1)->setAttr("sym_name", StringAttr::get(f.context, "g"));
  CHECK(f.messages() == Messages{"'t.only' op expects parent op 't.func'",
                                 "'t.ret' op expects parent op to be one of 't.func, t.module'",
                                 "'t.func' op symbol's parent must have the SymbolTable trait",
                                 "'t.yield' op must be the last operation in the parent block"});
}

TEST_CASE("empty block, missing terminator, wrong terminator") {
  InFunction f;
  f.func->region().addBlock();
  Operation* g = f.Fixture::func(body(f.owner), "g");
  f.add(body(*g), "t.nothing");
  Operation* loop = f.put("t.loop", {}, {}, 1);
  loop->region().addBlock();
  Operation* second = f.put("t.loop", {}, {}, 1);
  f.add(second->region().addBlock(), "t.br");
  Operation* third = f.put("t.loop", {}, {}, 1);
  f.add(third->region().addBlock(), "t.yield");
  f.add(third->region().addBlock(), "t.yield");
  Messages messages = f.messages();
  REQUIRE(messages.size() == 5);
  CHECK(messages[0] == "empty block: expect at least a terminator");
  CHECK(messages[1] == "'t.loop' op expects a non-empty block");
  CHECK(messages[2] ==
        "'t.loop' op expects regions to end with 't.yield', found 't.br' | in custom textual "
        "format, the absence of terminator implies 't.yield'");
  CHECK(messages[3] == "'t.loop' op expects region #0 to have 0 or 1 blocks");
  CHECK(messages[4].starts_with("block with no terminator, has "));
}

TEST_CASE("successors") {
  InFunction f;
  Block& next = f.func->region().addBlock();
  f.add(next, "t.br", {}, {}, 0, {&f.block});
  Operation* g = f.Fixture::func(body(f.owner), "g");
  f.add(body(*g), "t.br", {}, {}, 0, {&next});
  CHECK(f.messages() == Messages{"'t.func' op entry block of region may not have predecessors",
                                 "'t.br' op reference to block defined in another region"});
}

TEST_CASE("isolation") {
  Fixture f;
  OwningOp module = f.module();
  Operation* outer = f.add(body(module), "t.region", {}, {}, 1);
  Block& block = outer->region().addBlock();
  Value x = f.constant(block, 1)->result();
  Operation* inner = f.add(block, "t.module", {}, {}, 1);
  Operation* nested = f.add(inner->region().addBlock(), "t.region", {}, {}, 1);
  f.add(nested->region().addBlock(), "t.op", {x});
  CHECK(f.verifyMessages(*module) ==
        Messages{"'t.op' op using value defined outside the region | required by region isolation "
                 "constraints"});
}

TEST_CASE("symbols") {
  InFunction f;
  f.Fixture::func(body(f.owner), "f");
  f.func->setAttr("sym_visibility", StringAttr::get(f.context, "foo"));
  f.add(body(body(f.owner).back()), "t.ret");
  CHECK(f.messages() == Messages{"redefinition of symbol named 'f' | see existing symbol "
                                 "definition here",
                                 "'t.func' op visibility expected to be one of [\"public\", "
                                 "\"private\", \"nested\"], but got \"foo\""});
}

TEST_CASE("own verifiers run where shapes are right") {
  InFunction f;
  f.put("t.even", {f.x});
  CHECK(f.messages() == Messages{"'t.even' op expects an even number of operands"});
  // In a function with a misshapen op they are not asked; in another one they are.
  f.put("t.nothing", {f.x});
  Operation* g = f.Fixture::func(body(f.owner), "g");
  f.add(body(*g), "t.even", {body(*g).addArgument(f.index(), Location())});
  f.add(body(*g), "t.ret");
  CHECK(f.messages() == Messages{"'t.nothing' op requires zero operands",
                                 "'t.even' op expects an even number of operands"});
}

TEST_CASE("dominance is checked") {
  InFunction f;
  Operation* user = f.put("t.op", {f.x});
  Operation* later = f.put("t.infer", {}, {f.index()});
  user->setOperand(0, later->result());
  Operation* region = f.put("t.region", {}, {f.index()}, 1);
  f.add(region->region().addBlock(), "t.op", {region->result()});
  CHECK(f.messages() ==
        Messages{"operand #0 does not dominate this use | operand defined here (op in the same "
                 "block)",
                 "operand #0 does not dominate this use | operand defined here (op in a parent "
                 "region)"});
}

TEST_CASE("dominance between blocks, and of block arguments") {
  InFunction f;
  Block& left = f.func->region().addBlock();
  Block& right = f.func->region().addBlock();
  Block& dead = f.func->region().addBlock();
  f.block.back().erase();
  f.add(f.block, "t.br", {}, {}, 0, {&left, &right});
  Value argument = left.addArgument(f.index(), Location());
  Operation* def = f.add(left, "t.infer", {}, {f.index()});
  f.add(left, "t.ret");
  f.add(right, "t.op", {argument});
  f.add(right, "t.op", {def->result()});
  f.add(right, "t.ret");
  f.add(dead, "t.op", {def->result()});
  f.add(dead, "t.ret");
  CHECK(f.messages() ==
        Messages{"operand #0 does not dominate this use | operand defined as a block argument "
                 "(block #1 in the same region)",
                 "operand #0 does not dominate this use | operand defined here (op in the same "
                 "region)"});
}

TEST_CASE("unregistered operations") {
  InFunction f;
  f.put("t.unknown");
  f.put("x.y");
  Messages messages = f.messages();
  REQUIRE(messages.size() == 2);
  CHECK(messages[0] == "unregistered operation 't.unknown' found in dialect ('t') that does not "
                       "allow unknown operations");
  CHECK(messages[1].starts_with("'x.y' op created with unregistered dialect 'x'"));
  f.context.setAllowUnregistered(true);
  CHECK(f.messages().empty());
}

TEST_CASE("a null operand is an error, not a crash") {
  InFunction f;
  f.put("t.op", {f.x})->setOperand(0, Value());
  CHECK(f.messages() == Messages{"null operand found"});
}

TEST_CASE("many errors are cut") {
  InFunction f;
  for (unsigned i = 0; i < 500; ++i)
    f.put("t.nothing", {f.x});
  Messages messages = f.messages();
  REQUIRE(messages.size() == 101);
  CHECK(messages.back() == "too many errors: verification stopped after 100");
}

// The verifier remembers which definition, attributes and types go together.
TEST_CASE("an op like one that was right is checked for its place, and again when it changes") {
  InFunction f;
  Operation* add = f.put("t.add", {f.y, f.y}, {f.i32()});
  f.put("t.only");
  Block& inside = f.put("t.region", {}, {}, 1)->region().addBlock();
  CHECK(f.messages().empty());

  f.add(inside, "t.only");
  CHECK(f.messages() == Messages{"'t.only' op expects parent op 't.func'"});
  inside.back().erase();
  CHECK(f.messages().empty());

  add->setOperand(1, f.x);
  CHECK(f.messages() == Messages{"'t.add' op requires the same type for all operands and results"});
  add->setOperand(1, f.y);
  CHECK(f.messages().empty());
  add->result().setType(f.index());
  CHECK(f.messages() == Messages{"'t.add' op requires the same type for all operands and results"});
}

TEST_CASE("rules about an op alone are asked again when it has changed, and only then") {
  InFunction f;
  Operation* even = f.put("t.even_alone", {f.x, f.x});
  timesAskedAlone = 0;
  CHECK(f.messages().empty());
  even->moveBefore(&f.block.front());
  CHECK(f.messages().empty());
  CHECK(timesAskedAlone == 1);

  Messages odd{"'t.even_alone' op expects an even number of operands"};
  even->setOperands(std::vector<Value>{f.x, f.x, f.x});
  CHECK(f.messages() == odd);
  CHECK(f.messages() == odd);
  even->eraseOperand(0);
  CHECK(f.messages().empty());
  even->eraseOperand(0);
  CHECK(f.messages() == odd);
  even->setOperandGroup(0, std::vector<Value>{f.x, f.x});
  CHECK(f.messages().empty());
}

TEST_CASE("whatever changes a type or an attribute of a right op has it checked again") {
  InFunction f;
  Value z = f.block.addArgument(f.index(), Location());
  Operation* even = f.put("t.even_alone", {f.x, z});
  Operation* attrs = f.put("t.attrs");
  attrs->setAttr("required", f.integer(64, 1));
  CHECK(f.messages().empty());

  z.setType(f.i32());
  Messages noIndex{"'t.even_alone' op operand #1 must be variadic of index, but got 'i32'"};
  CHECK(f.messages() == noIndex);
  z.setType(f.index());
  CHECK(f.messages().empty());
  z.replaceAllUsesWith(f.y);
  CHECK(f.messages() == noIndex);
  f.y.replaceUsesIf(f.x, [](OpOperand&) { return true; });
  CHECK(f.messages().empty());

  attrs->setAttr("required", f.integer(32, 1));
  CHECK(f.messages().size() == 1);
  attrs->setAttr("required", f.integer(64, 2));
  CHECK(f.messages().empty());
  DictionaryAttr good = attrs->attributes();
  attrs->removeAttr("required");
  CHECK(f.messages() == Messages{"'t.attrs' op requires attribute 'required'"});
  attrs->setAttributes(good);
  CHECK(f.messages().empty());
  CHECK(even->verified() == Operation::Verified::Alone);
}

TEST_CASE("a new definition holds for ops that were right before") {
  InFunction f;
  f.put("t.op", {f.x});
  CHECK(f.messages().empty());
  Dialect(f.context, "t", "").op("op");
  CHECK(f.messages() == Messages{"'t.op' op requires zero operands"});
}
