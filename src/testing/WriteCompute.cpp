// Computations, in one of several dialects.
#include "WriteState.hpp"

namespace airlite::testing::writing {

namespace {

bool isFloat(const WriteState& writer) { return writer.plan.element[0] == 'f'; }

std::string scalarOp(WriteState& writer, const char* op, const std::string& a,
                     const std::string& b) {
  std::string result = writer.fresh("e");
  writer.line("{} = arith.{}{} {}, {} : {}", result, op, isFloat(writer) ? "f" : "i", a, b,
              writer.plan.element);
  return result;
}

/// Not commutative, so that it matters who comes first.
std::string mixed(WriteState& writer, const std::string& from, const std::string& to,
                  const std::string& number) {
  return scalarOp(writer, "sub", scalarOp(writer, "mul", to, number), from);
}

std::string asElement(WriteState& writer, const std::string& index) {
  std::string integer = isFloat(writer) ? "i32" : writer.plan.element, result = writer.fresh("e");
  writer.line("{} = arith.index_cast {} : index to {}", result, index, integer);
  if (!isFloat(writer)) return result;
  std::string number = writer.fresh("e");
  writer.line("{} = arith.sitofp {} : i32 to {}", number, result, writer.plan.element);
  return number;
}

void elementwise(WriteState& writer, const Stmt& stmt, const char* dialect, const std::string& i,
                 const std::string& j, const std::string& number, const std::string& where) {
  std::string from = writer.fresh("e"), to = writer.fresh("e");
  writer.line("{} = {}.load {}[{}, {}] : {}", from, dialect, name(writer, stmt.from.buffer), i, j,
              typeOf(writer, stmt.from.buffer));
  writer.line("{} = {}.load {}[{}, {}] : {}", to, dialect, name(writer, stmt.to.buffer), i, j,
              typeOf(writer, stmt.to.buffer));
  std::string result = mixed(writer, from, to, number);
  if (!where.empty()) result = scalarOp(writer, "add", result, asElement(writer, where));
  writer.line("{}.store {}, {}[{}, {}] : {}", dialect, result, name(writer, stmt.to.buffer), i, j,
              typeOf(writer, stmt.to.buffer));
}

void generic(WriteState& writer, const Stmt& stmt, const std::string& number) {
  std::string a = writer.fresh("e"), b = writer.fresh("e"),
              map = "affine_map<(d0, d1) -> (d0, d1)>";
  writer.line("linalg.generic {{indexing_maps = [{}, {}], iterator_types = [\"parallel\", "
              "\"parallel\"]}} "
              "ins({} : {}) outs({} : {}) {{",
              map, map, name(writer, stmt.from.buffer), typeOf(writer, stmt.from.buffer),
              name(writer, stmt.to.buffer), typeOf(writer, stmt.to.buffer));
  writer.line("^bb0({}: {}, {}: {}):", a, writer.plan.element, b, writer.plan.element);
  ++writer.indent;
  std::string result = mixed(writer, a, b, number);
  writer.line("linalg.yield {} : {}", result, writer.plan.element);
  --writer.indent;
  writer.line("}}");
}

}  // namespace

void compute(WriteState& writer, const Stmt& stmt) {
  Touch touch{{stmt.from.buffer}, {stmt.to.buffer}};
  const Expr& where = stmt.to.limited;
  std::string number = element(writer, 3), where_ = where.terms.empty() ? "" : value(writer, where);
  std::string rows = constant(writer, stmt.to.height),
              columns = constant(writer, writer.plan.width), zero = constant(writer, 0),
              one = constant(writer, 1);
  perform(writer, touch, [&] {
    if (stmt.flavour == 0 && stmt.from.buffer != stmt.to.buffer)
      return writer.line("memref.copy {}, {} : {} to {}", name(writer, stmt.from.buffer),
                         name(writer, stmt.to.buffer), typeOf(writer, stmt.from.buffer),
                         typeOf(writer, stmt.to.buffer));
    if (stmt.flavour == 1) return generic(writer, stmt, number);
    std::string i = writer.fresh("i"), j = writer.fresh("j");
    bool isAffine = stmt.flavour == 2;
    if (isAffine) {
      writer.line("affine.for {} = 0 to {} {{", i, stmt.to.height);
      writer.line("  affine.for {} = 0 to {} {{", j, writer.plan.width);
    } else {
      writer.line("scf.for {} = {} to {} step {} {{", i, zero, rows, one);
      writer.line("  scf.for {} = {} to {} step {} {{", j, zero, columns, one);
    }
    writer.indent += 2;
    elementwise(writer, stmt, isAffine ? "affine" : "memref", i, j, number, where_);
    writer.indent -= 2;
    writer.line("  }}");
    writer.line("}}");
  });
}

}  // namespace airlite::testing::writing
