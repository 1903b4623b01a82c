// Successors, blocks and regions: what is between the braces of an op.
//
// One class (OpParser): it is the vocabulary in which the syntax of every op is written.
#include "FileMetadata.hpp"
#include "Indexer.hpp"
#include "ParserState.hpp"
#include "airlite/text/OpParser.hpp"

namespace airlite {

using text::ParserState;
using text::Token;
using text::TokenKind;

// -- Successors -------------------------------------------------------------------------------

static Block* blockNamed(ParserState& state, std::string_view name, Location where) {
  auto& blocks = state.blockScopes.back().blocks;
  auto it = blocks.find(name);
  if (it != blocks.end()) return it->second.block;
  Block* block = Block::create(state.context());
  blocks.emplace(name, text::BlockScope::Entry{block, where, false});
  return block;
}

LogicalResult OpParser::parseSuccessor(Block*& block) {
  if (!state_.token().is(TokenKind::Block))
    return emitError() << "expected block name such as '^bb1'";
  block = blockNamed(state_, state_.token().text, location());
  if (state_.indexer) state_.indexer->mention(SourceIndex::NameKind::Block, state_.nameSpan());
  state_.advance();
  return success();
}

LogicalResult OpParser::parseSuccessorWithOperands(Block*& block, std::vector<Value>& operands) {
  if (failed(parseSuccessor(block)) || !parseOptional("(")) {
    return success(block != nullptr);
  }
  std::vector<UnresolvedOperand> names;
  std::vector<Type> types;
  Location where = location();
  if (failed(parseOperandList(names)) || failed(parseColonTypeList(types)) || failed(parse(")")))
    return failure();
  return resolve(names, types, where, operands);
}

// -- Regions ----------------------------------------------------------------------------------

namespace text {

static LogicalResult defineArguments(ParserState& state, Block& block,
                                     std::span<const ParsedArgument> arguments) {
  LogicalResult result = success();
  for (const ParsedArgument& argument : arguments) {
    Value value = block.addArgument(argument.type, argument.location);
    const UnresolvedOperand& name = argument.name;
    if (name.name.empty()) continue;
    if (state.indexer) state.indexer->defineValue(spanOf(name.location, name.name), value, 1);
    result |= state.define(name.name, value, 1, name.location);
  }
  return result;
}

/// `^name(%a: t, ...):` has been reached: the block, inserted at the end of `region`.
static LogicalResult parseBlockHeader(ParserState& state, Region& region, Block*& block) {
  OpParser parser(state);
  Location where = state.location();
  std::string_view name = state.token().text;
  block = blockNamed(state, name, where);
  BlockScope::Entry& entry = state.blockScopes.back().blocks.at(name);
  if (entry.defined)
    return (state.error(where) << "redefinition of block '" << name << "'").note(entry.location)
           << "previously defined here";
  entry.defined = true;
  entry.location = where;
  if (state.indexer) state.indexer->defineBlock(state.nameSpan());
  region.insert(block);
  state.advance();
  std::vector<ParsedArgument> arguments;
  if (failed(parser.parseArgumentList(arguments, Delimiter::OptionalParen, true))) return failure();
  LogicalResult result = defineArguments(state, *block, arguments);
  result |= parser.parse(":");
  return result;
}

/// What an operation can begin with. Other words and signs at the begin of a line continue the
/// operation above: `: memref<4xf32>`, `outs(...)`, `step %c1`.
static bool canStartOperation(ParserState& state) {
  const Token& token = state.token();
  if (token.is(TokenKind::Punctuation)) return token.text == "}" || token.text == "{-#";
  if (!token.is(TokenKind::Word) || token.text.find('.') != std::string_view::npos) return true;
  for (std::string_view dialect : {state.defaultDialects.back(), std::string_view("builtin")})
    if (state.context().findOp(std::string(dialect) + "." + std::string(token.text))) return true;
  return false;
}

/// Moves past the broken operation that starts at `start`: to the first token of a later line
/// outside all brackets that can begin an operation, or to the `}` of the region.
static void skipBrokenOperation(ParserState& state, uint32_t start) {
  state.restartAt(start);
  int depth = 0;
  std::string_view source = state.text();
  uint32_t previousEnd = start;
  for (bool first = true;; first = false) {
    const Token& token = state.token();
    if (token.is(TokenKind::End)) return;
    std::string_view gap = source.substr(previousEnd, token.offset - previousEnd);
    bool newLine = !first && gap.find('\n') != std::string_view::npos;
    bool opens = token.isPunctuation("(") || token.isPunctuation("[") || token.isPunctuation("{");
    bool closes = token.isPunctuation(")") || token.isPunctuation("]") || token.isPunctuation("}");
    if (depth == 0 && closes && token.text == "}") return;
    if (depth == 0 && newLine && !opens && !closes && canStartOperation(state)) return;
    if (opens) ++depth;
    if (closes && depth > 0) --depth;
    previousEnd = token.end();
    state.advance();
  }
}

static bool atRegionEnd(ParserState& state) {
  return state.token().is(TokenKind::End) || state.token().isPunctuation("}");
}

/// A location may name others that are defined later.
static LogicalResult parseAliasedAttribute(ParserState& state, Attribute& attribute) {
  if (!state.token().isWord("loc")) return AttrParser(state).parseAttribute(attribute);
  Location location;
  if (failed(parseLocation(state, true, location))) return failure();
  attribute = LocationAttr::get(state.context(), location);
  return success();
}

static SourceIndex::NameKind aliasKind(const Token& alias) {
  return alias.is(TokenKind::AttrAlias) ? SourceIndex::NameKind::AttrAlias
                                        : SourceIndex::NameKind::TypeAlias;
}

static LogicalResult parseAliasDefinition(ParserState& state) {
  AttrParser parser(state);
  Token alias = state.token();
  Location where = state.location();
  std::string_view name = alias.text.substr(1);
  if (state.indexer) state.indexer->defineAlias(aliasKind(alias), state.nameSpan());
  state.advance();
  if (name.find('.') != std::string_view::npos)
    return state.error(where) << "alias names may not contain a '.'";
  bool known = alias.is(TokenKind::AttrAlias) ? state.attrAliases.contains(name)
                                              : state.typeAliases.contains(name);
  if (known) return state.error(where) << "redefinition of alias '" << alias.text << "'";
  if (failed(parser.parse("="))) return failure();
  if (alias.is(TokenKind::AttrAlias)) {
    Alias<Attribute> attribute;
    state.beginAlias(attribute);
    if (failed(parseAliasedAttribute(state, attribute.value))) return failure();
    state.endAlias(attribute);
    state.attrAliases.emplace(name, attribute);
    return success();
  }
  Alias<Type> type;
  state.beginAlias(type);
  if (failed(parser.parseType(type.value))) return failure();
  state.endAlias(type);
  state.typeAliases.emplace(name, type);
  return success();
}

static LogicalResult parseTopLevelItem(ParserState& state, Block& block, bool isTopLevel) {
  if (isTopLevel && state.token().isPunctuation("{-#")) return parseFileMetadata(state);
  bool alias = state.token().is(TokenKind::AttrAlias) || state.token().is(TokenKind::TypeAlias);
  return isTopLevel && alias ? parseAliasDefinition(state) : parseOperation(state, block);
}

/// Operations up to the next block header or the end of the region.
static LogicalResult parseBlockBody(ParserState& state, Block& block, bool isTopLevel) {
  LogicalResult result = success();
  while (!atRegionEnd(state) && !state.token().is(TokenKind::Block)) {
    uint32_t start = state.token().offset;
    if (succeeded(parseTopLevelItem(state, block, isTopLevel))) continue;
    result = failure();
    if (state.tooManyErrors()) return result;
    skipBrokenOperation(state, start);
    if (state.token().offset == start) return result;
  }
  return result;
}

static LogicalResult checkBlocksDefined(ParserState& state, Region& region) {
  LogicalResult result = success();
  for (auto& [name, entry] : state.blockScopes.back().blocks) {
    if (entry.defined) continue;
    result |= LogicalResult(state.error(entry.location)
                            << "reference to an undefined block '" << name << "'");
    region.insert(entry.block);  // the region destroys it together with its users
  }
  return result;
}

LogicalResult parseRegionBody(ParserState& state, Region& region, Block* entry, bool isTopLevel) {
  LogicalResult result = success();
  if (!entry && !atRegionEnd(state) && !state.token().is(TokenKind::Block))
    entry = &region.addBlock(state.context());
  if (entry) result |= parseBlockBody(state, *entry, isTopLevel);
  while (state.token().is(TokenKind::Block) && !state.tooManyErrors()) {
    Block* block = nullptr;
    uint32_t start = state.token().offset;
    result |= parseBlockHeader(state, region, block);
    if (state.token().offset == start) break;
    if (block && block->parent()) result |= parseBlockBody(state, *block, isTopLevel);
  }
  result |= checkBlocksDefined(state, region);
  return result;
}

static void ensureTerminator(ParserState& state, const OpDef& def, Region& region) {
  if (state.ops.back().generic) return;
  if (region.empty() && def.has(Trait::SingleBlock)) region.addBlock(state.context());
  if (def.implicitTerminator.empty() || region.empty()) return;
  Block& block = region.back();
  if (!block.empty() && block.back().hasTrait(Trait::Terminator)) return;
  OperationState terminator(state.context(), state.ops.back().location, def.implicitTerminator);
  block.append(Operation::create(state.context(), terminator));
}

}  // namespace text

LogicalResult OpParser::parseRegion(Region& region, std::span<const ParsedArgument> arguments) {
  ParserState::Nesting nesting(state_);
  if (failed(nesting.check()) || failed(parse("{"))) return failure();
  const OpDef& def = *state_.ops.back().def;
  bool isolated = def.has(Trait::IsolatedFromAbove);
  isolated ? state_.pushIsolated() : state_.pushNames();
  if (state_.indexer) state_.indexer->beginRegion(isolated, state_.previousEnd());
  state_.blockScopes.emplace_back();
  state_.defaultDialects.push_back(text::defaultDialectOf(def.name()));

  Block* entry = arguments.empty() ? nullptr : &region.addBlock(context());
  LogicalResult result = success();
  if (entry) result |= text::defineArguments(state_, *entry, arguments);
  result |= text::parseRegionBody(state_, region, entry, false);
  bool closed = nextIs("}");
  if (state_.indexer) state_.indexer->endRegion(isolated, state_.token().offset);
  if (!state_.tooManyErrors()) result |= parse("}");

  state_.defaultDialects.pop_back();
  state_.blockScopes.pop_back();
  if (isolated)
    result |= state_.popIsolated(closed && succeeded(result));
  else
    state_.popNames();
  if (succeeded(result)) text::ensureTerminator(state_, def, region);
  return result;
}

bool OpParser::parseOptionalRegion(Region& region, LogicalResult& status,
                                   std::span<const ParsedArgument> arguments) {
  if (!nextIs("{")) return false;
  status = parseRegion(region, arguments);
  return true;
}

}  // namespace airlite
