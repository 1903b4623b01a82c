// `--pass-pipeline` as text.
#include "airlite/pass/Pipeline.hpp"
#include "airlite/support/Text.hpp"

#include <algorithm>
#include <cctype>

namespace airlite {

void Pipeline::add(std::unique_ptr<Pass> pass) {
  std::string_view wanted = pass->anchorName();
  bool here = wanted.empty() || wanted == anchor_ || anchor_ == "any";
  Pipeline& target = here ? *this : nest(std::string(wanted));
  target.elements_.push_back({std::move(pass), nullptr});
}

Pipeline& Pipeline::nest(std::string anchor) {
  // Neighbouring passes with one anchor share a pipeline: each function goes through all of them.
  if (!elements_.empty() && elements_.back().nested && elements_.back().nested->anchor_ == anchor)
    return *elements_.back().nested;
  elements_.push_back({nullptr, std::make_unique<Pipeline>(std::move(anchor))});
  return *elements_.back().nested;
}

std::string Pipeline::str() const {
  std::string out = anchor_ + "(";
  bool first = true;
  for (const Element& element : elements_) {
    if (!first) out += ',';
    first = false;
    out += element.pass ? element.pass->spelling() : element.nested->str();
  }
  return out + ")";
}

namespace {

constexpr unsigned kMaxNesting = 64;

class PipelineReader {
 public:
  PipelineReader(Context& context, const PassRegistry& registry, std::string_view text)
      : context_(context), registry_(registry) {
    source_ = context.sources().add("<pipeline>", std::string(text));
    text_ = context.sources().text(source_);
  }

  bool read(Pipeline& pipeline) {
    // The whole may be wrapped in the anchor of the pipeline itself.
    skipBlanks();
    size_t start = at_;
    std::string_view name = word();
    bool wrapped = (name == "any" || name == pipeline.anchor() || name == "module" ||
                    name == "builtin.module") &&
                   peek() == '(';
    if (wrapped) {
      ++at_;
      if (!list(pipeline, ')')) return false;
      if (!accept(')')) return fail("expected ')'");
    } else {
      at_ = start;
      if (!list(pipeline, '\0')) return false;
    }
    skipBlanks();
    return at_ == text_.size() || fail("expected ',' or the end of the pipeline");
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skipBlanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])))
      ++at_;
  }
  bool accept(char c) {
    skipBlanks();
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }
  std::string_view word() {
    skipBlanks();
    size_t start = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '-' || peek() == '_' ||
           peek() == '.')
      ++at_;
    return text_.substr(start, at_ - start);
  }
  bool failAt(size_t offset, std::string_view message) {
    emitError(context_, Location::inSource(source_, static_cast<uint32_t>(offset))) << message;
    return false;
  }
  bool fail(std::string_view message) { return failAt(at_, message); }

  bool list(Pipeline& pipeline, char close) {
    skipBlanks();
    if (peek() == close) return true;
    if (++depth_ > kMaxNesting) return fail("pipeline is nested too deeply: 64 levels at most");
    do {
      if (!element(pipeline)) return false;
    } while (accept(','));
    --depth_;
    return true;
  }

  bool element(Pipeline& pipeline) {
    skipBlanks();
    size_t start = at_;
    std::string_view name = word();
    if (name.empty()) return fail("expected a pass name");
    skipBlanks();
    if (peek() == '(') return nested(pipeline, start, name);
    if (std::unique_ptr<Recipe> recipe = registry_.createRecipe(name)) {
      if (peek() == '{' && !options(*recipe)) return false;
      return addPasses(context_, registry_, recipe->passes(), pipeline);
    }
    std::unique_ptr<Pass> pass = registry_.create(name);
    if (!pass) {
      std::vector<std::string_view> names = registry_.allNames();
      return failAt(start, "unknown pass '" + std::string(name) + "'" + didYouMean(name, names));
    }
    if (peek() == '{' && !options(*pass)) return false;
    pipeline.add(std::move(pass));
    return true;
  }

  bool nested(Pipeline& pipeline, size_t start, std::string_view name) {
    std::string anchor(name);
    if (anchor == "module") anchor = "builtin.module";
    if (anchor == "func") anchor = "func.func";
    if (anchor != "any" && !context_.findOp(anchor)) {
      std::vector<std::string_view> names = context_.opNames();
      return failAt(start, "unknown op '" + anchor + "' to nest under" + didYouMean(anchor, names));
    }
    ++at_;
    if (!list(pipeline.nest(anchor), ')')) return false;
    return accept(')') || fail("expected ')'");
  }

  bool options(Configurable& owner) {
    ++at_;
    while (!accept('}')) {
      size_t start = at_;
      std::string_view name = word();
      if (name.empty()) return fail("expected an option name or '}'");
      std::string value = accept('=') ? optionValue() : "";
      std::string error = owner.setOption(name, value);
      if (!error.empty())
        return failAt(
            start, owner.hasOption(name) ? "option '" + std::string(name) + "': " + error : error);
    }
    return true;
  }

  /// Up to the next blank or `}` outside quotes and braces.
  std::string optionValue() {
    std::string value;
    int depth = 0;
    while (at_ < text_.size()) {
      char c = peek();
      if (c == '"' || c == '\'') {
        value += quoted(c);
        continue;
      }
      if (depth == 0 && (c == '}' || std::isspace(static_cast<unsigned char>(c)))) break;
      if (c == '{') ++depth;
      if (c == '}') --depth;
      value += c;
      ++at_;
    }
    return value;
  }

  std::string quoted(char quote) {
    size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) end = text_.size();
    std::string inside(text_.substr(at_ + 1, end - at_ - 1));
    at_ = std::min(end + 1, text_.size());
    return inside;
  }

  Context& context_;
  const PassRegistry& registry_;
  uint32_t source_;
  std::string_view text_;
  size_t at_ = 0;
  unsigned depth_ = 0;
};

}  // namespace

