// The airrt dialect: definitions, syntax and rules. Rewrites are in AirrtCanonicalize.cpp.
#include "AirrtInternal.hpp"
#include "IndexLists.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/text/Format.hpp"

namespace airlite {

namespace airrt {

Type eventType(Context& context) { return DialectType::get(context, "airrt.event"); }
bool isEventType(Type type) { return isDialectType(type, "airrt.event"); }

std::vector<ListEntry> DmaMemcpyNdOp::list(unsigned group, std::string_view name) const {
  OperandRange values = op_->operandGroup(group);
  std::vector<ListEntry> entries;
  unsigned next = 0;
  for (int64_t constant : op_->attrOf<DenseArrayAttr>(name).values()) {
    bool isValue = constant == kDynamic && next < values.size();
    entries.push_back(isValue ? ListEntry{0, values[next++]} : ListEntry{constant, Value()});
  }
  return entries;
}

namespace {

const TypeConstraint kEvent{"event type", isEventType, eventType};
const AttrConstraint kFourIndices{
    "i64 dense array attribute with exactly 4 elements",
    [](Attribute a) { return attrs::denseI64.accepts(a) && a.cast<DenseArrayAttr>().size() == 4; }};

// -- Lists of dma_memcpy_nd -----------------------------------------------------------------------

LogicalResult verifyList(Operation& op, std::string_view name) {
  unsigned dynamic = 0;
  for (int64_t entry : op.attrOf<DenseArrayAttr>("static_" + std::string(name)).values()) {
    dynamic += entry == kDynamic;
    if (name == "lengths" && entry < 0 && entry != kDynamic)
      return op.emitOpError() << "lengths must not be negative, found " << entry;
  }
  unsigned given = op.operandGroup(name).size();
  if (given == dynamic) return success();
  return op.emitOpError() << "expected " << dynamic << " dynamic " << name << " values, found "
                          << given;
}

LogicalResult verifyDma(Operation& op) {
  for (std::string_view name : {"offsets", "lengths", "strides"})
    if (failed(verifyList(op, name))) return failure();
  Attribute metadata = op.attr("metadata");
  if (!metadata || metadata.isa<SymbolRefAttr>()) return success();
  return op.emitOpError() << "metadata must be a symbol reference, found " << metadata;
}

LogicalResult verifyMemcpy(Operation& op) {
  MemcpyNdOp copy(&op);
  Type dst = copy.dst().type().cast<ShapedType>().elementType();
  Type src = copy.src().type().cast<ShapedType>().elementType();
  if (dst == src) return success();
  return op.emitOpError() << "copies elements of type " << src << " to elements of type " << dst;
}

// -- Metadata -------------------------------------------------------------------------------------

LogicalResult parseMetadata(OpParser& parser, OperationState& state) {
  if (failed(parser.parseOptionalAttrDictWithKeyword(state.attributes))) return failure();
  return parser.parseRegion(state.addRegion());
}

void printMetadata(OpPrinter& printer, Operation& op) {
  printer.printOptionalAttrDictWithKeyword(op, {});
  Operation* terminator = op.region().front().terminator();
  bool plain = terminator && terminator->attributes().empty();
  printer.printRegion(op.region(), false, !plain);
}

LogicalResult verifyBodyHas(Operation& op, std::string_view member) {
  if (op.region().empty()) return op.emitOpError() << "expects a body";
  for (Operation& inner : op.region().front().ops())
    if (!inner.is(member) && !inner.hasTrait(Trait::Terminator))
      return (inner.emitOpError() << "cannot stand in " << op.name() << ", which holds " << member)
                 .note(op.location())
             << "the metadata begins here";
  return success();
}
LogicalResult verifyModuleMetadata(Operation& op) {
  return verifyBodyHas(op, "airrt.segment_metadata");
}
LogicalResult verifySegmentMetadata(Operation& op) {
  return verifyBodyHas(op, "airrt.herd_metadata");
}

void metadataTerminator(Dialect& d, std::string_view mnemonic, std::string_view parent,
                        std::string_view example) {
  d.op(mnemonic)
      .doc("Ends a metadata region; not written in text.")
      .traits(Trait::Terminator | Trait::Pure)
      .parent({parent})
      .effects({})
      .format("attr-dict")
      .example(example);
}

void addMetadata(Dialect& d) {
  d.op<ModuleMetadataOp>("module_metadata")
      .doc("What the host has to know about the segments of a module. One per module.")
      .region("segments")
      .terminatedBy("airrt.module_metadata_terminator")
      .effects({})
      .syntax(parseMetadata, printMetadata)
      .example("airrt.module_metadata {\n  airrt.segment_metadata attributes {sym_name = \"s\"} {\n"
               "    airrt.herd_metadata {size_x = 1 : i64, sym_name = \"h\"}\n  }\n}")
      .verify(verifyModuleMetadata);
  d.op<SegmentMetadataOp>("segment_metadata")
      .doc("What the host has to know about one segment, and its herds.")
      .attr("sym_name", attrs::string)
      .region("herds")
      .parent({"airrt.module_metadata"})
      .terminatedBy("airrt.segment_metadata_terminator")
      .effects({})
      .syntax(parseMetadata, printMetadata)
      .example("airrt.module_metadata {\n"
               "  airrt.segment_metadata attributes {sym_name = \"s\"} {\n  }\n}")
      .verify(verifySegmentMetadata);
  d.op("herd_metadata")
      .doc("What the host has to know about one herd: place, size, and `dma_allocations`, the shim "
           "channels that its transfers use.")
      .attr("sym_name", attrs::string)
      .parent({"airrt.segment_metadata"})
      .effects({})
      .format("attr-dict")
      .example("airrt.module_metadata {\n"
               "  airrt.segment_metadata attributes {sym_name = \"s\"} {\n"
               "    airrt.herd_metadata {loc_x = 0 : i64, loc_y = 2 : i64, size_x = 4 : i64, "
               "size_y = 1 : i64, sym_name = \"h\"}\n  }\n}");
  metadataTerminator(d, "module_metadata_terminator", "airrt.module_metadata",
                     "airrt.module_metadata {\n  airrt.module_metadata_terminator\n}");
  metadataTerminator(d, "segment_metadata_terminator", "airrt.segment_metadata",
                     "airrt.module_metadata {\n"
                     "  airrt.segment_metadata attributes {sym_name = \"s\"} {\n"
                     "    airrt.segment_metadata_terminator\n  }\n}");
}

// -- Loads ----------------------------------------------------------------------------------------

/// As the results are called in the AIR tools: `%p, %event = airrt.segment_load ...`.
void nameLoad(Operation& op, FunctionRef<void(Value, std::string_view)> suggest) {
  suggest(op.result(0), isa<SegmentLoadOp>(&op) ? "p" : "h");
  if (op.numResults() > 1) suggest(op.result(1), "event");
}

void addLoads(Dialect& d) {
  d.op<SegmentLoadOp>("segment_load")
      .doc("Configures the device with a segment; gives a handle to it.")
      .attr("sym_name", attrs::string)
      .result("p", types::i64)
      .optionalResult("event", kEvent)
      .effects({{Effect::Write, ""}})
      .format("$sym_name attr-dict `:` type($p) (`,` type($event)^)?")
      .example("%p = airrt.segment_load \"segment_0\" : i64")
      .nameResults(nameLoad)
      .canonicalize("reuse-load", reuseLoad);
  d.op<HerdLoadOp>("herd_load")
      .doc("Starts a herd of the loaded segment (attribute `segment_name`), with values for its "
           "runtime parameters.")
      .attr("sym_name", attrs::string)
      .variadicOperand("rtp", types::any)
      .result("h", types::i64)
      .optionalResult("event", kEvent)
      .effects({{Effect::Write, ""}})
      .format("$sym_name ` ` `(` $rtp `)` attr-dict `:` functional-type($rtp, results)")
      .example("%h = airrt.herd_load \"herd_0\" (%p) : (i32) -> i64")
      .nameResults(nameLoad)
      .canonicalize("reuse-load", reuseLoad);
}

// -- Memory and events --------------------------------------------------------------------------

void addTransfers(Dialect& d) {
  d.op<DmaMemcpyNdOp>("dma_memcpy_nd")
      .operand("id", types::i32)
      .operand("x", types::i64)
      .operand("y", types::i64)
      .operand("memref", types::anyMemRef)
      .variadicOperand("offsets", types::i64)
      .variadicOperand("lengths", types::i64)
      .variadicOperand("strides", types::i64)
      .attr("static_offsets", kFourIndices)
      .attr("static_lengths", kFourIndices)
      .attr("static_strides", kFourIndices)
      .optionalResult("event", kEvent)
      .traits(Trait::AttrSizedOperandSegments)
      .effects({{Effect::Read, "memref"}, {Effect::Write, "memref"}, {Effect::Sync, ""}})
      .doc("The host's half of a transfer: four offsets, lengths and strides, in elements, each a "
           "constant or a value. `metadata` names the shim channel, which knows the direction.")
      .format("`(` $id `,` $x `,` $y `,` $memref `` custom<IndexLists>($offsets, $static_offsets) "
              "`,` custom<IndexLists>($lengths, $static_lengths) `,` "
              "custom<IndexLists>($strides, $static_strides) `)` attr-dict `:` "
              "`(` type($id) `,` type($x) `,` type($y) `,` type($memref) `)` (`:` type($event)^)?")
      .example("%e = airrt.dma_memcpy_nd(%id, %x, %y, %m[0, 0, 0, %o], [1, 1, 8, 16], "
               "[0, 0, 64, 1]) : (i32, i64, i64, memref<64x64xi32>) : !airrt.event")
      .verify(verifyDma);
  OpDef& copy = d.op<MemcpyNdOp>("memcpy_nd")
                    .operand("dst", types::anyMemRef)
                    .operand("src", types::anyMemRef);
  for (std::string_view name : {"offset3", "offset2", "offset1", "offset0", "length3", "length2",
                                "length1", "length0", "stride3", "stride2", "stride1", "stride0"})
    copy.operand(name, types::i64);
  copy.optionalResult("event", kEvent)
      .effects({{Effect::Read, "src"}, {Effect::Write, "dst"}})
      .doc("Copies a four-dimensional strided piece of one memref to another; lists go from the "
           "outermost dimension to the innermost, in elements.")
      .format("`(` $dst `,` $src `,` `[` $offset3 `,` $offset2 `,` $offset1 `,` $offset0 `]` `,` "
              "`[` $length3 `,` $length2 `,` $length1 `,` $length0 `]` `,` "
              "`[` $stride3 `,` $stride2 `,` $stride1 `,` $stride0 `]` `)` attr-dict `:` "
              "`(` type($dst) `,` type($src) `,` "
              "`[` type($offset3) `,` type($offset2) `,` type($offset1) `,` type($offset0) `]` `,` "
              "`[` type($length3) `,` type($length2) `,` type($length1) `,` type($length0) `]` `,` "
              "`[` type($stride3) `,` type($stride2) `,` type($stride1) `,` type($stride0) `]` "
              "`)` (`:` type($event)^)?")
      .example("airrt.memcpy_nd(%d, %m, [%o, %o, %o, %o], [%l, %l, %l, %l], [%t, %t, %t, %t]) : "
               "(memref<64x64xi32>, memref<64x64xi32>, [i64, i64, i64, i64], "
               "[i64, i64, i64, i64], [i64, i64, i64, i64])")
      .verify(verifyMemcpy);
}

void addMemory(Dialect& d) {
  d.op<AllocOp>("alloc")
      .doc("Allocates memory of the device.")
      .result("result", types::anyMemRef)
      .effects({{Effect::Allocate, "result"}})
      .format("attr-dict `:` type($result)")
      .example("%m = airrt.alloc : memref<8x16xi32, 1>")
      .canonicalize("erase-unused-alloc", eraseUnusedAlloc);
  d.op("dealloc")
      .doc("Frees what airrt.alloc gave.")
      .operand("memref", types::anyMemRef)
      .effects({{Effect::Free, "memref"}})
      .format("attr-dict $memref `:` type($memref)")
      .example("airrt.dealloc %m : memref<8x16xi32, 1>");
  d.op<WaitAllOp>("wait_all")
      .doc("Joins events; without a result it blocks until all have fired.")
      .variadicOperand("events", kEvent)
      .optionalResult("event", kEvent)
      .effects({{Effect::Sync, ""}})
      .format("($events^)? attr-dict (`:` type($event)^)?")
      .example("%e = airrt.wait_all %a, %b : !airrt.event")
      .canonicalize("erase-useless-wait", eraseUselessWait)
      .canonicalize("flatten-waits", flattenWaits);
}

}  // namespace
}  // namespace airrt

void registerAirrt(Context& context) {
  using namespace airrt;
  registerIndexLists();
  Dialect d(context, "airrt",
            "What a host does to run an AIR program: loading, transfers, events, metadata.");
  static const DialectTypeDef kEventType{"airrt.event", "Fires when an operation is done."};
  d.type(kEventType);
  addMetadata(d);
  addLoads(d);
  addTransfers(d);
  addMemory(d);
}

}  // namespace airlite
