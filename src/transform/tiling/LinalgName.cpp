// air-linalg-name: gives linalg ops a name that transform scripts can match.
//
// Matches structured linalg ops, on buffers and on tensors. Each gets
// `__internal_linalg_transform__ = "<op><n>"` ("linalg.fill0", "linalg.copy1"), where n counts the
// ops that the pass names in the module, in the order of the program.
//
// Declines, with a remark: an op that has a name keeps it and takes no number.
#include "airlite/dialect/Linalg.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/pass/Pass.hpp"

#include <string>

namespace airlite {

namespace {

constexpr std::string_view kMarker = "__internal_linalg_transform__";

class LinalgName : public Pass {
 public:
  LinalgName() : Pass("air-linalg-name", "Gives linalg ops a name to match them by") {
    anchor("builtin.module");
    example("airlite-opt --air-linalg-name in.mlir");
  }

  PassResult run(Operation& module, PassContext& context) override {
    uint64_t next = 0;
    Builder builder(module.context());
    module.walk([&](Operation& op) {
      if (!linalg::asStructured(&op)) return;
      if (op.attrOf<StringAttr>(kMarker)) return context.remark(op, "it has a name");
      op.setAttr(kMarker, builder.stringAttr(std::string(op.name()) + std::to_string(next++)));
    });
    return changedIf(next > 0);
  }
};

}  // namespace

void registerLinalgName(PassRegistry& registry) { registry.add<LinalgName>(); }

}  // namespace airlite