bool parsePipeline(Context& context, const PassRegistry& registry, std::string_view text,
                   Pipeline& pipeline) {
  return PipelineReader(context, registry, text).read(pipeline);
}

namespace {

/// Sets what `use` says. False, and reported, when `owner` has no such option.
bool setOptions(Context& context, const PassUse& use, Configurable& owner) {
  for (const auto& [name, value] : use.options)
    if (std::string error = owner.setValue(name, value); !error.empty()) {
      emitError(context, Location())
          << "option '" << name << "' of '" << use.name << "': " << error;
      return false;
    }
  return true;
}

bool addUse(Context& context, const PassRegistry& registry, const PassUse& use,
            Pipeline& pipeline) {
  if (!use.nested.empty()) return addPasses(context, registry, use.nested, pipeline.nest(use.name));
  if (std::unique_ptr<Recipe> recipe = registry.createRecipe(use.name))
    return setOptions(context, use, *recipe) &&
           addPasses(context, registry, recipe->passes(), pipeline);
  std::unique_ptr<Pass> pass = registry.create(use.name);
  if (!pass) {
    emitError(context, Location()) << "unknown pass '" << use.name << "'";
    return false;
  }
  if (!setOptions(context, use, *pass)) return false;
  pipeline.add(std::move(pass));
  return true;
}

}  // namespace

bool addPasses(Context& context, const PassRegistry& registry, const PassList& passes,
               Pipeline& pipeline) {
  return std::all_of(passes.begin(), passes.end(),
                     [&](const PassUse& use) { return addUse(context, registry, use, pipeline); });
}

bool addPassByFlag(Context& context, const PassRegistry& registry, std::string_view name,
                   std::string_view options, Pipeline& pipeline) {
  std::string_view inside = trim(options);
  if (inside.starts_with('{') && inside.ends_with('}'))
    inside = inside.substr(1, inside.size() - 2);
  std::string text(name);
  if (!inside.empty()) text += "{" + std::string(inside) + "}";
  return parsePipeline(context, registry, text, pipeline);
}

std::string reproducerPipeline(std::string_view text) {
  constexpr std::string_view kMark = "// airlite-opt: --pass-pipeline='";
  if (!text.starts_with(kMark)) return "";
  size_t end = text.find("'\n", kMark.size());
  if (end == std::string_view::npos) return "";
  return std::string(text.substr(kMark.size(), end - kMark.size()));
}

}  // namespace airlite
