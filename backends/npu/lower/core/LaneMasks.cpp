// See LaneMasks.hpp.
#include "LaneMasks.hpp"

#include "CoreMemory.hpp"
#include "airlite/dialect/Arith.hpp"
#include "airlite/ir/Rewriter.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace airlite::npu {

namespace {

bool isCondition(Type type) { return type.isInteger(1); }

/// Of lanes of its operands.
bool isComparison(const Operation& op) {
  return op.is("arith.cmpi") && isElement(op.operand(0).type());
}

bool isLogic(const Operation& op) {
  return (op.is("arith.andi") || op.is("arith.ori") || op.is("arith.xori")) &&
         isCondition(op.result().type());
}

bool isExtension(const Operation& op) {
  const bool isSigned = op.is("arith.extsi") || op.is("arith.sitofp");
  return (isSigned || op.is("arith.extui") || op.is("arith.uitofp")) &&
         isCondition(op.operand(0).type()) && isElement(op.result().type());
}

bool isSelection(const Operation& op) {
  return op.is("arith.select") && isElement(op.result().type());
}

bool hasConditions(const Operation& op) {
  return (op.numResults() == 1 && isCondition(op.result().type())) ||
         std::ranges::any_of(op.operandTypes(), isCondition);
}

/// Whether the unit has the use as it is.
bool isMaskUse(const Operation& compare, const OpOperand& use) {
  const Operation& user = *use.owner();
  return isSelection(user) && use.index() == 0 &&
         user.result().type().bitWidth() == compare.operand(0).type().bitWidth();
}

class MaskRewriter {
 public:
  explicit MaskRewriter(scf::ForOp loop) : loop_(loop), rewriter_(loop->context()) {}

  /// False where there is nothing to do, or something that cannot be done.
  bool read() {
    bool isNeeded = false;
    for (Operation& op : loop_.body().ops()) {
      if (!hasConditions(op)) continue;
      if (!isOfConditions(op) || !std::ranges::all_of(op.operands(), [&](Value operand) {
            return !isCondition(operand.type()) || isMadeInside(operand);
          }))
        return false;
      if (isComparison(op))
        for (OpOperand& use : op.result().uses())
          isNeeded |= !isMaskUse(op, use);
      else
        isNeeded |= isLogic(op);
      if (isLogic(op)) logic_.push_back(&op);
      if (isSelection(op) || isExtension(op)) users_.push_back(&op);
    }
    return isNeeded;
  }

  void run() {
    for (Operation* user : users_) {
      rewriter_.setBefore(*user);
      if (isSelection(*user))
        user->setOperand(0, mask(user->operand(0), user->result().type().bitWidth()));
      else
        rewriter_.replaceOp(*user, extended(*user));
    }
    for (size_t i = logic_.size(); i-- > 0;)
      rewriter_.eraseOp(*logic_[i]);
  }

 private:
  bool isMadeInside(Value condition) const {
    const Operation* maker = condition.definingOp();
    return maker && condition.parentBlock() == &loop_.body() &&
           (isComparison(*maker) || isLogic(*maker));
  }

  Value make(std::string_view name, const std::vector<Value>& operands, Type type) {
    const std::vector<NamedAttribute> attributes;
    return rewriter_.create(location_, name, operands, {&type, 1}, attributes)->result();
  }
  /// In front of the loop.
  Value number(int64_t value, unsigned width) {
    const InsertPoint inside = rewriter_.insertPoint();
    rewriter_.setBefore(*loop_.op());
    Value made =
        rewriter_.constant(loop_->location(), IntegerAttr::get(rewriter_.intType(width), value));
    rewriter_.setInsertPoint(inside);
    return made;
  }

  /// Of lanes of which width the condition is found.
  static unsigned widthOf(Value condition) {
    const Operation& maker = *condition.definingOp();
    return isComparison(maker) ? maker.operand(0).type().bitWidth() : widthOf(maker.operand(0));
  }

  /// -1 where the condition holds, else 0; right after what makes it, for all that use it.
  Value flag(Value condition, unsigned width) {
    const auto known = flags_.find({condition, width});
    if (known != flags_.end()) return known->second;
    Operation& maker = *condition.definingOp();
    const unsigned own = widthOf(condition);
    Value made;
    if (width != own) {
      Value from = flag(condition, own);
      setAfter(from);
      made = make(width > own ? "arith.extsi" : "arith.trunci", {from}, rewriter_.intType(width));
    } else if (isComparison(maker)) {
      setAfter(condition);
      Value all = number(-1, own), zero = number(0, own);
      made = make("arith.select", {condition, all, zero}, rewriter_.intType(own));
    } else {
      Value a = flag(maker.operand(0), own), b = flag(maker.operand(1), own);
      setAfter(condition);
      made = make(maker.name(), {a, b}, rewriter_.intType(own));
    }
    flags_[{condition, width}] = made;
    return made;
  }

