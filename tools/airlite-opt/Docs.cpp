// Reference pages written from the definitions themselves.
#include "Docs.hpp"

#include "../common/OpDocs.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Context.hpp"

namespace airlite {

namespace {

std::string text(std::string_view view) { return std::string(view); }

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
      if (def->dialect == dialect.name && def->registered)
        out += "### `" + text(def->name()) + "`\n\n" + tools::opDocs(*def);
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
