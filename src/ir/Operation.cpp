// Operation: creation, operands, attributes, successors, position.
#include "airlite/ir/Operation.hpp"

#include "ContextImpl.hpp"
#include "OperandGroups.hpp"
#include "PrintHooks.hpp"
#include "Storage.hpp"
#include "airlite/ir/Context.hpp"
#include "airlite/ir/Symbols.hpp"

#include <algorithm>
#include <new>

namespace airlite {

using detail::ValueImpl;

std::vector<Value> OperandRange::vec() const { return std::vector<Value>(begin(), end()); }

// ---------------------------------------------------------------------------------------------
// OperationState
// ---------------------------------------------------------------------------------------------

OperationState::OperationState(Context& context, Location location, std::string_view name)
    : location(location), def(&context.opDef(name)) {}

OperationState::OperationState(Location location, const OpDef& def)
    : location(location), def(&def) {}

void OperationState::addOperands(std::span<const Value> values) {
  operands.insert(operands.end(), values.begin(), values.end());
}

void OperationState::addOperands(OperandRange values) {
  operands.insert(operands.end(), values.begin(), values.end());
}

void OperationState::addTypes(std::span<const Type> types) {
  resultTypes.insert(resultTypes.end(), types.begin(), types.end());
}

void OperationState::restart(Location newLocation, const OpDef& newDef) {
  location = newLocation;
  def = &newDef;
  operands.clear();
  resultTypes.clear();
  attributes.clear();
  regions.clear();
  successors.clear();
}

Region& OperationState::addRegion() {
  return *regions.emplace_back(std::make_unique<Region>(nullptr));
}

void OperationState::setOperandSegments(Context& context, std::span<const int32_t> sizes) {
  addAttribute(context, detail::kOperandSegments, DenseArrayAttr::getI32(context, sizes));
}

// ---------------------------------------------------------------------------------------------
// Life
// ---------------------------------------------------------------------------------------------

namespace {

/// The header's size is counted in these, so that 32 bits are enough for any operation.
constexpr size_t kUnit = alignof(Operation);
static_assert(sizeof(Operation) % kUnit == 0 && sizeof(ValueImpl) % kUnit == 0);
static_assert(sizeof(OpOperand) % kUnit == 0 && sizeof(Region) % kUnit == 0);
static_assert(alignof(ValueImpl) <= kUnit && alignof(OpOperand) <= kUnit);
static_assert(alignof(Region) <= kUnit && sizeof(Block*) % kUnit == 0);

size_t sizeFor(const OperationState& state) {
  return sizeof(Operation) + state.resultTypes.size() * sizeof(ValueImpl) +
         state.operands.size() * sizeof(OpOperand) + state.regions.size() * sizeof(Region) +
         state.successors.size() * sizeof(Block*);
}

}  // namespace

/// Without values all groups are empty: the sizes need not be said, but printers and views ask.
static void completeSegments(Context& context, OperationState& state) {
  auto complete = [&](Trait sized, std::string_view name, size_t values, size_t groups) {
    if (values != 0 || !state.def->has(sized) || state.attributes.get(name)) return;
    state.addAttribute(context, name,
                       DenseArrayAttr::getI32(context, std::vector<int32_t>(groups)));
  };
  complete(Trait::AttrSizedOperandSegments, detail::kOperandSegments, state.operands.size(),
           state.def->operands.size());
  complete(Trait::AttrSizedResultSegments, detail::kResultSegments, state.resultTypes.size(),
           state.def->results.size());
}

Operation* Operation::create(Context& context, OperationState& state) {
  completeSegments(context, state);
  return new (context.allocate(sizeFor(state))) Operation(context, state);
}

Operation::Operation(Context& context, OperationState& state)
    : def_(state.def),
      location_(state.location),
      attributes_(state.attributes.dictionary(context)),
      numResults_(static_cast<uint32_t>(state.resultTypes.size())),
      numRegions_(static_cast<uint32_t>(state.regions.size())),
      numSuccessors_(static_cast<uint32_t>(state.successors.size())),
      allocationSize_(static_cast<uint32_t>(sizeFor(state) / kUnit)),
      verified_(0),
      operands_(*this, reinterpret_cast<OpOperand*>(successors() + numSuccessors_),
                state.operands) {
  for (uint32_t i = 0; i < numResults_; ++i)
    new (results() + i) ValueImpl{state.resultTypes[i], nullptr, i, false};
  for (uint32_t i = 0; i < numRegions_; ++i) {
    Region* region = new (firstRegion() + i) Region(this);
    if (state.regions[i]) region->takeBody(*state.regions[i]);
  }
  std::fill_n(successors(), numSuccessors_, nullptr);
  for (uint32_t i = 0; i < numSuccessors_; ++i)
    setSuccessor(i, state.successors[i]);
}

Operation::~Operation() {
  assert(!block_ && "the operation is still in a block");
  assert(!hasResultUses() && "a result is still used");
  // Another op may come to stand at this address.
  if (hasTrait(Trait::SymbolTable)) context().noteSymbolChange();
  for (unsigned i = 0; i < numResults_; ++i)
    result(i).replaceAllUsesWith(Value());
  operands_.free(context());
  std::destroy_n(firstRegion(), numRegions_);
}

void Operation::erase() {
  removeFromBlock();
  destroy();
}

void Operation::destroy() {
  assert(!block_ && "unlink the operation first");
  dropAllReferences();
  // Post-order without recursion, so that depth costs no stack: what is inside goes first.
  walk([](Operation& op) {
    Context& context = op.context();
    size_t bytes = size_t(op.allocationSize_) * kUnit;
    op.removeFromBlock();
    op.~Operation();
    context.deallocate(&op, bytes);
  });
}

void Operation::dropAllReferences() {
  walk(
      [](Operation& op) {
        for (Region& region : op.regions())
          for (Block& block : region.blocks())
            block.predecessors_.clear();
        for (OpOperand& operand : op.operands_)
          operand.set(Value());
        for (unsigned i = 0; i < op.numSuccessors_; ++i)
          op.setSuccessor(i, nullptr);
      },
      WalkOrder::PreOrder);
}

// ---------------------------------------------------------------------------------------------
// Results
// ---------------------------------------------------------------------------------------------

std::vector<Value> Operation::resultValues() const {
  std::vector<Value> values(numResults_);
  for (unsigned i = 0; i < numResults_; ++i)
    values[i] = result(i);
  return values;
}

std::vector<Type> Operation::resultTypes() const {
  std::vector<Type> types(numResults_);
  for (unsigned i = 0; i < numResults_; ++i)
    types[i] = results()[i].type;
  return types;
}

bool Operation::hasResultUses() const {
  return std::any_of(results(), results() + numResults_,
                     [](const ValueImpl& impl) { return impl.firstUse != nullptr; });
}

void Operation::replaceAllUsesWith(std::span<const Value> values) {
  assert(values.size() == numResults_);
  for (unsigned i = 0; i < numResults_ && i < values.size(); ++i)
    result(i).replaceAllUsesWith(values[i]);
}

// ---------------------------------------------------------------------------------------------
// Operands
// ---------------------------------------------------------------------------------------------

std::vector<Type> Operation::operandTypes() const {
  std::vector<Type> types(numOperands());
  for (unsigned i = 0; i < numOperands(); ++i)
    types[i] = operands_[i].get().type();
  return types;
}

void Operation::setOperands(std::span<const Value> values) {
  setVerified(Verified::Nothing);
  operands_.assign(*this, values);
}

void Operation::eraseOperand(unsigned index) {
  setVerified(Verified::Nothing);
  operands_.erase(index);
}

void Operation::replaceUsesOfWith(Value from, Value to) {
  for (OpOperand& operand : operands_)
    if (operand.get() == from) operand.set(to);
}

Attribute Operation::operandSegments() const {
  auto* dictionary = static_cast<const detail::DictionaryAttrStorage*>(attributes_.storage());
  return dictionary->operandSegments;
}

/// Of all questions that passes ask this is the most frequent one.
std::pair<unsigned, unsigned> Operation::operandGroupBounds(unsigned group) const {
  bool sized = hasTrait(Trait::AttrSizedOperandSegments);
  Attribute segments = sized ? operandSegments() : Attribute();
  return detail::groupBounds(detail::operandGroups(*def_), numOperands(), sized, segments, group);
}

std::pair<unsigned, unsigned> Operation::resultGroupBounds(unsigned group) const {
  bool sized = hasTrait(Trait::AttrSizedResultSegments);
  Attribute segments = sized ? attributes_.get(context().impl().resultSegments) : Attribute();
  return detail::groupBounds(detail::resultGroups(*def_), numResults_, sized, segments, group);
}

OperandRange Operation::operandGroup(unsigned group) const {
  auto [start, size] = operandGroupBounds(group);
  return operands().slice(start, size);
}

OperandRange Operation::operandGroup(std::string_view name) const {
  int group = def_->operandIndex(name);
  assert(group >= 0 && "the definition has no operand group of this name");
  return group < 0 ? OperandRange() : operandGroup(static_cast<unsigned>(group));
}

namespace {

/// operandSegmentSizes of `op` with `size` operands in `group`.
Attribute segmentsWith(const Operation& op, unsigned group, size_t size) {
  std::vector<int32_t> sizes(op.def().operands.size());
  for (unsigned i = 0; i < sizes.size(); ++i)
    sizes[i] = static_cast<int32_t>(i == group ? size : op.operandGroupBounds(i).second);
  return DenseArrayAttr::getI32(op.context(), sizes);
}

/// The operands of `op` with `values` in place of `size` of them from `start` on.
std::vector<Value> operandsWith(const Operation& op, unsigned start, unsigned size,
                                std::span<const Value> values) {
  std::vector<Value> all;
  all.reserve(op.numOperands() - size + values.size());
  for (unsigned i = 0; i < start; ++i)
    all.push_back(op.operand(i));
  all.insert(all.end(), values.begin(), values.end());
  for (unsigned i = start + size; i < op.numOperands(); ++i)
    all.push_back(op.operand(i));
  return all;
}

}  // namespace

void Operation::setOperandGroup(unsigned group, std::span<const Value> values) {
  assert(group < def_->operands.size());
  auto [start, size] = operandGroupBounds(group);
  bool sized = hasTrait(Trait::AttrSizedOperandSegments) && size != values.size();
  Attribute segments = sized ? segmentsWith(*this, group, values.size()) : Attribute();
  setOperands(operandsWith(*this, start, size, values));
  if (sized) setAttr(detail::kOperandSegments, segments);
}

// ---------------------------------------------------------------------------------------------
// Attributes and successors
// ---------------------------------------------------------------------------------------------

void Operation::setAttr(std::string_view name, Attribute value) {
  if (!value) return removeAttr(name);
  if (block_ && name == kSymbolName) block_->noteMembers();
  setVerified(Verified::Nothing);
  attributes_ = attributes_.with(Identifier::get(context(), name), value);
}

void Operation::removeAttr(std::string_view name) {
  if (!hasAttr(name)) return;
  if (block_ && name == kSymbolName) block_->noteMembers();
  setVerified(Verified::Nothing);
  attributes_ = attributes_.without(name);
}

void Operation::setAttributes(DictionaryAttr attributes) {
  if (block_) block_->noteMembers();
  setVerified(Verified::Nothing);
  attributes_ = attributes;
}

void Operation::setSuccessor(unsigned i, Block* block) {
  assert(i < numSuccessors_);
  if (Block* old = successors()[i]) {
    auto& edges = old->predecessors_;
    auto edge = std::find(edges.begin(), edges.end(), this);
    if (edge != edges.end()) edges.erase(edge);
  }
  successors()[i] = block;
  setVerified(Verified::Nothing);
  if (block) block->predecessors_.push_back(this);
}

// ---------------------------------------------------------------------------------------------
// Position
// ---------------------------------------------------------------------------------------------

Operation* Operation::parentOfName(std::string_view opName) const {
  Operation* op = parentOp();
  while (op && !op->is(opName))
    op = op->parentOp();
  return op;
}

bool Operation::isProperAncestor(const Operation* other) const {
  if (!other) return false;
  for (const Operation* op = other->parentOp(); op; op = op->parentOp())
    if (op == this) return true;
  return false;
}

bool Operation::isBeforeInBlock(const Operation* other) const {
  assert(block_ && block_ == other->block_);
  if (!block_->orderValid_) block_->renumber();
  return order_ < other->order_;
}

void Operation::removeFromBlock() {
  if (block_) block_->remove(*this);
}

void Operation::moveTo(Block& block, Operation* before) {
  if (before == this) return;
  removeFromBlock();
  block.insert(this, before);
}

void Operation::moveBefore(Operation* other) {
  if (other != this) moveTo(*other->block_, other);
}

void Operation::moveAfter(Operation* other) {
  if (other != this && other->next_ != this) moveTo(*other->block_, other->next_);
}

// ---------------------------------------------------------------------------------------------
// Diagnostics
// ---------------------------------------------------------------------------------------------

InFlightDiagnostic Operation::emitError() const { return airlite::emitError(context(), location_); }

InFlightDiagnostic Operation::emitOpError() const {
  InFlightDiagnostic diagnostic = emitError();
  diagnostic << "'" << name() << "' op ";
  return diagnostic;
}

InFlightDiagnostic Operation::emitWarning() const {
  return airlite::emitWarning(context(), location_);
}

InFlightDiagnostic Operation::emitRemark() const {
  return airlite::emitRemark(context(), location_);
}

std::string Operation::str() const { return printOperationToString(*this); }

}  // namespace airlite