  void setAfter(Value value) {
    rewriter_.setAfter(*value.definingOp());
    location_ = value.definingOp()->location();
  }

  /// The condition for lanes of a width.
  Value mask(Value condition, unsigned width) {
    if (isComparison(*condition.definingOp()) && widthOf(condition) == width) return condition;
    const auto known = masks_.find({condition, width});
    if (known != masks_.end()) return known->second;
    Value from = flag(condition, width);
    setAfter(from);
    Value zero = number(0, width);
    const NamedAttribute predicate = rewriter_.named(
        "predicate", rewriter_.i64Attr(static_cast<int64_t>(arith::CmpIPredicate::slt)));
    Value made =
        rewriter_
            .create(location_, "arith.cmpi", {from, zero}, {rewriter_.intType(1)}, {predicate})
            ->result();
    masks_[{condition, width}] = made;
    return made;
  }

  Value extended(Operation& op) {
    const Type type = op.result().type();
    const unsigned width = type.isInteger() ? type.bitWidth() : widthOf(op.operand(0));
    Value value = flag(op.operand(0), width);
    rewriter_.setBefore(op);
    location_ = op.location();
    if (op.is("arith.extui") || op.is("arith.uitofp"))
      value = make("arith.andi", {value, number(1, width)}, value.type());
    return type.isInteger() ? value : make("arith.sitofp", {value}, type);
  }

  using Key = std::pair<Value, unsigned>;
  struct Less {
    bool operator()(const Key& a, const Key& b) const {
      return std::pair(a.first.definingOp(), a.second) < std::pair(b.first.definingOp(), b.second);
    }
  };

  scf::ForOp loop_;
  Rewriter rewriter_;
  Location location_ = {};
  std::vector<Operation*> logic_, users_;
  std::map<Key, Value, Less> flags_, masks_;
};

/// Selects elements by a condition that all rounds of a loop have in common: by the bits of both.
///
///   select %c, %a, %b : i16   ->   (%a & %all) | (%b & ~%all), where %all is -1 or 0
class CommonSelections {
 public:
  explicit CommonSelections(scf::ForOp loop) : loop_(loop), rewriter_(loop->context()) {}

  bool rewrite() {
    std::vector<Operation*> found;
    for (Operation& op : loop_.body().ops())
      if (isSelection(op) && op.operand(0).parentBlock() != &loop_.body()) found.push_back(&op);
    for (Operation* op : found)
      replace(*op);
    return !found.empty();
  }

 private:
  Value make(std::string_view name, const std::vector<Value>& operands, Type type) {
    const std::vector<NamedAttribute> attributes;
    return rewriter_.create(location_, name, operands, {&type, 1}, attributes)->result();
  }

  void replace(Operation& op) {
    location_ = op.location();
    const Type type = op.result().type(), bits = rewriter_.intType(type.bitWidth());
    rewriter_.setBefore(*loop_.op());
    Value all = make("arith.extsi", {op.operand(0)}, bits);
    Value ones = rewriter_.constant(location_, IntegerAttr::get(bits, int64_t{-1}));
    Value none = make("arith.xori", {all, ones}, bits);
    rewriter_.setBefore(op);
    const auto bitsOf = [&](Value value) {
      return type == bits ? value : make("arith.bitcast", {value}, bits);
    };
    Value a = make("arith.andi", {bitsOf(op.operand(1)), all}, bits),
          b = make("arith.andi", {bitsOf(op.operand(2)), none}, bits),
          chosen = make("arith.ori", {a, b}, bits);
    rewriter_.replaceOp(op, type == bits ? chosen : make("arith.bitcast", {chosen}, type));
  }

  scf::ForOp loop_;
  Rewriter rewriter_;
  Location location_ = {};
};

}  // namespace

bool selectByBits(scf::ForOp loop) { return CommonSelections(loop).rewrite(); }

bool isOfConditions(const Operation& op) {
  return isComparison(op) || isLogic(op) || isExtension(op) || isSelection(op);
}

bool numbersForMasks(scf::ForOp loop) {
  MaskRewriter rewriter(loop);
  if (!rewriter.read()) return false;
  rewriter.run();
  return true;
}

}  // namespace airlite::npu
