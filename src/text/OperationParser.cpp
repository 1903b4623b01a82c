// One operation as text: results, then the generic or the custom form, then its location.
#include "FormatImpl.hpp"
#include "Indexer.hpp"
#include "ParserState.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/support/Text.hpp"

namespace airlite::text {

std::string_view defaultDialectOf(std::string_view opName) {
  if (opName == "func.func") return "func";
  if (opName == "builtin.module") return "builtin";
  if (opName == "transform.sequence") return "transform";
  return {};
}

bool isOpName(std::string_view name) {
  size_t dot = name.find('.');
  return dot != std::string_view::npos && dot > 0 && dot + 1 < name.size();
}

namespace {

/// Leaves no use of the values in the regions of an op that is given up: what stands before the op
/// may have named one of them.
void dropUsesOfNested(OperationState& state) {
  auto dropArguments = [](Region& region) {
    for (Block& block : region.blocks())
      for (Value argument : block.arguments())
        argument.replaceAllUsesWith(Value());
  };
  auto drop = [&](Operation& op) {
    for (Value result : op.resultValues())
      result.replaceAllUsesWith(Value());
    for (Region& region : op.regions())
      dropArguments(region);
  };
  for (const std::unique_ptr<Region>& region : state.regions) {
    dropArguments(*region);
    region->walk(drop);
  }
}

class OperationReader : public OpParser {
 public:
  OperationReader(ParserState& state, Block& block)
      : OpParser(state),
        block_(block),
        buffers_(state.buffers(state.ops.size())),
        names_(buffers_.names) {
    names_.clear();
  }

  LogicalResult read() {
    LogicalResult result = readWhole();
    if (failed(result))
      for (const ResultName& name : names_)
        giveUp(name);
    return result;
  }

 private:
  void giveUp(const ResultName& name) {
    state_.poison(name.name);
    if (!state_.indexer) return;
    state_.indexer->defineValue(spanOf(name.location, name.name), Value(), name.count);
  }

  LogicalResult readWhole() {
    const uint32_t begin = state_.token().offset;
    if (nextIsOperand() && failed(readResultNames())) return failure();
    Location where = location();
    const SourceIndex::Span written{state_.token().offset, state_.token().end()};
    const OpDef* def = nullptr;
    bool generic = state_.token().is(TokenKind::String);
    if (failed(generic ? readGenericName(def) : readCustomName(def))) return failure();
    ParserState::Nesting nesting(state_);
    if (failed(nesting.check())) return failure();
    state_.ops.push_back({def, where, numNamed_});
    OperationState& op = buffers_.state;
    op.restart(where, *def);
    if (state_.indexer) state_.indexer->beginOp(*def, begin, written);
    LogicalResult result = generic ? parseGenericBody(op) : readCustomBody(op);
    state_.ops.pop_back();
    if (succeeded(result)) result = parseOptionalLocation(op.location);
    std::string_view symbol = state_.indexer ? symbolOf(op) : std::string_view();
    if (succeeded(result)) result = finish(op);
    if (state_.indexer) state_.indexer->endOp(state_.previousEnd(), symbol);
    if (failed(result)) dropUsesOfNested(op);
    if (failed(result)) op.restart(where, *def);  // the regions go before what they use
    return result;
  }

  static std::string_view symbolOf(const OperationState& op) {
    auto name = op.attributes.get(kSymbolName).dynCast<StringAttr>();
    return name ? name.value() : std::string_view();
  }

  LogicalResult readResultName() {
    ResultName result;
    result.location = location();
    if (!nextIsOperand()) return emitError() << "expected a result name such as '%0'";
    result.name = state_.token().text.substr(1);
    state_.advance();
    if (parseOptional(":")) {
      int64_t count = 0;
      Location where = location();
      if (failed(parseInteger(count))) return failure();
      if (count < 1 || count > 1 << 20)
        return emitError(where) << "expected named operation to have at least 1 result";
      result.count = static_cast<unsigned>(count);
    }
    numNamed_ += result.count;
    names_.push_back(result);
    return success();
  }

  LogicalResult readResultNames() {
    if (failed(parseList(Delimiter::None, [&] { return readResultName(); }))) return failure();
    return parse("=");
  }

  LogicalResult unknownOp(std::string_view name) {
    std::vector<std::string_view> known = context().opNames();
    std::string_view dialect = name.substr(0, name.find('.'));
    InFlightDiagnostic diagnostic = emitError();
    if (name.find('.') != std::string_view::npos && !context().hasDialect(dialect))
      diagnostic << "dialect '" << dialect << "' of op '" << name << "' is unknown";
    else
      diagnostic << "custom op '" << name << "' is unknown";
    return diagnostic << didYouMean(name, known);
  }

  LogicalResult readCustomName(const OpDef*& def) {
    if (!state_.token().is(TokenKind::Word))
      return emitError() << "expected an operation, found '" << state_.token().text.substr(0, 40)
                         << "'";
    std::string_view name = state_.token().text;
    def = context().findOp(name);
    if (!def && name.find('.') == std::string_view::npos) def = findInDefaultDialects(name);
    if (!def) return unknownOp(name);
    state_.advance();
    return success();
  }

