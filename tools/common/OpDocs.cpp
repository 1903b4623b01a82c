// Docs of an op from its definition.
#include "OpDocs.hpp"

#include <string_view>
#include <utility>
#include <vector>

namespace airlite::tools {

namespace {

std::string plain(std::string_view view) { return std::string(view); }

std::string arityMark(Arity arity) {
  if (arity == Arity::Optional) return " (optional)";
  return arity == Arity::Variadic ? " (any number)" : "";
}

void valueLines(std::string& out, std::string_view title, const std::vector<ValueDef>& defs) {
  for (const ValueDef& def : defs)
    out += "- " + plain(title) + " `" + plain(def.name) + "`" + arityMark(def.arity) + ": " +
           plain(def.type->summary) + "\n";
}

void attributeLines(std::string& out, const OpDef& def) {
  for (const AttrDef& attr : def.attributes) {
    out += "- attribute `" + plain(attr.name) + "`: " + plain(attr.constraint->summary);
    if (!attr.defaultText.empty())
      out += ", default `" + plain(attr.defaultText) + "`";
    else if (attr.optional)
      out += ", optional";
    out += "\n";
  }
}

std::string traitNames(const OpDef& def) {
  static constexpr std::pair<Trait, std::string_view> kNames[] = {
      {Trait::Pure, "pure"},
      {Trait::Commutative, "commutative"},
      {Trait::Terminator, "terminator"},
      {Trait::IsolatedFromAbove, "isolated from above"},
      {Trait::SymbolTable, "symbol table"},
      {Trait::Symbol, "symbol"},
      {Trait::ConstantLike, "constant"},
      {Trait::SameOperandsAndResultType, "operands and result have one type"},
      {Trait::Elementwise, "elementwise"},
      {Trait::RecursiveEffects, "effects of what is inside"},
      {Trait::ViewLike, "view"},
      {Trait::AsyncOp, "may be asynchronous"}};
  std::string out;
  for (auto [trait, name] : kNames)
    if (def.has(trait)) out += (out.empty() ? "" : ", ") + plain(name);
  return out;
}

}  // namespace

std::string opDocs(const OpDef& def) {
  std::string out = plain(def.docText) + "\n\n";
  if (!def.formatText.empty())
    out += "Syntax: `` " + plain(def.name()) + " " + plain(def.formatText) + " ``\n\n";
  size_t before = out.size();
  valueLines(out, "operand", def.operands);
  attributeLines(out, def);
  valueLines(out, "result", def.results);
  for (const RegionDef& region : def.regions)
    out += "- region `" + plain(region.name) + "`\n";
  if (std::string traits = traitNames(def); !traits.empty()) out += "- " + traits + "\n";
  if (out.size() != before) out += "\n";
  std::string example = def.exampleOrNone();
  if (!example.empty()) out += "```mlir\n" + plain(example) + "\n```\n\n";
  return out;
}

}  // namespace airlite::tools
