// Options of passes and the registry.
#include "airlite/pass/Pass.hpp"

#include <algorithm>
#include <charconv>

#include "airlite/support/Text.hpp"

namespace airlite {

namespace {

std::string textOf(bool value) { return value ? "true" : "false"; }
std::string textOf(int64_t value) { return std::to_string(value); }
std::string textOf(const std::string& value) { return value; }
template <class T>
std::string textOf(const std::vector<T>& values) {
  std::string out;
  for (const T& value : values) out += (out.empty() ? "" : ",") + textOf(value);
  return out;
}
std::string textOf(const PassOption::Target& target) {
  return std::visit([](auto* field) { return textOf(*field); }, target);
}

std::string assign(bool& field, std::string_view value) {
  if (value != "true" && value != "false" && value != "1" && value != "0" && !value.empty())
    return "expected true or false";
  field = value == "true" || value == "1" || value.empty();
  return "";
}
std::string assign(int64_t& field, std::string_view value) {
  auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), field);
  bool whole = error == std::errc() && end == value.data() + value.size();
  return whole ? "" : "expected an integer";
}
std::string assign(std::string& field, std::string_view value) {
  field = value;
  return "";
}
template <class T>
std::string assign(std::vector<T>& field, std::string_view value) {
  field.clear();
  if (value.empty()) return "";
  for (std::string_view piece : split(value, ',')) {
    std::string error = assign(field.emplace_back(), trim(piece));
    if (!error.empty()) return "expected integers, separated by commas";
  }
  return "";
}

bool needsQuotes(std::string_view text) {
  return text.empty() || text.find_first_of(" ,{}()'\"=") != std::string_view::npos;
}

}  // namespace

void Configurable::option(std::string_view name, PassOption::Target target, std::string_view doc,
                          std::vector<std::string_view> choices) {
  options_.push_back({name, target, doc, textOf(target), std::move(choices)});
}

std::string Configurable::setOption(std::string_view name, std::string_view value) {
  for (PassOption& option : options_) {
    if (option.name != name) continue;
    const auto& choices = option.choices;
    bool known = choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end();
    if (!known) return "unknown choice '" + std::string(value) + "'" + didYouMean(value, choices);
    return std::visit([&](auto* field) { return assign(*field, value); }, option.target);
  }
  std::vector<std::string_view> names;
  for (const PassOption& option : options_) names.push_back(option.name);
  std::string error = std::string(kind_) + " '" + std::string(name_) + "' has no option '" +
                      std::string(name) + "'";
  return error + didYouMean(name, names);
}

bool Configurable::hasOption(std::string_view name) const {
  return std::any_of(options_.begin(), options_.end(),
                     [&](const PassOption& option) { return option.name == name; });
}

std::string Configurable::spelling() const {
  std::string inside;
  for (const PassOption& option : options_) {
    std::string value = textOf(option.target);
    if (value == option.defaultText) continue;
    if (!inside.empty()) inside += ' ';
    inside += std::string(option.name) + "=" + (needsQuotes(value) ? "\"" + value + "\"" : value);
  }
  return inside.empty() ? std::string(name_) : std::string(name_) + "{" + inside + "}";
}

namespace {

template <class Entries>
auto make(const Entries& entries, std::string_view name)
    -> decltype(entries.front().factory()) {
  for (const auto& entry : entries)
    if (entry.name == name) return entry.factory();
  return nullptr;
}

template <class Entries>
std::vector<std::string_view> sortedNames(const Entries& entries) {
  std::vector<std::string_view> names;
  for (const auto& entry : entries) names.push_back(entry.name);
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

void PassRegistry::add(std::function<std::unique_ptr<Pass>()> factory) {
  std::string_view name = factory()->name();  // a literal, it outlives the pass
  passes_.push_back({name, std::move(factory)});
}

void PassRegistry::addRecipe(std::function<std::unique_ptr<Recipe>()> factory) {
  std::string_view name = factory()->name();
  recipes_.push_back({name, std::move(factory)});
}

std::unique_ptr<Pass> PassRegistry::create(std::string_view name) const {
  return make(passes_, name);
}

std::unique_ptr<Recipe> PassRegistry::createRecipe(std::string_view name) const {
  return make(recipes_, name);
}

bool PassRegistry::knows(std::string_view name) const {
  auto isNamed = [&](const auto& entry) { return entry.name == name; };
  return std::any_of(passes_.begin(), passes_.end(), isNamed) ||
         std::any_of(recipes_.begin(), recipes_.end(), isNamed);
}

std::vector<std::string_view> PassRegistry::names() const { return sortedNames(passes_); }

std::vector<std::string_view> PassRegistry::recipeNames() const { return sortedNames(recipes_); }

std::vector<std::string_view> PassRegistry::allNames() const {
  std::vector<std::string_view> all = names(), recipes = recipeNames();
  all.insert(all.end(), recipes.begin(), recipes.end());
  return all;
}

}  // namespace airlite
