// The dialect aievec: what the vector unit of a core has and vector.* does not.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"

namespace airlite {

namespace {

bool isRow(Type type) {
  auto vector = type.dynCast<VectorType>();
  return vector && vector.rank() == 1 && vector.hasStaticShape();
}
const TypeConstraint kRow = {"vectors of one dimension", isRow};

}  // namespace

void registerAieVec(Context& context) {
  Dialect d(context, "aievec", "Instructions of the vector unit of a core.");
  d.op("shift")
      .doc("The elements of two vectors one after the other, from a place on that is `shift` bytes "
           "after the first: a whole "
           "number of elements, at most one vector.")
      .operand("lhs", kRow)
      .operand("rhs", kRow)
      .operand("shift", types::i32)
      .result("result", kRow)
      .sameType({"lhs", "rhs", "result"})
      .traits(Trait::Pure)
      .format("$lhs `,` $rhs `,` $shift attr-dict `:` type($lhs) `,` type($rhs) `,` type($shift) "
              "`,` type($result)")
      .example("%0 = aievec.shift %a, %b, %s : vector<64xi8>, vector<64xi8>, i32, vector<64xi8>");
}

}  // namespace airlite
