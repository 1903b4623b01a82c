// The transform dialect: types of handles, and the ops that move handles and parameters about.
// Programs are read, checked and printed; air-transform runs some of them. Ops that stand for
// rewrites are in TransformStructured, TransformLoops, TransformPatterns and TransformAir.
#include "TransformInternal.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/support/Text.hpp"

#include <algorithm>

namespace airlite {

namespace transform {

// -- Types ---------------------------------------------------------------------------------------

namespace {

constexpr std::string_view kAnyOpName = "transform.any_op";
constexpr std::string_view kOpName = "transform.op";
constexpr std::string_view kAnyValueName = "transform.any_value";
constexpr std::string_view kAnyParamName = "transform.any_param";
constexpr std::string_view kParamName = "transform.param";
constexpr std::string_view kTypeName = "transform.type";
constexpr std::string_view kAffineMapName = "transform.affine_map";

bool isOneOf(Type type, std::initializer_list<std::string_view> names) {
  auto dialectType = type.dynCast<DialectType>();
  return dialectType && std::ranges::find(names, dialectType.name()) != names.end();
}

bool isAnyHandle(Type type) { return isOpHandle(type) || isValueHandle(type); }
bool isParamOrHandle(Type type) { return isOpHandle(type) || isParam(type); }
bool isAnything(Type type) { return isAnyHandle(type) || isParam(type); }
bool isAnyOp(Type type) { return isDialectType(type, kAnyOpName); }
bool isAnyValue(Type type) { return isDialectType(type, kAnyValueName); }

/// Programs write `!transform.any_op<"linalg.fill">`, and MLIR drops what is in the brackets.
LogicalResult parseAnyOp(AttrParser& parser, std::vector<Attribute>&) {
  std::string_view ignored;
  return parser.nextIs("<") ? parser.parseBalancedAngles(ignored) : success();
}
void printNothing(AttrPrinter&, DialectType) {}

LogicalResult parseOpName(AttrParser& parser, std::vector<Attribute>& parameters) {
  std::string name;
  if (failed(parser.parse("<")) || failed(parser.parseString(name))) return failure();
  parameters.push_back(StringAttr::get(parser.context(), name));
  return parser.parse(">");
}
void printOpName(AttrPrinter& printer, DialectType type) {
  printer << "<" << type.parameters()[0] << ">";
}

bool isParamElement(Type type) { return type.isa<IntegerType>() && type.bitWidth() <= 64; }

LogicalResult parseParamType(AttrParser& parser, std::vector<Attribute>& parameters) {
  if (failed(parser.parse("<"))) return failure();
  Location where = parser.location();
  Type type;
  if (failed(parser.parseType(type))) return failure();
  if (!isParamElement(type))
    return parser.emitError(where) << "only supports integer types with width <=64";
  parameters.push_back(TypeAttr::get(type));
  return parser.parse(">");
}
void printParamType(AttrPrinter& printer, DialectType type) {
  printer << "<" << type.parameters()[0].cast<TypeAttr>().value() << ">";
}

void defineTypes(Dialect& d) {
  d.type({kAnyOpName, "A handle to any payload operations.", parseAnyOp, printNothing});
  d.type({kOpName, "A handle to payload operations of the name in the brackets.", parseOpName,
          printOpName});
  d.type({kAnyValueName, "A handle to payload values."});
  d.type({kAnyParamName, "Parameters: any attributes, known when the script runs."});
  d.type({kParamName, "Parameters: integers of the type in the brackets.", parseParamType,
          printParamType});
  d.type({kTypeName, "Parameters: types."});
  d.type({kAffineMapName, "Parameters: affine maps."});
}

}  // namespace

bool isOpHandle(Type type) { return isOneOf(type, {kAnyOpName, kOpName}); }
bool isValueHandle(Type type) { return isAnyValue(type); }
bool isParam(Type type) {
  return isOneOf(type, {kAnyParamName, kParamName, kTypeName, kAffineMapName});
}
bool isSameKind(Type a, Type b) {
  return (isOpHandle(a) && isOpHandle(b)) || (isValueHandle(a) && isValueHandle(b)) ||
         (isParam(a) && isParam(b));
}

Type opHandleType(Context& context, std::string_view opName) {
  Attribute name = StringAttr::get(context, opName);
  return DialectType::get(context, *context.findType(kOpName), std::span(&name, 1));
}
bool isHandleTo(Type type, std::string_view opName) {
  if (!isDialectType(type, kOpName)) return false;
  return type.cast<DialectType>().parameters()[0].cast<StringAttr>().value() == opName;
}

const TypeConstraint kHandle{"TransformHandleTypeInterface instance", isOpHandle};
const TypeConstraint kValueHandle{"TransformValueHandleTypeInterface instance", isValueHandle};
const TypeConstraint kParam{"TransformParamTypeInterface instance", isParam};
const TypeConstraint kAnyHandle{"any transform handle", isAnyHandle};
const TypeConstraint kParamOrHandle{"transform any param type or any handle type", isParamOrHandle};
const TypeConstraint kHandleOrValueOrParam{"any transform handle or parameter", isAnything};
const TypeConstraint kAnyOp{"'!transform.any_op'", isAnyOp, [](Context& context) -> Type {
                              return DialectType::get(context, kAnyOpName);
                            }};
const TypeConstraint kAnyValue{"'!transform.any_value'", isAnyValue, [](Context& context) -> Type {
                                 return DialectType::get(context, kAnyValueName);
                               }};

// -- Defining ops --------------------------------------------------------------------------------

namespace {

OpDef& withEffects(OpDef& def, std::initializer_list<std::string_view> consumed, Effect payload) {
  def.hasEffectInfo = true;
  for (const ValueDef& operand : def.operands) {
    bool freed = std::ranges::find(consumed, operand.name) != consumed.end();
    def.effectDefs.push_back({freed ? Effect::Free : Effect::Read, operand.name});
  }
  for (const ValueDef& result : def.results)
    def.effectDefs.push_back({Effect::Allocate, result.name});
  def.effectDefs.push_back({payload, ""});
  return def.results.size() > 1 ? def.nameResults(nameByDefinition) : def;
}

}  // namespace

OpDef& consuming(OpDef& def, std::initializer_list<std::string_view> consumed) {
  return withEffects(def, consumed, Effect::Write);
}
OpDef& modifying(OpDef& def) { return withEffects(def, {}, Effect::Write); }
OpDef& reading(OpDef& def) { return withEffects(def, {}, Effect::Read); }

void nameByDefinition(Operation& op, FunctionRef<void(Value, std::string_view)> suggest) {
  for (unsigned i = 0; i < op.def().results.size(); ++i) {
    auto [start, size] = op.resultGroupBounds(i);
    if (size != 0) suggest(op.result(start), op.def().results[i].name);
  }
}

// -- Handles -------------------------------------------------------------------------------------

namespace {

void defineNavigation(Dialect& d) {
  reading(d.op("get_parent_op").operand("target", kHandle).result("parent", kHandle))
      .doc("The op around each payload op: the nearest, or the nearest of a name or property.")
      .optionalAttr("op_name", attrs::string)
      .optionalAttr("isolated_from_above", attrs::unit)
      .optionalAttr("allow_empty_results", attrs::unit)
      .optionalAttr("deduplicate", attrs::unit)
      .defaultAttr("nth_parent", attrs::positiveI64, "1 : i64")
      .format(kFunctional)
      .example("%0 = transform.get_parent_op %a {op_name = \"scf.for\"} : (!transform.any_op) -> "
               "!transform.any_op");
  reading(d.op("get_producer_of_operand").operand("target", kHandle).result("producer", kHandle))
      .doc("The op that defines an operand of each payload op.")
      .attr("operand_number", attrs::i64)
      .format("$target `[` $operand_number `]` attr-dict `:` functional-type(operands, results)")
      .example("%0 = transform.get_producer_of_operand %a[0] : (!transform.any_op) -> "
               "!transform.any_op");
  reading(d.op("get_consumers_of_result").operand("target", kHandle).result("consumers", kHandle))
      .doc("The ops that use a result of the payload op.")
      .attr("result_number", attrs::i64)
      .format("$target `[` $result_number `]` attr-dict `:` functional-type(operands, results)")
      .example("%0 = transform.get_consumers_of_result %a[0] : (!transform.any_op) -> "
               "!transform.any_op");
  reading(d.op("get_defining_op").operand("target", kValueHandle).result("result", kHandle))
      .doc("The op that defines each payload value.")
      .format(kFunctional)
      .example("%0 = transform.get_defining_op %v : (!transform.any_value) -> !transform.any_op");
  constexpr OpRow kValues[] = {
      {"get_operand",
       "Operands of each payload op: by number (from the back when negative), all "
       "of them, or all except some.",
       "%0 = transform.get_operand %a[except(0, -1)] : (!transform.any_op) -> "
       "!transform.any_value"},
      {"get_result", "Results of each payload op, chosen like operands.",
       "%0 = transform.get_result %a[all] : (!transform.any_op) -> !transform.any_value"}};
  for (const OpRow& row : kValues)
    reading(d.op(row.name).operand("target", kHandle).result("result", kValueHandle))
        .doc(row.doc)
        .attr("raw_position_list", attrs::denseI64)
        .optionalAttr("is_inverted", attrs::unit)
        .optionalAttr("is_all", attrs::unit)
        .format("$target `[` custom<TransformPositions>($raw_position_list, $is_inverted, "
                "$is_all) `]` attr-dict `:` functional-type(operands, results)")
        .verify(verifyPositions)
        .example(row.example);
  reading(d.op("get_type").operand("value", kValueHandle).result("type_param", kParam))
      .doc("The types of payload values; `elemental`: of their elements.")
      .optionalAttr("elemental", attrs::unit)
      .format("(`elemental` $elemental^)? $value attr-dict `:` functional-type(operands, results)")
      .example("%0 = transform.get_type elemental %v : (!transform.any_value) -> "
               "!transform.type");
}

LogicalResult verifyMergeHandles(Operation& op) {
  if (op.numOperands() != 0) return success();
  return op.emitOpError() << "expected 1 or more operands, but found 0";
}

/// One handle alone is what it was.
LogicalResult foldMergeHandles(Operation& op, std::span<const Attribute>,
                               std::vector<FoldResult>& results) {
  if (op.numOperands() != 1) return failure();
  results.push_back(op.operand(0));
  return success();
}

void defineHandles(Dialect& d) {
  reading(d.op("cast").operand("input", kHandle).result("output", kHandle))
      .doc("The same payload, with a handle of another type.")
      .format("$input attr-dict `:` type($input) `to` type($output)")
      .example("%0 = transform.cast %a : !transform.any_op to !transform.op<\"scf.for\">");
  reading(d.op("merge_handles")
              .variadicOperand("handles", kHandleOrValueOrParam)
              .result("result", kHandleOrValueOrParam))
      .doc("The payloads of several handles, one after the other; `deduplicate`: each once.")
      .optionalAttr("deduplicate", attrs::unit)
      .traits(Trait::SameOperandsAndResultType)
      .format("(`deduplicate` $deduplicate^)? $handles attr-dict `:` type($result)")
      .verify(verifyMergeHandles)
      .fold(foldMergeHandles)
      .example("%0 = transform.merge_handles %a, %b : !transform.any_op");
  reading(d.op("split_handle").operand("handle", kHandle).variadicResult("results", kHandle))
      .doc("One payload op per result. When the numbers differ: more than results is an error "
           "unless `overflow_result` takes the rest, fewer is one unless "
           "`fail_on_payload_too_small` is false, none gives empty results by default.")
      .defaultAttr("pass_through_empty_handle", attrs::boolean, "true")
      .defaultAttr("fail_on_payload_too_small", attrs::boolean, "true")
      .optionalAttr("overflow_result", attrs::i64)
      .format("$handle attr-dict `:` functional-type(operands, results)")
      .verify(verifySplitHandle)
      .example("%0:2 = transform.split_handle %a : (!transform.any_op) -> (!transform.any_op, "
               "!transform.any_op)");
  reading(d.op("replicate")
              .operand("pattern", kHandle)
              .variadicOperand("handles", kHandleOrValueOrParam)
              .variadicResult("replicated", kHandleOrValueOrParam))
      .doc("Repeats the payload of the handles as often as the pattern has payload ops.")
      .format("`num` `(` $pattern `)` $handles attr-dict `:` type($pattern) `,` "
              "custom<TransformSameTypes>(type($handles), type($replicated))")
      .example("%0 = transform.replicate num(%a) %b : !transform.any_op, !transform.any_op");
  reading(d.op("select").operand("target", kHandle).result("result", kHandle))
      .doc("The payload ops of one name.")
      .attr("op_name", attrs::string)
      .format("$op_name `in` $target attr-dict `:` functional-type(operands, results)")
      .example("%0 = transform.select \"scf.for\" in %a : (!transform.any_op) -> "
               "!transform.any_op");
  reading(d.op("num_associations").operand("handle", kHandleOrValueOrParam).result("num", kParam))
      .doc("How many payload objects the handle refers to, as a parameter.")
      .format("$handle attr-dict `:` functional-type(operands, results)")
      .example("%0 = transform.num_associations %a : (!transform.any_op) -> "
               "!transform.param<i64>");
  reading(d.op("param.constant").result("param", kParam))
      .doc("A parameter with a known value.")
      .attr("value", attrs::any)
      .format("$value attr-dict `->` type($param)")
      .example("%0 = transform.param.constant 4 : i64 -> !transform.param<i64>");
}

// -- Ops on whole payload ops --------------------------------------------------------------------

void defineActions(Dialect& d) {
  modifying(d.op("annotate").operand("target", kHandle).optionalOperand("param", kParam))
      .doc("Gives each payload op an attribute: a unit, or the value of the parameter.")
      .attr("name", attrs::string)
      .format("$target $name attr-dict (`=` $param^)? `:` type($target) (`,` type($param)^)?")
      .example("transform.annotate %a \"link_with\" = %p : !transform.any_op, "
               "!transform.param<i64>");
  constexpr OpRow kSimplifiers[] = {
      {"apply_cse", "Removes common subexpressions inside the payload ops.",
       "transform.apply_cse to %a : !transform.any_op"},
      {"apply_dce", "Removes dead operations inside the payload ops.",
       "transform.apply_dce to %a : !transform.any_op"},
      {"apply_licm", "Moves invariant operations out of the payload loops.",
       "transform.apply_licm to %a : !transform.any_op"}};
  for (const OpRow& row : kSimplifiers)
    modifying(d.op(row.name).operand("target", kHandle))
        .doc(row.doc)
        .format("`to` $target attr-dict `:` type($target)")
        .example(row.example);
  consuming(d.op("apply_registered_pass").operand("target", kHandle).result("result", kHandle))
      .doc("Runs a pass on the payload ops.")
      .attr("pass_name", attrs::string)
      .defaultAttr("options", attrs::string, "\"\"")
      .format("$pass_name `to` $target attr-dict `:` functional-type(operands, results)")
      .example("%0 = transform.apply_registered_pass \"canonicalize\" to %a : "
               "(!transform.any_op) -> !transform.any_op");
  reading(d.op("verify").operand("target", kHandle))
      .doc("Verifies the payload ops.")
      .format(kTyped)
      .example("transform.verify %a : !transform.any_op");
  modifying(d.op("print").optionalOperand("target", kHandle))
      .doc("Prints the payload ops, or the whole payload, to stdout.")
      .optionalAttr("name", attrs::string)
      .optionalAttr("assume_verified", attrs::unit)
      .optionalAttr("use_local_scope", attrs::unit)
      .optionalAttr("skip_regions", attrs::unit)
      .format("$target attr-dict (`:` type($target)^)?")
      .example("transform.print %a {name = \"after tiling\"} : !transform.any_op");
  modifying(d.op("debug.emit_remark_at").operand("at", kAnyHandle))
      .doc("Emits a remark at each payload op or value.")
      .attr("message", attrs::string)
      .format("$at `,` $message attr-dict `:` type($at)")
      .example("transform.debug.emit_remark_at %a, \"found\" : !transform.any_op");
  modifying(d.op("debug.emit_param_as_remark")
                .operand("param", kParam)
                .optionalOperand("anchor", kHandle))
      .doc("Emits the value of a parameter as a remark.")
      .optionalAttr("message", attrs::string)
      .format("$param (`,` $message^)? (`at` $anchor^)? attr-dict `:` type($param) "
              "(`,` type($anchor)^)?")
      .example("transform.debug.emit_param_as_remark %p, \"size\" at %a : "
               "!transform.param<i64>, !transform.any_op");
}

constexpr std::array<std::string_view, 6> kComparisons = {"eq", "ne", "lt", "le", "gt", "ge"};
constexpr AttrConstraint kComparison =
    WordAsInteger<kComparisons>::constraint("a comparison, one of: eq, ne, lt, le, gt, ge");

void defineMatchers(Dialect& d) {
  reading(d.op("match.operation_empty").operand("operand_handle", kHandle))
      .doc("Holds when there is no payload op.")
      .format("$operand_handle attr-dict `:` type($operand_handle)")
      .example("transform.match.operation_empty %a : !transform.any_op");
  reading(d.op("match.operation_name").operand("operand_handle", kHandle))
      .doc("Holds when the payload op has one of the names.")
      .attr("op_names", attrs::stringArray)
      .format("$operand_handle $op_names attr-dict `:` type($operand_handle)")
      .example("transform.match.operation_name %a [\"scf.for\", \"scf.forall\"] : "
               "!transform.any_op");
  reading(d.op("match.param.cmpi").operand("param", kParam).operand("reference", kParam))
      .doc("Holds when the integers of both parameters compare so.")
      .attr("predicate", kComparison)
      .traits(Trait::SameTypeOperands)
      .format("$predicate $param `,` $reference attr-dict `:` type($param)")
      .example("transform.match.param.cmpi eq %p, %p : !transform.param<i64>");
}

}  // namespace

}  // namespace transform

void registerTransform(Context& context) {
  Dialect d(context, "transform", "Scripts that say how to transform a program.");
  transform::registerDirectives();
  transform::defineTypes(d);
  transform::defineSequences(d);
  transform::defineNavigation(d);
  transform::defineHandles(d);
  transform::defineActions(d);
  transform::defineMatchers(d);
  transform::defineStructured(d);
  transform::defineLoops(d);
  transform::definePatterns(d);
  transform::defineAir(d);
}

}  // namespace airlite
