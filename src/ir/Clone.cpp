// Deep copies. Nested ops are copied from a work list, not by recursion.
#include "airlite/ir/Context.hpp"
#include "airlite/ir/Operation.hpp"

namespace airlite {

void IRMapping::map(Value from, Value to) { values_[from] = to; }
void IRMapping::map(Block* from, Block* to) { blocks_[from] = to; }

Value IRMapping::lookupOr(Value from) const {
  auto it = values_.find(from);
  return it == values_.end() ? from : it->second;
}

Value IRMapping::lookupOrNull(Value from) const {
  auto it = values_.find(from);
  return it == values_.end() ? Value() : it->second;
}

Block* IRMapping::lookupOr(Block* from) const {
  auto it = blocks_.find(from);
  return it == blocks_.end() ? from : it->second;
}

namespace {

class Cloner {
 public:
  explicit Cloner(IRMapping& mapping) : mapping_(mapping) {}

  Operation* run(const Operation& root) {
    Operation* copy = copyOp(root);
    while (!work_.empty()) {
      auto [from, to] = work_.back();
      work_.pop_back();
      copyRegions(*from, *to);
    }
    resolveLate();
    return copy;
  }

 private:
  /// A use of a value that had no copy yet when the user was copied.
  struct LateUse {
    Operation* user;
    unsigned operand;
  };

  Operation* copyOp(const Operation& from) {
    Operation* to = from.cloneWithoutRegions(mapping_);
    for (unsigned i = 0; i < from.numOperands(); ++i)
      if (!mapping_.lookupOrNull(from.operand(i))) late_.push_back({to, i});
    if (from.numRegions()) work_.push_back({&from, to});
    return to;
  }

  void copyRegions(const Operation& from, Operation& to) {
    for (unsigned i = 0; i < from.numRegions(); ++i)
      copyRegion(from.region(i), to.region(i));
  }

  void copyRegion(const Region& from, Region& to) {
    for (Block& block : from.blocks())
      copyBlock(block, to);
    Block* copy = to.empty() ? nullptr : &to.front();
    for (Block& block : from.blocks()) {
      for (Operation& op : block.ops())
        copy->append(copyOp(op));
      copy = copy->next();
    }
  }

  void copyBlock(Block& from, Region& to) {
    Block& copy = to.addBlock();
    mapping_.map(&from, &copy);
    for (Value argument : from.arguments())
      mapping_.map(argument, copy.addArgument(argument.type(), argument.location()));
  }

  void resolveLate() {
    for (LateUse use : late_) {
      Value copy = mapping_.lookupOrNull(use.user->operand(use.operand));
      if (copy) use.user->setOperand(use.operand, copy);
    }
  }

  IRMapping& mapping_;
  std::vector<std::pair<const Operation*, Operation*>> work_;
  std::vector<LateUse> late_;
};

}  // namespace

Operation* Operation::cloneWithoutRegions(IRMapping& mapping) const {
  OperationState state(location_, *def_);
  state.operands.reserve(numOperands());
  for (Value value : operands())
    state.operands.push_back(mapping.lookupOr(value));
  state.resultTypes = resultTypes();
  for (unsigned i = 0; i < numRegions_; ++i)
    state.addRegion();
  for (unsigned i = 0; i < numSuccessors_; ++i)
    state.successors.push_back(mapping.lookupOr(successor(i)));
  Operation* copy = create(context(), state);
  copy->attributes_ = attributes_;
  for (unsigned i = 0; i < numResults_; ++i)
    mapping.map(result(i), copy->result(i));
  return copy;
}

Operation* Operation::clone(IRMapping& mapping) const { return Cloner(mapping).run(*this); }

Operation* Operation::clone() const {
  IRMapping mapping;
  return clone(mapping);
}

}  // namespace airlite
