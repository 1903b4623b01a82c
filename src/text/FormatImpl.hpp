// Declarative formats, compiled: a tree of directives that parsing and printing walk.
#pragma once

#include "airlite/text/Format.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace airlite {

/// One element of a format.
struct FormatNode {
  enum class Kind {
    Literal,      // text
    Space,        // text: what to print, " ", "" or "\n"
    Operand,      // index: operand group
    Attribute,    // index: attribute of the definition
    Region,       // index
    Successor,    // index
    OperandType,  // index
    ResultType,   // index
    AllOperands,
    AllOperandTypes,
    AllResultTypes,
    AllRegions,
    AllSuccessors,
    FunctionalType,  // arguments: two names of type lists
    AttrDict,
    AttrDictWithKeyword,
    Optional,  // children, otherwise; anchor
    Custom,    // text: name; arguments
  };
  Kind kind;
  std::string_view text = {};
  int index = -1;
  bool anchor = false;
  std::vector<FormatNode> children = {};
  std::vector<FormatNode> otherwise = {};
  std::vector<std::string_view> arguments = {};
};

struct CompiledFormat {
  std::vector<FormatNode> nodes;
  /// Attributes that the format writes itself: not in the dictionary.
  std::vector<std::string_view> writtenAttributes;
};

/// The compiled format of `def`, made at the first call. A format that does not compile is a
/// mistake in a definition: throws std::logic_error (tests compile every format).
const CompiledFormat& compiledFormat(const OpDef& def);

const CustomDirective* findCustomDirective(std::string_view name);

/// `<{...}>` of an op that no definition says the properties of: this attribute has them.
inline constexpr std::string_view kUnknownProperties = "<{}>";

/// The value that an absent attribute stands for; null when it has no default.
Attribute defaultAttribute(Context& context, const AttrDef& def);
/// Has a default that is there even when it is not written: MLIR 19 shows it in the generic form.
/// Flags (`nontemporal`) are not like that there.
bool isProperty(const AttrDef& def);
/// Leaves out what is there anyway, so that one program has one form.
void dropDefaults(Context& context, const OpDef& def, NamedAttrList& attributes);

void printWithFormat(OpPrinter& printer, Operation& op);

}  // namespace airlite
