// Turns the text of a declarative format into a FormatNode tree.
#include "FormatImpl.hpp"
#include "Lexer.hpp"
#include "airlite/support/Text.hpp"
#include "airlite/text/Parser.hpp"

#include <deque>
#include <mutex>
#include <stdexcept>

namespace airlite {

namespace {

std::vector<CustomDirective>& directives() {
  static std::vector<CustomDirective> list;
  return list;
}

class FormatCompiler {
 public:
  FormatCompiler(const OpDef& def, CompiledFormat& out)
      : def_(def), out_(out), text_(def.formatText) {}

  void compile() { out_.nodes = sequence(0); }

 private:
  using Kind = FormatNode::Kind;

  [[noreturn]] void fail(const std::string& what) const {
    throw std::logic_error("format of '" + std::string(def_.name()) + "' at offset " +
                           std::to_string(at_) + ": " + what);
  }
  void skipBlanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n'))
      ++at_;
  }
  bool accept(char c) {
    skipBlanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail(std::string("expected '") + c + "'");
  }
  std::string_view word() {
    skipBlanks();
    size_t start = at_;
    while (at_ < text_.size() && (text::isWordChar(text_[at_]) || text_[at_] == '-'))
      ++at_;
    if (start == at_) fail("expected a word");
    return text_.substr(start, at_ - start);
  }

  std::vector<FormatNode> sequence(int depth) {
    std::vector<FormatNode> nodes;
    while (true) {
      skipBlanks();
      if (at_ >= text_.size()) {
        if (depth) fail("unclosed group");
        return nodes;
      }
      if (text_[at_] == ')') return nodes;
      nodes.push_back(element(depth));
    }
  }

  FormatNode element(int depth) {
    FormatNode node = [&] {
      if (accept('`')) return literal();
      if (accept('$')) return variable(word());
      if (accept('(')) return optional(depth);
      return directive(word());
    }();
    if (at_ < text_.size() && text_[at_] == '^') {
      ++at_;
      node.anchor = true;
    }
    return node;
  }

  FormatNode literal() {
    size_t end = text_.find('`', at_);
    if (end == std::string_view::npos) fail("unclosed literal");
    std::string_view inside = text_.substr(at_, end - at_);
    at_ = end + 1;
    if (inside.empty() || inside == " ") return {Kind::Space, inside};
    if (inside == "\\n") return {Kind::Space, "\n"};
    return {Kind::Literal, inside};
  }

  FormatNode variable(std::string_view name) {
    if (int i = def_.operandIndex(name); i >= 0) return {Kind::Operand, name, i};
    for (size_t i = 0; i < def_.attributes.size(); ++i) {
      if (def_.attributes[i].name != name) continue;
      out_.writtenAttributes.push_back(name);
      return {Kind::Attribute, name, static_cast<int>(i)};
    }
    for (size_t i = 0; i < def_.regions.size(); ++i)
      if (def_.regions[i].name == name) return {Kind::Region, name, static_cast<int>(i)};
    for (size_t i = 0; i < def_.successors.size(); ++i)
      if (def_.successors[i].name == name) return {Kind::Successor, name, static_cast<int>(i)};
    fail("unknown name '$" + std::string(name) + "'");
  }

  FormatNode optional(int depth) {
    FormatNode node{Kind::Optional};
    node.children = sequence(depth + 1);
    expect(')');
    if (accept(':')) {
      expect('(');
      node.otherwise = sequence(depth + 1);
      expect(')');
    }
    expect('?');
    return node;
  }

  FormatNode typeOf(std::string_view name) {
    // A group may be called `operands` or `results` itself.
    if (int i = def_.operandIndex(name); i >= 0) return {Kind::OperandType, name, i};
    if (int i = def_.resultIndex(name); i >= 0) return {Kind::ResultType, name, i};
    if (name == "operands") return {Kind::AllOperandTypes};
    if (name == "results") return {Kind::AllResultTypes};
    fail("unknown name in type(...): '" + std::string(name) + "'");
  }

  /// `$x`, `type($x)`, `ref($x)`, `operands`, `results`: the name inside.
  std::string_view argument() {
    if (accept('$')) return word();
    std::string_view name = word();
    if (!accept('(')) return name;
    std::string_view inside = argument();
    expect(')');
    return inside;
  }

  FormatNode custom() {
    FormatNode node{Kind::Custom};
    expect('<');
    node.text = word();
    expect('>');
    expect('(');
    while (!accept(')')) {
      node.arguments.push_back(argument());
      if (def_.findAttr(node.arguments.back()))
        out_.writtenAttributes.push_back(node.arguments.back());
      accept(',');
    }
    return node;
  }

  FormatNode functionalType() {
    FormatNode node{Kind::FunctionalType};
    expect('(');
    node.arguments.push_back(argument());
    expect(',');
    node.arguments.push_back(argument());
    expect(')');
    return node;
  }

  FormatNode directive(std::string_view name) {
    if (name == "attr-dict") return {Kind::AttrDict};
    if (name == "attr-dict-with-keyword") return {Kind::AttrDictWithKeyword};
    if (name == "operands") return {Kind::AllOperands};
    if (name == "regions") return {Kind::AllRegions};
    if (name == "successors") return {Kind::AllSuccessors};
    if (name == "functional-type") return functionalType();
    if (name == "custom") return custom();
    if (name == "type") return typeDirective();
    if (name == "qualified") return qualified();
    fail("unknown directive '" + std::string(name) + "'");
  }

  FormatNode typeDirective() {
    expect('(');
    FormatNode node = typeOf(argument());
    expect(')');
    return node;
  }

  FormatNode qualified() {
    expect('(');
    FormatNode node = element(0);
    expect(')');
    return node;
  }

  const OpDef& def_;
  CompiledFormat& out_;
  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

// Definitions belong to a Context, which one thread uses; formats live as long as the process, so
// the pool is shared and guarded.
const CompiledFormat& compiledFormat(const OpDef& def) {
  if (def.compiledFormat) return *def.compiledFormat;
  static std::mutex mutex;
  static std::deque<CompiledFormat> pool;
  std::lock_guard<std::mutex> lock(mutex);
  CompiledFormat format;
  FormatCompiler(def, format).compile();
  def.compiledFormat = &pool.emplace_back(std::move(format));
  return *def.compiledFormat;
}

Attribute defaultAttribute(Context& context, const AttrDef& def) {
  if (!def.parsedDefault && !def.defaultText.empty())
    def.parsedDefault = parseAttribute(context, def.defaultText);
  return def.parsedDefault;
}

bool isProperty(const AttrDef& def) {
  return !def.defaultText.empty() && def.defaultText != "false";
}

void dropDefaults(Context& context, const OpDef& def, NamedAttrList& attributes) {
  if (attributes.empty()) return;
  for (const AttrDef& attr : def.attributes) {
    Attribute written = isProperty(attr) ? attributes.get(attr.name) : Attribute();
    if (written && written == defaultAttribute(context, attr)) attributes.erase(attr.name);
  }
}

void registerCustomDirective(const CustomDirective& directive) {
  if (!findCustomDirective(directive.name)) directives().push_back(directive);
}

const CustomDirective* findCustomDirective(std::string_view name) {
  for (const CustomDirective& directive : directives())
    if (directive.name == name) return &directive;
  return nullptr;
}

}  // namespace airlite
