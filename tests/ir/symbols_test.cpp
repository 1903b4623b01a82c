// Symbols: lookup through nested tables, uses in attributes, maps.
#include "support/catch_all.hpp"
#include "test_dialect.hpp"

using namespace airlite;
using namespace airlite::test;

TEST_CASE("symbols are found upwards and by path") {
  Fixture f;
  OwningOp module = f.module();
  Operation* a = f.func(body(module), "a");
  Operation* inner = f.add(body(module), "t.module", {}, {}, 1);
  inner->setAttr("sym_name", StringAttr::get(f.context, "inner"));
  inner->region().addBlock();
  Operation* b = f.func(body(*inner), "b");
  Operation* user = f.add(body(*b), "t.op");

  CHECK(lookupSymbolIn(*module, "a") == a);
  CHECK(lookupSymbolIn(*module, "b") == nullptr);
  CHECK(lookupSymbolIn(*module, "") == nullptr);
  CHECK(nearestSymbolTable(user) == inner);
  CHECK(lookupSymbol(user, "b") == b);
  CHECK(lookupSymbol(user, "a") == a);
  CHECK(lookupSymbol(user, "none") == nullptr);
  const std::string_view nested[] = {"b"};
  CHECK(lookupSymbol(a, SymbolRefAttr::get(f.context, "inner", nested)) == b);
  CHECK(lookupSymbol(user, SymbolRefAttr::get(f.context, "inner", nested)) == b);
  CHECK(lookupSymbol(a, SymbolRefAttr::get(f.context, "a", nested)) == nullptr);
  CHECK(lookupSymbol(a, SymbolRefAttr()) == nullptr);
  CHECK_FALSE(isPrivateSymbol(*a));
  a->setAttr("sym_visibility", StringAttr::get(f.context, "private"));
  CHECK(isPrivateSymbol(*a));
  CHECK(symbolName(*user).empty());
}

TEST_CASE("symbols are found after any change to a table that has been asked often") {
  Fixture f;
  OwningOp module = f.module(), other = f.module();
  std::vector<Operation*> members;
  for (int i = 0; i < 8; ++i)
    members.push_back(f.func(body(module), "f" + std::to_string(i)));
  auto find = [&](std::string_view name) {
    Operation* found = nullptr;
    for (int i = 0; i < 10; ++i)
      found = lookupSymbolIn(*module, name);  // makes an index
    return found;
  };
  CHECK(find("f3") == members[3]);
  CHECK(find("f9") == nullptr);

  members[3]->setAttr("sym_name", StringAttr::get(f.context, "f9"));
  CHECK(find("f3") == nullptr);
  CHECK(find("f9") == members[3]);
  members[3]->removeAttr("sym_name");
  CHECK(find("f9") == nullptr);
  members[3]->setAttributes(members[4]->attributes());
  CHECK(find("f4") == members[3]);  // the first of two
  members[3]->erase();
  CHECK(find("f4") == members[4]);

  members[5]->removeFromBlock();
  CHECK(find("f5") == nullptr);
  body(other).insert(members[5]);
  CHECK(find("f5") == nullptr);
  CHECK(lookupSymbolIn(*other, "f5") == members[5]);
  body(module).splice(nullptr, body(other), members[5], nullptr);
  CHECK(find("f5") == members[5]);
  CHECK(lookupSymbolIn(*other, "f5") == nullptr);

  // All of the members go, others come, at the same place in memory as likely as not.
  Operation* table = module.get();
  module->region().clear();
  table->region().addBlock();
  CHECK(find("f1") == nullptr);
  Operation* late = f.func(body(module), "f1");
  CHECK(find("f1") == late);
  other->region().takeBody(module->region());
  table->region().addBlock();
  CHECK(find("f1") == nullptr);
  CHECK(lookupSymbolIn(*other, "f1") == late);
}

TEST_CASE("symbol uses are found inside of attributes") {
  Fixture f;
  Operation* op = f.make("t.op");
  auto ref = [&](std::string_view name) -> Attribute {
    return SymbolRefAttr::get(f.context, name);
  };
  Attribute list[] = {ref("x"), UnitAttr::get(f.context), ref("y")};
  Attribute outer[] = {ArrayAttr::get(f.context, list), ref("z")};
  op->setAttr("a", ArrayAttr::get(f.context, outer));
  op->setAttr("b", ref("x"));
  NamedAttrList entries;
  entries.set(Identifier::get(f.context, "k"), ref("w"));
  op->setAttr("c", entries.dictionary(f.context));
  const int64_t shape[] = {4};
  Type memref = MemRefType::get(f.context, shape, f.i32(), Attribute(), ref("m"));
  op->setAttr("d", TypeAttr::get(memref));
  std::string text;
  forEachSymbolUse(*op, [&](SymbolRefAttr use) { text += std::string(use.root()) + " "; });
  CHECK(text == "x y z x w m ");
  op->destroy();
}

TEST_CASE("a symbol map answers and finds free names") {
  Fixture f;
  OwningOp module = f.module();
  Operation* a = f.func(body(module), "a");
  SymbolMap map(*module);
  CHECK(map.find("a") == a);
  CHECK(map.find("b") == nullptr);
  CHECK(map.unusedName("b") == "b");
  CHECK(map.unusedName("a") == "a_0");
  map.add(*f.func(body(module), "a_0"));
  CHECK(map.unusedName("a") == "a_1");
}
