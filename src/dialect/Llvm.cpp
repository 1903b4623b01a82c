// The llvm dialect as AIR programs use it: loads, stores and atomics in GPU kernels, annotations of
// loops, and host code (LlvmHost.cpp). It is no way to write LLVM IR: backends/gpu emits that.
#include "LlvmHost.hpp"
#include "LlvmTypes.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

#include <algorithm>
#include <array>

namespace airlite {

namespace {

// -- Loop annotations -----------------------------------------------------------------------------

/// One field of an annotation: a boolean, an integer, or another annotation (its full name).
struct Field {
  std::string_view name, kind;
};
struct Annotation {
  std::string_view name, doc;
  std::array<Field, 12> fields;  // in the order of text
};

constexpr std::string_view kBool = "bool", kInteger = "integer", kLoop = "llvm.loop_annotation";

constexpr Annotation kAnnotations[] = {
    {kLoop,
     "What a code generator should do with a loop.",
     {{{"disableNonforced", kBool},
       {"vectorize", "llvm.loop_vectorize"},
       {"interleave", "llvm.loop_interleave"},
       {"unroll", "llvm.loop_unroll"},
       {"unrollAndJam", "llvm.loop_unroll_and_jam"},
       {"licm", "llvm.loop_licm"},
       {"distribute", "llvm.loop_distribute"},
       {"pipeline", "llvm.loop_pipeline"},
       {"peeled", "llvm.loop_peeled"},
       {"unswitch", "llvm.loop_unswitch"},
       {"mustProgress", kBool},
       {"isVectorized", kBool}}}},
    {"llvm.loop_vectorize",
     "Vectorization of a loop.",
     {{{"disable", kBool},
       {"predicateEnable", kBool},
       {"scalableEnable", kBool},
       {"width", kInteger},
       {"followupVectorized", kLoop},
       {"followupEpilogue", kLoop},
       {"followupAll", kLoop}}}},
    {"llvm.loop_interleave", "Interleaving of iterations.", {{{"count", kInteger}}}},
    {"llvm.loop_unroll",
     "Unrolling of a loop.",
     {{{"disable", kBool},
       {"count", kInteger},
       {"runtimeDisable", kBool},
       {"full", kBool},
       {"followupUnrolled", kLoop},
       {"followupRemainder", kLoop},
       {"followupAll", kLoop}}}},
    {"llvm.loop_unroll_and_jam",
     "Unrolling of an outer loop.",
     {{{"disable", kBool},
       {"count", kInteger},
       {"followupOuter", kLoop},
       {"followupInner", kLoop},
       {"followupRemainderOuter", kLoop},
       {"followupRemainderInner", kLoop},
       {"followupAll", kLoop}}}},
    {"llvm.loop_licm",
     "Moving of what does not change out of a loop.",
     {{{"disable", kBool}, {"versioningDisable", kBool}}}},
    {"llvm.loop_distribute",
     "Splitting of a loop.",
     {{{"disable", kBool},
       {"followupCoincident", kLoop},
       {"followupSequential", kLoop},
       {"followupFallback", kLoop},
       {"followupAll", kLoop}}}},
    {"llvm.loop_pipeline",
     "Software pipelining.",
     {{{"disable", kBool}, {"initiationinterval", kInteger}}}},
    {"llvm.loop_peeled", "Peeling of iterations.", {{{"count", kInteger}}}},
    {"llvm.loop_unswitch", "Moving of conditions out of a loop.", {{{"partialDisable", kBool}}}},
};

const Annotation* findAnnotation(std::string_view name) {
  for (const Annotation& annotation : kAnnotations)
    if (annotation.name == name) return &annotation;
  return nullptr;
}

const Field* findField(const Annotation& annotation, std::string_view name) {
  for (const Field& field : annotation.fields)
    if (!field.name.empty() && field.name == name) return &field;
  return nullptr;
}

bool fits(Attribute value, std::string_view kind) {
  IntegerAttr number = value.dynCast<IntegerAttr>();
  if (kind == kBool) return number && number.type().isInteger(1);
  if (kind == kInteger) return number && !number.type().isInteger(1);
  DialectAttr nested = value.dynCast<DialectAttr>();
  return nested && nested.name() == kind;
}

LogicalResult parseFields(AttrParser& parser, const Annotation& annotation,
                          std::vector<Attribute>& parameters);

/// A field's value; `<...>` alone is an annotation of the kind that belongs there.
LogicalResult parseValue(AttrParser& parser, const Field& field, Attribute& value) {
  const Annotation* nested = findAnnotation(field.kind);
  Location where = parser.location();
  if (nested && parser.nextIs("<")) {
    std::vector<Attribute> parameters;
    if (failed(parseFields(parser, *nested, parameters))) return failure();
    value = DialectAttr::get(parser.context(), *parser.context().findAttr(field.kind), parameters);
    return success();
  }
  if (failed(parser.parseAttribute(value))) return failure();
  if (fits(value, field.kind)) return success();
  return parser.emitError(where) << "expected " << (nested ? "#" : "") << field.kind << " for '"
                                 << field.name << "', found " << value;
}

LogicalResult parseFields(AttrParser& parser, const Annotation& annotation,
                          std::vector<Attribute>& parameters) {
  NamedAttrList fields;
  LogicalResult list = parser.parseList(Delimiter::Angle, [&]() -> LogicalResult {
    Location where = parser.location();
    std::string name;
    if (failed(parser.parseAnyKeyword(name))) return failure();
    const Field* field = findField(annotation, name);
    if (!field)
      return parser.emitError(where) << "#" << annotation.name << " has no '" << name << "'";
    Identifier key = Identifier::get(parser.context(), name);
    if (fields.get(key)) return parser.emitError(where) << "'" << name << "' is given twice";
    Attribute value;
    if (failed(parser.parse("=")) || failed(parseValue(parser, *field, value))) return failure();
    fields.set(key, value);
    return success();
  });
  if (failed(list)) return failure();
  parameters.push_back(fields.dictionary(parser.context()));
  return success();
}

template <size_t kIndex>
LogicalResult parseAnnotation(AttrParser& parser, std::vector<Attribute>& parameters) {
  return parseFields(parser, kAnnotations[kIndex], parameters);
}

void printAnnotation(AttrPrinter& printer, DialectAttr attribute) {
  DictionaryAttr fields = attribute.parameters()[0].cast<DictionaryAttr>();
  std::string_view separator = "<";
  for (const Field& field : findAnnotation(attribute.name())->fields) {
    Attribute value = field.name.empty() ? Attribute() : fields.get(field.name);
    if (!value) continue;
    printer << separator << field.name << " = " << value;
    separator = ", ";
  }
  printer << (separator == "<" ? "<>" : ">");
}

template <size_t... kIndices> void defineAnnotations(Dialect& d, std::index_sequence<kIndices...>) {
  (d.attr({kAnnotations[kIndices].name,
           kAnnotations[kIndices].doc,
           {},
           parseAnnotation<kIndices>,
           printAnnotation}),
   ...);
}

// -- Enumerations -------------------------------------------------------------------------------

/// Numbered from 0 in the order given; an empty word is not a case.
constexpr std::string_view kOrderings[] = {"not_atomic", "unordered", "monotonic", "",
                                           "acquire",    "release",   "acq_rel",   "seq_cst"};
constexpr std::string_view kBinOps[] = {"xchg", "add",  "sub",  "_and",      "nand",     "_or",
                                        "_xor", "max",  "min",  "umax",      "umin",     "fadd",
                                        "fsub", "fmax", "fmin", "uinc_wrap", "udec_wrap"};

template <size_t kCount>
std::optional<int64_t> numberOf(const std::string_view (&words)[kCount], std::string_view word) {
  for (size_t i = 0; i < kCount; ++i)
    if (!word.empty() && words[i] == word) return static_cast<int64_t>(i);
  return std::nullopt;
}
template <size_t kCount>
bool isNumberOf(const std::string_view (&words)[kCount], Attribute attribute) {
  IntegerAttr number = attribute.dynCast<IntegerAttr>();
  bool inside = number && number.type().isSignlessInteger(64) && number.value() >= 0 &&
                number.value() < static_cast<int64_t>(kCount);
  return inside && !words[number.value()].empty();
}

const AttrConstraint kOrdering{"atomic ordering",
                               [](Attribute a) { return isNumberOf(kOrderings, a); }};
const AttrConstraint kBinOp{"atomic operation", [](Attribute a) { return isNumberOf(kBinOps, a); }};

std::string_view wordOf(Operation& op, std::string_view name) {
  IntegerAttr number = op.attrOf<IntegerAttr>(name);
  if (name == "bin_op") return kBinOps[number.value()];
  return kOrderings[number ? number.value() : 0];
}

template <size_t kCount>
LogicalResult parseWord(OpParser& parser, OperationState& state,
                        const std::string_view (&words)[kCount], std::string_view name) {
  Location where = parser.location();
  std::string word;
  if (failed(parser.parseAnyKeyword(word))) return failure();
  std::optional<int64_t> number = numberOf(words, word);
  if (!number) return parser.emitError(where) << "unknown " << name << " '" << word << "'";
  state.addAttribute(parser.context(), name,
                     IntegerAttr::get(IntegerType::get(parser.context(), 64), *number));
  return success();
}

// -- load, store, atomicrmw ---------------------------------------------------------------------

/// `[syncscope("...")] ordering`.
LogicalResult parseAtomic(OpParser& parser, OperationState& state) {
  if (parser.parseOptionalKeyword("syncscope")) {
    std::string scope;
    if (failed(parser.parse("(")) || failed(parser.parseString(scope)) || failed(parser.parse(")")))
      return failure();
    state.addAttribute(parser.context(), "syncscope", StringAttr::get(parser.context(), scope));
  }
  return parseWord(parser, state, kOrderings, "ordering");
}

void printAtomic(OpPrinter& printer, Operation& op) {
  if (StringAttr scope = op.attrOf<StringAttr>("syncscope")) {
    printer << " syncscope(";
    printer.printString(scope.value());
    printer << ")";
  }
  printer << " " << wordOf(op, "ordering");
}

void parseFlag(OpParser& parser, OperationState& state, std::string_view word,
               std::string_view attribute) {
  if (parser.parseOptionalKeyword(word))
    state.addAttribute(parser.context(), attribute, UnitAttr::get(parser.context()));
}

/// Of both: `[volatile] OPERANDS [atomic [syncscope(...)] ordering] [invariant] attrs`.
LogicalResult parseAccess(OpParser& parser, OperationState& state,
                          std::vector<UnresolvedOperand>& operands) {
  parseFlag(parser, state, "volatile", "volatile_");
  if (failed(parser.parseOperandList(operands))) return failure();
  if (parser.parseOptionalKeyword("atomic") && failed(parseAtomic(parser, state))) return failure();
  if (parser.opName() == "llvm.load") parseFlag(parser, state, "invariant", "invariant");
  return parser.parseOptionalAttrDict(state.attributes);
}

void printAccess(OpPrinter& printer, Operation& op) {
  printer << (op.hasAttr("volatile_") ? " volatile " : " ");
  printer << op.operands();
  if (wordOf(op, "ordering") != "not_atomic") {
    printer << " atomic";
    printAtomic(printer, op);
  }
  if (op.hasAttr("invariant")) printer << " invariant";
  printer.printOptionalAttrDict(op, {"volatile_", "ordering", "syncscope", "invariant"});
  printer << " : ";
}

LogicalResult wrongNumber(OpParser& parser, size_t expected, size_t found) {
  return parser.emitError(parser.opLocation())
         << "expected " << expected << " operands, found " << found;
}

LogicalResult parseLoad(OpParser& parser, OperationState& state) {
  std::vector<UnresolvedOperand> operands;
  Type pointer, result;
  if (failed(parseAccess(parser, state, operands)) || failed(parser.parseColonType(pointer)) ||
      failed(parser.parse("->")) || failed(parser.parseType(result)))
    return failure();
  if (operands.size() != 1) return wrongNumber(parser, 1, operands.size());
  state.resultTypes.push_back(result);
  return parser.resolve(operands[0], pointer, state.operands);
}

void printLoad(OpPrinter& printer, Operation& op) {
  printAccess(printer, op);
  printer << op.operand(0).type() << " -> " << op.result().type();
}

/// `%value, %pointer` of store, `%pointer, %value` of atomicrmw, with their types.
LogicalResult parsePair(OpParser& parser, OperationState& state,
                        std::span<const UnresolvedOperand> operands) {
  Type first, second;
  if (failed(parser.parseColonType(first)) || failed(parser.parse(",")) ||
      failed(parser.parseType(second)))
    return failure();
  if (operands.size() != 2) return wrongNumber(parser, 2, operands.size());
  if (parser.opName() == "llvm.atomicrmw") state.resultTypes.push_back(second);
  return success(succeeded(parser.resolve(operands[0], first, state.operands)) &&
                 succeeded(parser.resolve(operands[1], second, state.operands)));
}

LogicalResult parseStore(OpParser& parser, OperationState& state) {
  std::vector<UnresolvedOperand> operands;
  if (failed(parseAccess(parser, state, operands))) return failure();
  return parsePair(parser, state, operands);
}

void printStore(OpPrinter& printer, Operation& op) {
  printAccess(printer, op);
  printer << op.operand(0).type() << ", " << op.operand(1).type();
}

LogicalResult parseAtomicRmw(OpParser& parser, OperationState& state) {
  parseFlag(parser, state, "volatile", "volatile_");
  std::vector<UnresolvedOperand> operands;
  if (failed(parseWord(parser, state, kBinOps, "bin_op")) ||
      failed(parser.parseOperandList(operands)) || failed(parseAtomic(parser, state)) ||
      failed(parser.parseOptionalAttrDict(state.attributes)))
    return failure();
  return parsePair(parser, state, operands);
}

void printAtomicRmw(OpPrinter& printer, Operation& op) {
  printer << (op.hasAttr("volatile_") ? " volatile " : " ") << wordOf(op, "bin_op") << " ";
  printer << op.operands();
  printAtomic(printer, op);
  printer.printOptionalAttrDict(op, {"volatile_", "bin_op", "ordering", "syncscope"});
  printer << " : " << op.operand(0).type() << ", " << op.operand(1).type();
}

LogicalResult verifyAccess(Operation& op) {
  std::string_view ordering = wordOf(op, "ordering");
  bool atomic = ordering != "not_atomic";
  if (!atomic && op.hasAttr("syncscope"))
    return op.emitOpError() << "expected syncscope to be null for non-atomic access";
  if (!atomic) return success();
  std::string_view wrong = op.is("llvm.load") ? "release" : "acquire";
  if (ordering == wrong || ordering == "acq_rel")
    return op.emitOpError() << "unsupported ordering '" << ordering << "'";
  if (!op.hasAttr("alignment")) return op.emitOpError() << "expected alignment for atomic access";
  return success();
}

LogicalResult verifyAtomicRmw(Operation& op) {
  Type value = op.operand(1).type();
  std::string_view operation = wordOf(op, "bin_op"), ordering = wordOf(op, "ordering");
  if (op.result().type() != value)
    return op.emitOpError() << "expected the result to be of type " << value << ", found "
                            << op.result().type();
  bool isFloat =
      operation == "fadd" || operation == "fsub" || operation == "fmax" || operation == "fmin";
  if (isFloat && !value.isa<FloatType>() && !value.isa<VectorType>())
    return op.emitOpError() << "expected LLVM IR floating point type";
  if (!isFloat && operation != "xchg" && !value.isa<IntegerType>())
    return op.emitOpError() << "expected LLVM IR integer type";
  if (ordering == "not_atomic" || ordering == "unordered")
    return op.emitOpError() << "expected at least 'monotonic' ordering";
  return success();
}

/// An atomic or volatile access orders others too: more than an access to what it points to.
bool accessEffects(Operation& op, std::vector<EffectInstance>& effects) {
  bool isLoad = op.is("llvm.load"), isStore = op.is("llvm.store");
  bool plain =
      (isLoad || isStore) && wordOf(op, "ordering") == "not_atomic" && !op.hasAttr("volatile_");
  Value pointer = op.operand(isStore ? 1 : 0);
  if (isLoad || !plain) effects.push_back({Effect::Read, pointer});
  if (isStore || !plain) effects.push_back({Effect::Write, pointer});
  return true;
}

void defineAccesses(Dialect& d) {
  d.op("load")
      .doc("Reads from where a pointer points; `atomic` with an ordering, or `volatile`.")
      .operand("addr", llvm::pointer)
      .result("res", llvm::sized)
      .optionalAttr("alignment", attrs::i64)
      .optionalAttr("volatile_", attrs::unit)
      .optionalAttr("invariant", attrs::unit)
      .defaultAttr("ordering", kOrdering, "0 : i64")
      .optionalAttr("syncscope", attrs::string)
      .effects(accessEffects)
      .syntax(parseLoad, printLoad)
      .example("%v = llvm.load %p atomic syncscope(\"\") acquire {alignment = 4 : i64} : !llvm.ptr "
               "-> i32")
      .verify(verifyAccess);
  d.op("store")
      .doc("Writes to where a pointer points; `atomic` with an ordering, or `volatile`.")
      .operand("value", llvm::sized)
      .operand("addr", llvm::pointer)
      .optionalAttr("alignment", attrs::i64)
      .optionalAttr("volatile_", attrs::unit)
      .defaultAttr("ordering", kOrdering, "0 : i64")
      .optionalAttr("syncscope", attrs::string)
      .effects(accessEffects)
      .syntax(parseStore, printStore)
      .example("llvm.store %v, %p : i32, !llvm.ptr")
      .verify(verifyAccess);
  d.op("atomicrmw")
      .doc("Reads, combines and writes in one step; gives what was there before.")
      .operand("ptr", llvm::pointer)
      .operand("val", llvm::sized)
      .result("res", llvm::sized)
      .attr("bin_op", kBinOp)
      .attr("ordering", kOrdering)
      .optionalAttr("syncscope", attrs::string)
      .optionalAttr("alignment", attrs::i64)
      .optionalAttr("volatile_", attrs::unit)
      .effects(accessEffects)
      .syntax(parseAtomicRmw, printAtomicRmw)
      .example("%old = llvm.atomicrmw xchg %p, %v syncscope(\"\") release : !llvm.ptr, i32")
      .verify(verifyAtomicRmw);
}

}  // namespace

void registerLlvm(Context& context) {
  Dialect d(context, "llvm",
            "Host code around AIR programs, pointers and atomics of GPU kernels, "
            "annotations of loops.");
  llvm::defineTypes(d);
  llvm::defineSymbols(d);
  llvm::defineValues(d);
  defineAnnotations(d, std::make_index_sequence<std::size(kAnnotations)>());
  defineAccesses(d);
}

}  // namespace airlite
