// Reference pages written from the definitions themselves.
#include "Docs.hpp"

#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Context.hpp"

namespace airlite {

namespace {

std::string text(std::string_view view) { return std::string(view); }

std::string arityMark(Arity arity) {
  if (arity == Arity::Optional) return " (optional)";
  return arity == Arity::Variadic ? " (any number)" : "";
}

void values(std::string& out, std::string_view title, const std::vector<ValueDef>& defs) {
  for (const ValueDef& def : defs)
    out += "- " + text(title) + " `" + text(def.name) + "`" + arityMark(def.arity) + ": " +
           text(def.type->summary) + "\n";
}

void attributes(std::string& out, const OpDef& def) {
  for (const AttrDef& attr : def.attributes) {
    out += "- attribute `" + text(attr.name) + "`: " + text(attr.constraint->summary);
    if (!attr.defaultText.empty())
      out += ", default `" + text(attr.defaultText) + "`";
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
    if (def.has(trait)) out += (out.empty() ? "" : ", ") + text(name);
  return out;
}

void operation(std::string& out, const OpDef& def) {
  out += "### `" + text(def.name()) + "`\n\n" + text(def.docText) + "\n\n";
  if (!def.formatText.empty())
    out += "Syntax: `` " + text(def.name()) + " " + text(def.formatText) + " ``\n\n";
  size_t before = out.size();
  values(out, "operand", def.operands);
  attributes(out, def);
  values(out, "result", def.results);
  for (const RegionDef& region : def.regions)
    out += "- region `" + text(region.name) + "`\n";
  if (std::string traits = traitNames(def); !traits.empty()) out += "- " + traits + "\n";
  if (out.size() != before) out += "\n";
  std::string example = def.exampleOrNone();
  if (!example.empty()) out += "```mlir\n" + text(example) + "\n```\n\n";
}

}  // namespace

std::string operationReference() {
  Context context;
  registerAllDialects(context);
  std::string out =
      "# IR reference\n\nWritten by `airlite-opt --dump-op-docs` from the definitions in "
      "src/dialect; do not edit.\n\n";
  for (const DialectInfo& dialect : context.dialects()) {
    out += "## " + text(dialect.name) + "\n\n" + text(dialect.doc) + "\n\n";
    std::string prefix = text(dialect.name) + ".";
    for (const DialectTypeDef* type : context.typeDefs())
      if (type->name.starts_with(prefix))
        out += "- type `!" + text(type->name) + "`: " + text(type->doc) + "\n";
    for (const DialectAttrDef* attr : context.attrDefs())
      if (attr->name.starts_with(prefix))
        out += "- attribute `#" + text(attr->name) + "`: " + text(attr->doc) + "\n";
    out += "\n";
    for (const OpDef* def : context.opDefs())
      if (def->dialect == dialect.name && def->registered) operation(out, *def);
  }
  return out;
}

namespace {

void options(std::string& out, const Configurable& entry) {
  for (const PassOption& option : entry.options())
    out += "- `" + text(option.name) + "=" + option.defaultText + "`: " + text(option.doc) + "\n";
  if (!entry.options().empty()) out += "\n";
  if (!entry.exampleText().empty()) out += "```sh\n" + text(entry.exampleText()) + "\n```\n\n";
}

}  // namespace

std::string passReference(const PassRegistry& registry) {
  std::string out = "# Passes\n\nWritten by `airlite-opt --dump-pass-docs`; do not edit.\n\n";
  for (std::string_view name : registry.names()) {
    std::unique_ptr<Pass> pass = registry.create(name);
    out += "## `" + text(name) + "`\n\n" + text(pass->summary()) + "\n\n";
    if (!pass->anchorName().empty()) out += "Runs on `" + text(pass->anchorName()) + "`.\n\n";
    options(out, *pass);
  }
  out += "# Recipes\n\nA recipe stands for a list of passes, `--help-pass=NAME` shows them.\n\n";
  for (std::string_view name : registry.recipeNames()) {
    std::unique_ptr<Recipe> recipe = registry.createRecipe(name);
    out += "## `" + text(name) + "`\n\n" + text(recipe->summary()) + "\n\n";
    options(out, *recipe);
  }
  return out;
}

}  // namespace airlite
