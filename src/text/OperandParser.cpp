// Operands, arguments and lists of indices: how an op names values.
#include "Indexer.hpp"
#include "Literals.hpp"
#include "ParserState.hpp"
#include "airlite/text/OpParser.hpp"

namespace airlite {

using text::Token;
using text::TokenKind;

std::string_view OpParser::opName() const { return state_.ops.back().def->name(); }
Location OpParser::opLocation() const { return state_.ops.back().location; }
unsigned OpParser::numWrittenResults() const { return state_.ops.back().writtenResults; }

bool OpParser::nextIsOperand() const { return state_.token().is(TokenKind::Value); }

LogicalResult OpParser::parseOperand(UnresolvedOperand& operand) {
  if (!nextIsOperand())
    return emitError() << "expected SSA operand, found '" << state_.token().text << "'";
  uint32_t end = state_.token().end();
  operand.location = location();
  operand.name = state_.token().text.substr(1);
  operand.number = 0;
  const SourceIndex::Span span = state_.nameSpan();
  state_.advance();
  const Token& token = state_.token();
  bool numbered = token.is(TokenKind::AttrAlias) && token.offset == end && token.text[1] >= '0' &&
                  token.text[1] <= '9';
  if (!numbered) {
    if (state_.indexer) state_.indexer->mention(SourceIndex::NameKind::Value, span);
    return success();
  }
  std::optional<uint64_t> number = text::parseUnsigned(token.text.substr(1));
  if (!number || *number > UINT32_MAX) return emitError() << "expected a result number after '#'";
  operand.number = static_cast<unsigned>(*number);
  if (state_.indexer) state_.indexer->mention(SourceIndex::NameKind::Value, span, operand.number);
  state_.advance();
  return success();
}

bool OpParser::parseOptionalOperand(UnresolvedOperand& operand, LogicalResult& status) {
  if (!nextIsOperand()) return false;
  status = parseOperand(operand);
  return true;
}

LogicalResult OpParser::parseOperandList(std::vector<UnresolvedOperand>& operands,
                                         Delimiter delimiter) {
  if (delimiter == Delimiter::None && !nextIsOperand()) return success();
  operands.reserve(operands.size() + 4);
  return parseList(delimiter, [&] { return parseOperand(operands.emplace_back()); });
}

Type OpParser::typeOf(const UnresolvedOperand& operand) const {
  return state_.typeOfDefined(operand);
}

LogicalResult OpParser::resolve(const UnresolvedOperand& operand, Type type,
                                std::vector<Value>& values) {
  Value value = state_.use(operand, type);
  if (!value) return failure();
  values.push_back(value);
  return success();
}

LogicalResult OpParser::resolve(std::span<const UnresolvedOperand> operands, Type type,
                                std::vector<Value>& values) {
  LogicalResult result = success();
  for (const UnresolvedOperand& operand : operands)
    result |= resolve(operand, type, values);
  return result;
}

LogicalResult OpParser::resolve(std::span<const UnresolvedOperand> operands,
                                std::span<const Type> types, Location where,
                                std::vector<Value>& values) {
  if (operands.size() != types.size())
    return emitError(where) << "number of operands and types do not match: got " << operands.size()
                            << " operands and " << types.size() << " types";
  LogicalResult result = success();
  values.reserve(values.size() + types.size());
  for (size_t i = 0; i < types.size(); ++i)
    result |= resolve(operands[i], types[i], values);
  return result;
}

LogicalResult OpParser::parseArgument(ParsedArgument& argument, bool withType,
                                      bool withAttributes) {
  argument.location = location();
  if (failed(parseOperand(argument.name))) return failure();
  if (argument.name.number)
    return emitError(argument.location) << "expected an argument name without a result number";
  if (withType && failed(parseColonType(argument.type))) return failure();
  if (withAttributes && failed(parseOptionalAttrDict(argument.attributes))) return failure();
  return parseOptionalLocation(argument.location);
}

LogicalResult OpParser::parseArgumentList(std::vector<ParsedArgument>& arguments,
                                          Delimiter delimiter, bool withTypes,
                                          bool withAttributes) {
  if (delimiter == Delimiter::None && !nextIsOperand()) return success();
  return parseList(delimiter, [&] {
    return parseArgument(arguments.emplace_back(), withTypes, withAttributes);
  });
}

LogicalResult OpParser::parseAssignments(std::vector<ParsedArgument>& arguments,
                                         std::vector<UnresolvedOperand>& operands,
                                         Delimiter delimiter) {
  return parseList(delimiter, [&]() -> LogicalResult {
    if (failed(parseArgument(arguments.emplace_back(), false)) || failed(parse("=")))
      return failure();
    return parseOperand(operands.emplace_back());
  });
}

LogicalResult OpParser::parseDynamicIndexList(std::vector<UnresolvedOperand>& operands,
                                              std::vector<int64_t>& statics, Delimiter delimiter) {
  return parseList(delimiter, [&]() -> LogicalResult {
    Location where = location();
    if (nextIsOperand()) {
      statics.push_back(kDynamic);
      return parseOperand(operands.emplace_back());
    }
    if (failed(parseInteger(statics.emplace_back()))) return failure();
    if (statics.back() != kDynamic) return success();
    return emitError(where) << "integer is out of range: it stands for a dynamic entry";
  });
}

}  // namespace airlite
