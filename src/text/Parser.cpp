// Whole inputs.
#include "airlite/text/Parser.hpp"

#include "Indexer.hpp"
#include "ParserState.hpp"
#include "airlite/ir/Resources.hpp"
#include "airlite/ir/Verifier.hpp"
#include "airlite/support/Text.hpp"

#include <algorithm>
#include <optional>

namespace airlite {

using text::ParserState;
using text::TokenKind;

static Operation* makeModule(Context& context, Location location) {
  OperationState state(location, context.opDef("builtin.module"));
  state.addRegion().addBlock(context);
  return Operation::create(context, state);
}

/// A text that is exactly one module stands for itself.
static OwningOp unwrap(OwningOp module) {
  Block& body = module->region().front();
  if (body.empty() || &body.front() != &body.back() || !body.front().is("builtin.module"))
    return module;
  Operation* inner = &body.front();
  inner->removeFromBlock();
  return OwningOp(inner);
}

LogicalResult text::checkInput(Context& context, uint32_t source, size_t maxBytes) {
  std::string_view text = context.sources().text(source);
  size_t limit = std::min<size_t>(maxBytes, UINT32_MAX);  // a location has 32 bits for the offset
  if (text.size() > limit)
    return emitError(context, Location::inSource(source, 0))
           << "input is larger than the limit of " << limit << " bytes";
  size_t bad = 0;
  if (isValidUtf8(text, bad)) return success();
  return emitError(context, Location::inSource(source, static_cast<uint32_t>(bad)))
         << "input is not valid UTF-8";
}

static OwningOp parseModule(ParserState& state, Location start) {
  OwningOp module(makeModule(state.context(), start));
  state.blockScopes.emplace_back();
  Region& region = module->region();
  LogicalResult result = text::parseRegionBody(state, region, &region.front(), true);
  if (!state.token().is(TokenKind::End) && !state.tooManyErrors())
    result = state.error() << "expected an operation, found '" << state.token().text << "'";
  result |= state.popIsolated(succeeded(result));
  if (succeeded(result)) result = state.deferredLocations.resolve(state, *module);
  if (failed(result) || state.errors()) return OwningOp();
  return module;
}

OwningOp parseSource(Context& context, std::string text, std::string name,
                     const ParseOptions& options) {
  uint32_t source = context.sources().add(std::move(name), std::move(text), options.firstLine);
  if (failed(text::checkInput(context, source, options.limits.maxBytes))) return OwningOp();
  Resources::of(context).setExternal({});
  ParserState state(context, source, options.limits);
  std::optional<text::Indexer> indexer;
  if (options.index) state.indexer = &indexer.emplace(*options.index, state.text());
  // The place of the module that no text spells, as MLIR has it.
  OwningOp module = parseModule(state, context.fileLineCol(context.sources().name(source), 0, 0));
  if (indexer) indexer->finish();
  if (!module) return OwningOp();
  module = unwrap(std::move(module));
  if (options.verify && failed(verify(*module))) return OwningOp();
  return module;
}

template <class T, class Parse>
static T parseLone(Context& context, std::string_view text, Parse parse) {
  uint32_t source = context.sources().add("<string>", std::string(text));
  if (failed(text::checkInput(context, source, ParseLimits().maxBytes))) return T();
  ParserState state(context, source, ParseLimits());
  AttrParser parser(state);
  T result;
  if (failed(parse(parser, result))) return T();
  if (state.token().is(TokenKind::End)) return result;
  (void)LogicalResult(state.error() << "expected the end of the text");
  return T();
}

Type parseType(Context& context, std::string_view text) {
  return parseLone<Type>(context, text,
                         [](AttrParser& parser, Type& type) { return parser.parseType(type); });
}

Attribute parseAttribute(Context& context, std::string_view text) {
  return parseLone<Attribute>(context, text, [](AttrParser& parser, Attribute& attribute) {
    return parser.parseAttribute(attribute);
  });
}

}  // namespace airlite
