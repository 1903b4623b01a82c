// Tokens, errors and SSA names of one input.
//
// One class: all parsing functions share all of it, by one reference.
#include "ParserState.hpp"

#include "airlite/support/Text.hpp"

namespace airlite::text {

ParserState::ParserState(Context& context, uint32_t source, const ParseLimits& limits)
    : deferredLocations(context),
      context_(context),
      source_(source),
      limits_(limits),
      lexer_(context.sources().text(source)) {
  pushIsolated();
  token_ = lexer_.next();
}

ParserState::~ParserState() {
  // Uses of placeholders are gone once the caller has destroyed what was parsed with errors.
  for (auto& scope : scopes_)
    for (auto& [name, ref] : scope->forward)
      ref.placeholder->destroy();
  for (Operation* placeholder : poisonedPlaceholders_)
    placeholder->destroy();
  for (auto& [placeholder, value] : resolved_)
    placeholder->destroy();
}

void ParserState::restartAt(uint32_t offset) {
  lexer_.setPosition(offset);
  previousEnd_ = offset;
  token_ = lexer_.next();
}

InFlightDiagnostic ParserState::error(Location where) {
  ++errors_;
  if (token_.is(TokenKind::Error) && where == location()) {
    InFlightDiagnostic diagnostic = emitError(context_, where);
    diagnostic << lexer_.errorMessage();
    // What the parser expected here does not matter: the text is not even a token.
    diagnostic.report();
    InFlightDiagnostic silent(context_, Severity::Error, where);
    silent.abandon();
    return silent;
  }
  return emitError(context_, where);
}

LogicalResult ParserState::Nesting::check() {
  if (state_.nestingFits(state_.depth_)) return success();
  state_.giveUp();
  return state_.error() << "nesting is deeper than the limit of " << state_.limits_.maxNesting;
}

LogicalResult checkName(ParserState& state, Location where, std::string_view name) {
  size_t bad = 0;
  if (isValidUtf8(name, bad)) return success();
  return state.error(where) << "name is not valid UTF-8";
}

LogicalResult ParserState::expand(unsigned depth, uint64_t bytes) {
  noteDepth(depth_ + depth);
  expandedBytes_ += bytes;
  bool tooDeep = depth_ + depth > limits_.maxNesting, tooLarge = expandedBytes_ > limits_.maxBytes;
  if (!tooDeep && !tooLarge) return success();
  giveUp();
  if (tooDeep)
    return error() << "nesting, with aliases written out, is deeper than the limit of "
                   << limits_.maxNesting;
  return error() << "input, with aliases written out, is larger than the limit of "
                 << limits_.maxBytes << " bytes";
}

void ParserState::pushIsolated() {
  pushNames();
  if (spareScopes_.empty()) {
    scopes_.push_back(std::make_unique<IsolatedScope>());
    return;
  }
  scopes_.push_back(std::move(spareScopes_.back()));
  spareScopes_.pop_back();
}

LogicalResult ParserState::popIsolated(bool report) {
  LogicalResult result = success();
  IsolatedScope& top = scope();
  for (auto& [name, ref] : top.forward) {
    poisonedPlaceholders_.push_back(ref.placeholder);
    if (!report) continue;
    size_t hash = name.rfind('#');
    std::string shown = name.substr(hash) == "#0" ? name.substr(0, hash) : name;
    InFlightDiagnostic diagnostic = error(ref.location);
    diagnostic << "use of undeclared SSA value name '%" << shown << "'";
    std::vector<std::string_view> known;
    top.values.forEachKey([&](std::string_view other) { known.push_back(other); });
    diagnostic << didYouMean(shown, known);
    result |= LogicalResult(diagnostic);
  }
  top.forward.clear();
  defined_.resize(definedBefore_.back());
  definedBefore_.pop_back();
  if (scopes_.size() == 1) return result;
  top.values.clear();
  top.poisoned.clear();
  spareScopes_.push_back(std::move(scopes_.back()));
  scopes_.pop_back();
  return result;
}

void ParserState::popNames() {
  size_t before = definedBefore_.back();
  definedBefore_.pop_back();
  for (size_t i = before; i < defined_.size(); ++i)
    scope().values.erase(defined_[i]);
  defined_.resize(before);
}

LogicalResult ParserState::define(std::string_view name, Value first, unsigned count,
                                  Location location) {
  auto [named, inserted] = scope().values.insert(name, NamedValue{first, count, location});
  if (!inserted)
    return (error(location) << "redefinition of SSA value '%" << name << "'").note(named->location)
           << "previously defined here";
  defined_.push_back(name);
  if (!scope().forward.empty()) resolveForward(name, first, count, location);
  return success();
}

static Value valueAt(Value first, unsigned number) {
  if (number == 0) return first;
  return first.definingOp()->result(first.index() + number);
}

void ParserState::resolveForward(std::string_view name, Value first, unsigned count,
                                 Location location) {
  for (unsigned i = 0; i < count; ++i) {
    auto it = scope().forward.find(std::string(name) + '#' + std::to_string(i));
    if (it == scope().forward.end()) continue;
    Operation* placeholder = it->second.placeholder;
    Value value = valueAt(first, i);
    if (placeholder->result().type() != value.type())
      (error(location) << "definition of SSA value '%" << name << "#" << i << "' has type "
                       << value.type())
              .note(it->second.location)
          << "previously used here with type " << placeholder->result().type();
    if (placeholder->result().type() == value.type()) {
      placeholder->result().replaceAllUsesWith(value);
      resolved_.emplace(placeholder, value);
    } else {
      poisonedPlaceholders_.push_back(placeholder);
    }
    scope().forward.erase(it);
  }
}

void ParserState::settleOperands(OperationState& state) const {
  if (resolved_.empty()) return;
  for (Value& operand : state.operands) {
    auto found = operand ? resolved_.find(operand.definingOp()) : resolved_.end();
    if (found != resolved_.end()) operand = found->second;
  }
}

static Operation* makePlaceholder(Context& context, Type type, Location location) {
  OperationState state(location, context.opDef("airlite.forward_reference"));
  state.resultTypes.push_back(type);
  return Operation::create(context, state);
}

Value ParserState::forwardReference(const UnresolvedOperand& operand, Type type) {
  std::string key = std::string(operand.name) + '#' + std::to_string(operand.number);
  auto it = scope().forward.find(key);
  if (it == scope().forward.end()) {
    Operation* placeholder = makePlaceholder(context_, type, operand.location);
    it = scope().forward.emplace(key, ForwardRef{placeholder, operand.location}).first;
  }
  Value value = it->second.placeholder->result();
  if (value.type() == type) return value;
  (error(operand.location) << "use of value '%" << operand.name
                           << "' expects different type than prior uses: " << type << " vs "
                           << value.type())
          .note(it->second.location)
      << "prior use here";
  return Value();
}

Type ParserState::typeOfDefined(const UnresolvedOperand& operand) {
  const NamedValue* named = scope().values.find(operand.name);
  if (!named || operand.number >= named->count) return Type();
  return valueAt(named->first, operand.number).type();
}

Value ParserState::use(const UnresolvedOperand& operand, Type type) {
  const NamedValue* found = scope().values.find(operand.name);
  if (!found) {
    if (!scope().poisoned.contains(operand.name)) return forwardReference(operand, type);
    poisonedPlaceholders_.push_back(makePlaceholder(context_, type, operand.location));
    return poisonedPlaceholders_.back()->result();
  }
  const NamedValue& named = *found;
  if (operand.number >= named.count) {
    (error(operand.location) << "reference to invalid result number").note(named.location)
        << "'%" << operand.name << "' has " << named.count << " results";
    return Value();
  }
  Value value = valueAt(named.first, operand.number);
  if (value.type() == type) return value;
  (error(operand.location) << "use of value '%" << operand.name
                           << "' expects different type than prior uses: " << type << " vs "
                           << value.type())
          .note(named.location)
      << "prior use here";
  return Value();
}

}  // namespace airlite::text
