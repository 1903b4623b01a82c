// Options of passes and the registry.
#include "airlite/pass/Pass.hpp"

#include "airlite/support/Text.hpp"

#include <algorithm>
#include <charconv>
#include <type_traits>

namespace airlite {

namespace {

std::string textOf(bool value) { return value ? "true" : "false"; }
std::string textOf(int64_t value) { return std::to_string(value); }
std::string textOf(const std::string& value) { return value; }
template <class T> std::string textOf(const std::vector<T>& values) {
  std::string out;
  for (const T& value : values)
    out += (out.empty() ? "" : ",") + textOf(value);
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
template <class T> std::string assign(std::vector<T>& field, std::string_view value) {
  field.clear();
  if (value.empty()) return "";
  for (std::string_view piece : split(value, ',')) {
    std::string error = assign(field.emplace_back(), trim(piece));
    if (!error.empty()) return "expected integers, separated by commas";
  }
  return "";
}

/// From a value of a program, which has a type.
template <class T, class U> std::string assignValue(T& field, const U& value) {
  if constexpr (std::is_same_v<T, U>) {
    field = value;
    return "";
  }
  return "has another type";
}

/// Empty, or why an option with choices does not take this one.
std::string wrongChoice(const PassOption& option, std::string_view value) {
  const auto& choices = option.choices;
  bool known = choices.empty() || std::find(choices.begin(), choices.end(), value) != choices.end();
  return known ? "" : "unknown choice '" + std::string(value) + "'" + didYouMean(value, choices);
}

bool needsQuotes(std::string_view text) {
  return text.empty() || text.find_first_of(" ,{}()'\"=") != std::string_view::npos;
}

}  // namespace

void Configurable::option(std::string_view name, PassOption::Target target, std::string_view doc,
                          std::vector<std::string_view> choices) {
  options_.push_back({name, target, doc, textOf(target), std::move(choices)});
}

PassOption* Configurable::findOption(std::string_view name) {
  auto it = std::find_if(options_.begin(), options_.end(),
                         [&](const PassOption& option) { return option.name == name; });
  return it == options_.end() ? nullptr : &*it;
}

std::string Configurable::setOption(std::string_view name, std::string_view value) {
  PassOption* option = findOption(name);
  if (!option) return unknownOption(name);
  if (std::string error = wrongChoice(*option, value); !error.empty()) return error;
  return std::visit([&](auto* field) { return assign(*field, value); }, option->target);
}

std::string Configurable::setValue(std::string_view name, const PassValue& value) {
  PassOption* option = findOption(name);
  if (!option) return unknownOption(name);
  if (auto* text = std::get_if<std::string>(&value))
    if (std::string error = wrongChoice(*option, *text); !error.empty()) return error;
  return std::visit([](auto* field, const auto& from) { return assignValue(*field, from); },
                    option->target, value);
}

std::string Configurable::unknownOption(std::string_view name) const {
  std::vector<std::string_view> names;
  for (const PassOption& option : options_)
    names.push_back(option.name);
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

/// Up to a blank or the end of the options, the value may be anything.
static std::string optionText(const std::pair<std::string, PassValue>& option) {
  std::string value = std::visit([](const auto& of) { return textOf(of); }, option.second);
  if (value.find_first_of(" {}'\"") != std::string::npos) value = "\"" + value + "\"";
  return option.first + "=" + value;
}

std::string pipelineText(const PassList& passes) {
  std::string text;
  for (const PassUse& use : passes) {
    text += (text.empty() ? "" : ",") + use.name;
    if (!use.nested.empty()) text += "(" + pipelineText(use.nested) + ")";
    std::string options;
    for (const auto& option : use.options)
      options += (options.empty() ? "" : " ") + optionText(option);
    if (!options.empty()) text += "{" + options + "}";
  }
  return text;
}

namespace {

template <class Entries>
auto make(const Entries& entries, std::string_view name) -> decltype(entries.front().factory()) {
  for (const auto& entry : entries)
    if (entry.name == name) return entry.factory();
  return nullptr;
}

template <class Entries> std::vector<std::string_view> sortedNames(const Entries& entries) {
  std::vector<std::string_view> names;
  for (const auto& entry : entries)
    names.push_back(entry.name);
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