  const OpDef* findInDefaultDialects(std::string_view name) {
    std::string_view dialect = state_.defaultDialects.back();
    const OpDef* def = nullptr;
    if (!dialect.empty()) def = context().findOp(std::string(dialect) + "." + std::string(name));
    return def ? def : context().findOp("builtin." + std::string(name));
  }

  LogicalResult readGenericName(const OpDef*& def) {
    std::string_view quoted = state_.token().text;
    def = context().findOp(quoted.substr(1, quoted.size() - 2));  // no known name has an escape
    if (def) {
      state_.advance();
      return success();
    }
    std::string name = unescapeString(quoted);
    if (failed(checkName(state_, location(), name))) return failure();
    if (!context().allowUnregistered() || !isOpName(name)) return unknownGenericOp(name);
    def = &context().opDef(name);
    state_.advance();
    return success();
  }

  LogicalResult unknownGenericOp(const std::string& name) {
    std::string dialect = name.substr(0, name.find('.'));
    std::vector<std::string_view> known = context().opNames();
    InFlightDiagnostic diagnostic = emitError();
    diagnostic << "unregistered operation '" << name << "' found in dialect ('" << dialect << "')";
    if (context().hasDialect(dialect)) return diagnostic << didYouMean(name, known);
    return diagnostic << " that does not allow unknown operations; --allow-unregistered keeps it";
  }

  LogicalResult readCustomBody(OperationState& op) {
    if (op.def->parseFn) return op.def->parseFn(*this, op);
    if (!op.def->formatText.empty()) return parseWithFormat(*this, op);
    return emitError(op.location) << "op '" << op.def->name()
                                  << "' has no custom syntax: write it in the generic form, \""
                                  << op.def->name() << "\"(...)";
  }

  LogicalResult finish(OperationState& state) {
    unsigned results = static_cast<unsigned>(state.resultTypes.size());
    if (!names_.empty() && results == 0)
      return emitError(names_[0].location) << "cannot name an operation with no results";
    if (!names_.empty() && results != numNamed_)
      return emitError(names_[0].location)
             << "operation defines " << results << " results but was provided " << numNamed_
             << " to bind";
    state_.settleOperands(state);
    Operation* op = Operation::create(context(), state);
    block_.append(op);
    LogicalResult result = success();
    unsigned next = 0;
    for (const ResultName& name : names_) {
      if (state_.indexer)
        state_.indexer->defineValue(spanOf(name.location, name.name), op->result(next), name.count);
      result |= state_.define(name.name, op->result(next), name.count, name.location);
      next += name.count;
    }
    return result;
  }

  Block& block_;
  OpBuffers& buffers_;
  std::vector<ResultName>& names_;
  unsigned numNamed_ = 0;
};

}  // namespace

LogicalResult parseOperation(ParserState& state, Block& block) {
  return OperationReader(state, block).read();
}

static LogicalResult parseProperties(OpParser& parser, OperationState& op) {
  NamedAttrList unknown;
  NamedAttrList& properties = op.def->registered ? op.attributes : unknown;
  if (failed(parser.parse("<")) || failed(parser.parseAttrDict(properties)) ||
      failed(parser.parse(">")))
    return failure();
  if (!op.def->registered)
    op.addAttribute(parser.context(), kUnknownProperties, unknown.dictionary(parser.context()));
  return success();
}

/// The same dictionary stands at many ops.
static void dropDefaults(ParserState& state, OperationState& op) {
  if (op.attributes.empty() || op.def->attributes.empty()) return;
  DictionaryAttr written = op.attributes.dictionary(state.context());
  ParserState::Undefaulted& known = state.undefaulted[written.storage()];
  if (known.def != op.def) {
    airlite::dropDefaults(state.context(), *op.def, op.attributes);
    known = {op.def, op.attributes.dictionary(state.context())};
  }
  if (known.dictionary != written) op.attributes = known.dictionary;
}

}  // namespace airlite::text

namespace airlite {

LogicalResult OpParser::parseGenericBody(OperationState& op) {
  std::vector<UnresolvedOperand>& operands = state_.buffers(state_.ops.size() - 1).operands;
  operands.clear();
  if (failed(parseOperandList(operands, Delimiter::Paren))) return failure();
  if (nextIs("[")) {
    LogicalResult list =
        parseList(Delimiter::Square, [&] { return parseSuccessor(op.successors.emplace_back()); });
    if (failed(list)) return failure();
  }
  if (nextIs("<") && failed(text::parseProperties(*this, op))) return failure();
  state_.ops.back().generic = true;
  if (nextIs("(")) {
    LogicalResult list = parseList(Delimiter::Paren, [&] { return parseRegion(op.addRegion()); });
    if (failed(list)) return failure();
  }
  if (failed(parseOptionalAttrDict(op.attributes)) || failed(parse(":"))) return failure();
  text::dropDefaults(state_, op);
  Location where = location();
  FunctionType type;
  if (failed(parseFunctionType(type))) return failure();
  op.addTypes(type.results());
  return resolve(operands, type.inputs(), where, op.operands);
}

}  // namespace airlite
