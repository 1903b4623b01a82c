#include "Lists.hpp"

#include "Options.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/support/Text.hpp"

#include <iostream>

namespace airlite::tools {

static void listLine(const Configurable& entry) {
  std::string_view name = entry.name();
  std::cout << "  --" << name << std::string(name.size() < 34 ? 34 - name.size() : 1, ' ')
            << entry.summary() << "\n";
}

int listPasses(const PassRegistry& registry) {
  for (std::string_view name : registry.names())
    listLine(*registry.create(name));
  std::cout << "\nRecipes, each a list of passes:\n";
  for (std::string_view name : registry.recipeNames())
    listLine(*registry.createRecipe(name));
  return kSuccess;
}

int helpPass(const PassRegistry& registry, const std::string& name) {
  std::unique_ptr<Pass> pass = registry.create(name);
  std::unique_ptr<Recipe> recipe = registry.createRecipe(name);
  if (!pass && !recipe) {
    std::vector<std::string_view> names = registry.allNames();
    return usageError("unknown pass '" + name + "'" + didYouMean(name, names));
  }
  const Configurable& entry = pass ? static_cast<Configurable&>(*pass) : *recipe;
  std::cout << entry.name() << ": " << entry.summary() << "\n";
  if (pass && !pass->anchorName().empty()) std::cout << "runs on: " << pass->anchorName() << "\n";
  if (recipe) std::cout << "stands for: " << recipe->pipeline() << "\n";
  for (const PassOption& option : entry.options())
    std::cout << "  " << option.name << "=" << option.defaultText << "\n      " << option.doc
              << "\n";
  if (!entry.exampleText().empty()) std::cout << "example: " << entry.exampleText() << "\n";
  return kSuccess;
}

int listOps() {
  Context context;
  registerAllDialects(context);
  for (std::string_view name : context.opNames())
    std::cout << name << "\n";
  return kSuccess;
}

}  // namespace airlite::tools
