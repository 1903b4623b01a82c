// The air dialect: definitions. Syntax is in AirSyntax.cpp, rules in AirVerify.cpp, rewrites in
// AirCanonicalize.cpp. Sources: AIR dialect reference, AIR compute model.
#include "AirSyntax.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/ir/Rewriter.hpp"

namespace airlite {

namespace {

using namespace air;

const TypeConstraint kToken{"async token type", isTokenType};
const TypeConstraint kModelToken{
    "!air.token", [](Type t) { return isDialectType(t, "air.token"); },
    [](Context& c) -> Type { return DialectType::get(c, "air.token"); }};
const TypeConstraint kUniverse{
    "universe type", [](Type t) { return isDialectType(t, "air.universe"); },
    [](Context& c) -> Type { return DialectType::get(c, "air.universe"); }};
const AttrConstraint kSizes{"64-bit integer array attribute", [](Attribute a) {
                              ArrayAttr array = a.dynCast<ArrayAttr>();
                              if (!array) return false;
                              for (Attribute element : array.value())
                                if (!element.isa<IntegerAttr>()) return false;
                              return true;
                            }};

// Of all hierarchy ops: each point of the iteration space runs the body; its ids, the sizes and the
// args are the arguments of the body, which sees nothing else from outside.
OpDef& hierarchy(OpDef& def, std::string_view operands, std::string_view terminator) {
  return def.variadicOperand("sizes", types::index)
      .variadicOperand(operands, types::any)
      .variadicOperand("affinity", kModelToken)
      .variadicOperand("concurrency", kModelToken)
      .optionalResult("async_token", kToken)
      .optionalAttr("sym_name", attrs::string)
      .region("body")
      .traits(Trait::AttrSizedOperandSegments | Trait::IsolatedFromAbove | Trait::AffineScope |
              Trait::AsyncOp | Trait::Hierarchy | Trait::ParallelLoop)
      .terminatedBy(terminator)
      .syntax(parseHierarchy, printHierarchy)
      .verify(verifyHierarchy)
      .canonicalize("drop-unused-args", dropUnusedArgs)
      .canonicalizeLate("simplify-dependencies", simplifyDependencies)
      .canonicalize("carry-tokens", carryTokensThroughLoops);
}

void terminator(Dialect& d, std::string_view mnemonic, std::string_view parent,
                std::string_view example) {
  d.op(mnemonic)
      .doc("Ends the body; returns nothing.")
      .traits(Trait::Terminator | Trait::Pure)
      .parent({parent})
      .effects({})
      .format("attr-dict")
      .example(example);
}

void addHierarchy(Dialect& d) {
  hierarchy(d.op<LaunchOp>("launch").variadicOperand("async_dependencies", kToken),
            "launch_operands", "air.launch_terminator")
      .doc("Groups segments that must be on the device together. Instances of its iteration space "
           "may run in parallel and in any order. It takes no concurrency list.")
      .example("air.launch (%x, %y) in (%sx=%c4, %sy=%c4) args(%a=%m) : memref<64x64xf32> {\n}");
  hierarchy(d.op<SegmentOp>("segment").variadicOperand("async_dependencies", kToken),
            "segment_operands", "air.segment_terminator")
      .doc("A group of cores with their shared L2 memory. All instances of its iteration space "
           "(`unroll`) are active at the same time.")
      .example("%t = air.segment @seg async args(%a=%m) : memref<64x64xf32> {\n}");
  hierarchy(d.op<HerdOp>("herd").variadicOperand("async_dependencies", kToken), "herd_operands",
            "air.herd_terminator")
      .optionalAttr("link_with", attrs::string)
      .doc("A one- or two-dimensional array of processing elements that all run the body. It is "
           "the innermost level.")
      .example("air.herd @h tile (%x, %y) in (%sx=%c2, %sy=%c2) {\n}");
  hierarchy(d.op<RankOp>("rank")
                .variadicOperand("async_dependencies", kToken)
                .optionalOperand("universe", kUniverse),
            "rank_operands", "air.rank_terminator")
      .doc("A world of communicating devices or processes, one instance each. The outermost level.")
      .example("air.rank (%r) in (%s=%c2) {\n}");
  terminator(d, "launch_terminator", "air.launch",
             "air.launch (%x) in (%sx=%c4) {\n  air.launch_terminator\n}");
  terminator(d, "segment_terminator", "air.segment",
             "air.segment @seg {\n  air.segment_terminator\n}");
  terminator(d, "herd_terminator", "air.herd",
             "air.herd tile (%x, %y) in (%sx=%c2, %sy=%c2) {\n  air.herd_terminator\n}");
  terminator(d, "rank_terminator", "air.rank",
             "air.rank (%r) in (%s=%c2) {\n  air.rank_terminator\n}");
}

void addAccess(OpDef& def, std::string_view side, std::string_view offsets, std::string_view sizes,
               std::string_view strides, std::string_view staticOffsets,
               std::string_view staticSizes, std::string_view staticStrides) {
  def.operand(side, types::anyMemRef)
      .variadicOperand(offsets, types::index)
      .variadicOperand(sizes, types::index)
      .variadicOperand(strides, types::index)
      .optionalAttr(staticOffsets, attrs::denseI64)
      .optionalAttr(staticSizes, attrs::denseI64)
      .optionalAttr(staticStrides, attrs::denseI64);
}

void addSrc(OpDef& def) {
  addAccess(def, "src", "src_offsets", "src_sizes", "src_strides", "static_src_offsets",
            "static_src_sizes", "static_src_strides");
}
void addDst(OpDef& def) {
  addAccess(def, "dst", "dst_offsets", "dst_sizes", "dst_strides", "static_dst_offsets",
            "static_dst_sizes", "static_dst_strides");
}

OpDef& movement(OpDef& def) {
  return def.variadicOperand("async_dependencies", kToken)
      .optionalResult("async_token", kToken)
      .optionalAttr("pad_before", attrs::denseI32)
      .optionalAttr("pad_after", attrs::denseI32)
      .traits(Trait::AttrSizedOperandSegments | Trait::AsyncOp);
}

void addMovement(Dialect& d) {
  OpDef& dma = movement(d.op<DmaMemcpyNdOp>("dma_memcpy_nd"));
  addDst(dma);
  addSrc(dma);
  dma.optionalAttr("src_rank", attrs::i64)
      .optionalAttr("dst_rank", attrs::i64)
      .effects({{Effect::Read, "src"}, {Effect::Write, "dst"}})
      .doc("Copies an n-dimensional strided piece of one memref to one of another, between any two "
           "levels of memory. Lists are in elements; empty lists mean the whole memref.")
      .format("custom<AirAsync>(type($async_token), $async_dependencies) "
              "`(` $dst `` custom<IndexLists>($dst_offsets, $static_dst_offsets, $dst_sizes, "
              "$static_dst_sizes, $dst_strides, $static_dst_strides) `,` "
              "$src `` custom<IndexLists>($src_offsets, $static_src_offsets, $src_sizes, "
              "$static_src_sizes, $src_strides, $static_src_strides) `)` "
              "attr-dict `:` `(` type($dst) `,` type($src) `)`")
      .example("air.dma_memcpy_nd (%l1[] [] [], %l3[%x, %y] [32, 32] [64, 1]) : "
               "(memref<32x32xf32, 2>, memref<64x64xf32>)")
      .verifyAlone(verifyDmaAlone)
      .verify(verifyDma);
  addAirPatterns(dma);

  d.op<ChannelOp>("channel")
      .attr("sym_name", attrs::symbolName)
      .attr("size", kSizes)
      .defaultAttr("channel_type", attrs::string, "\"npu_dma_stream\"")
      .optionalAttr("broadcast_shape", kSizes)
      .optionalAttr("depth", attrs::anyInteger)
      .traits(Trait::Symbol)
      .effects({})
      .doc("Declares a channel, or an array of them. `depth` transfers may be in flight (1 when "
           "absent); `broadcast_shape` gives the shape on the receiving side.")
      .format("$sym_name $size attr-dict")
      .example("air.channel @c [1, 4] {broadcast_shape = [4, 4]}")
      .verifyAlone(verifyChannel);

  OpDef& put = movement(d.op<ChannelPutOp>("channel.put"));
  put.variadicOperand("indices", types::index);
  addSrc(put);
  put.optionalOperand("dest", types::index)
      .attr("chan_name", attrs::flatSymbolRef)
      .effects({{Effect::Read, "src"}, {Effect::Send, ""}})
      .doc(
          "Sends a strided piece of a memref into a channel; waits while the channel holds `depth` "
          "transfers that nobody has taken.")
      .format("custom<AirAsync>(type($async_token), $async_dependencies) "
              "$chan_name `[` ($indices^)? `]` "
              "`(` $src `` custom<IndexLists>($src_offsets, $static_src_offsets, $src_sizes, "
              "$static_src_sizes, $src_strides, $static_src_strides) `)` "
              "(`dest` `(` $dest^ `)`)? attr-dict `:` `(` type($src) `)`")
      .example("air.channel.put @c[%x, %y] (%m[%o] [16] [1]) : (memref<64xf32>)")
      .verifyAlone(verifyChannelAccessAlone)
      .verify(verifyChannelAccess);
  addAirPatterns(put);

  OpDef& get = movement(d.op<ChannelGetOp>("channel.get"));
  get.variadicOperand("indices", types::index);
  addDst(get);
  get.attr("chan_name", attrs::flatSymbolRef)
      .effects({{Effect::Write, "dst"}, {Effect::Receive, ""}})
      .doc("Receives from a channel into a strided piece of a memref; waits until there is data.")
      .format("custom<AirAsync>(type($async_token), $async_dependencies) "
              "$chan_name `[` ($indices^)? `]` "
              "`(` $dst `` custom<IndexLists>($dst_offsets, $static_dst_offsets, $dst_sizes, "
              "$static_dst_sizes, $dst_strides, $static_dst_strides) `)` "
              "attr-dict `:` `(` type($dst) `)`")
      .example("air.channel.get @c[] (%m[] [] []) : (memref<64xf32>)")
      .verifyAlone(verifyChannelAccessAlone)
      .verify(verifyChannelAccess);
  addAirPatterns(get);
}

void nameExecute(Operation& op, FunctionRef<void(Value, std::string_view)> suggest) {
  suggest(op.result(0), "async_token");
  if (op.numResults() > 1) suggest(op.result(1), "results");
}

void addAsync(Dialect& d) {
  OpDef& execute =
      d.op<ExecuteOp>("execute")
          .variadicOperand("async_dependencies", kToken)
          .result("async_token", kToken)
          .variadicResult("results", types::any)
          .region("body")
          .traits(Trait::RecursiveEffects | Trait::AsyncOp)
          .terminatedBy("air.execute_terminator")
          .doc(
              "Runs its body, in order, once all dependencies have fired. The token fires when the "
              "body is done; the other results may be used by whoever waits for it.")
          .syntax(parseExecute, printExecute)
          .nameResults(nameExecute)
          .example("%t, %r = air.execute -> (memref<4xf32>) {\n  %a = memref.alloc() : "
                   "memref<4xf32>\n  air.execute_terminator %a : memref<4xf32>\n}")
          .verify(verifyExecute);
  addAirPatterns(execute);
  d.op("execute_terminator")
      .variadicOperand("results", types::any)
      .traits(Trait::Terminator | Trait::ReturnLike | Trait::Pure)
      .parent({"air.execute"})
      .effects({})
      .doc("Ends an air.execute and gives its results.")
      .format("attr-dict ($results^ `:` type($results))?")
      .example("%t, %r = air.execute -> (memref<4xf32>) {\n"
               "  %a = memref.alloc() : memref<4xf32>\n"
               "  air.execute_terminator %a : memref<4xf32>\n}");
  OpDef& wait =
      d.op<WaitAllOp>("wait_all")
          .variadicOperand("async_dependencies", kToken)
          .optionalResult("async_token", kToken)
          .traits(Trait::AsyncOp)
          .effects({{Effect::Sync, ""}})
          .doc("Joins tokens: fires when all have fired; without a result it blocks until then.")
          .format("custom<AirAsync>(type($async_token), $async_dependencies) attr-dict")
          .example("%t = air.wait_all async [%a, %b]")
          .verifyAlone(verifyTokens);
  addAirPatterns(wait);
  d.op("token.alloc")
      .result("token", kModelToken)
      .effects({{Effect::Allocate, "token"}})
      .doc("Makes a token that groups operations in affinity or concurrency lists without one of "
           "them owning it.")
      .format("attr-dict `:` type($token)")
      .example("%t = air.token.alloc : !air.token");
  d.op("custom")
      .variadicOperand("async_dependencies", kToken)
      .variadicOperand("custom_operands", types::any)
      .optionalResult("async_token", kToken)
      .optionalAttr("symbol", attrs::symbolRef)
      .traits(Trait::AttrSizedOperandSegments | Trait::AsyncOp)
      .doc("Stands for a user's own operation; a performance model may give it a latency.")
      .syntax(parseCustom, printCustom)
      .verifyAlone(verifyTokens)
      .example("air.custom operands (%a) : i32 attributes {latency = 4 : i64}");
}

LogicalResult foldTranslate(Operation& op, std::span<const Attribute> operands,
                            std::vector<FoldResult>& results) {
  std::optional<int64_t> from = constantInt(operands[1]), to = constantInt(operands[2]);
  bool same = op.operand(1) == op.operand(2) || (from && to && *from == *to);
  if (!same) return failure();
  results.push_back(op.operand(0));
  return success();
}

void addRanks(Dialect& d) {
  d.op("universe.alloc")
      .operand("capacity", types::index)
      .result("universe", kUniverse)
      .traits(Trait::Pure)
      .effects({})
      .doc("A pool of `capacity` devices or hosts, from which air.rank takes its instances.")
      .format("`(` $capacity `)` attr-dict")
      .example("%u = air.universe.alloc(%c4)");
  d.op("translate")
      .operand("source", types::anyMemRef)
      .operand("from_rank", types::index)
      .operand("to_rank", types::index)
      .operand("heap_bases", types::memRefOfIndex)
      .result("result", types::anyMemRef)
      .sameType({"source", "result"})
      .traits(Trait::Pure)
      .effects({})
      .doc("The same allocation of the symmetric heap as `source`, on another rank: source - "
           "bases[from] + bases[to]. No data moves.")
      .format("$source `,` $from_rank `,` $to_rank `,` $heap_bases attr-dict `:` type($source) `,` "
              "type($heap_bases)")
      .example("%p = air.translate %m, %r0, %r1, %b : memref<8xf32>, memref<?xindex>")
      .fold(foldTranslate);
}

}  // namespace

void registerAir(Context& context) {
  registerAirDirectives();
  Dialect d(context, "air",
            "Hierarchical spatial programs: launches, segments, herds, data movement and tokens.");
  static const DialectTypeDef kAsyncToken{"air.async.token", "Fires when an operation is done."};
  static const DialectTypeDef kModel{"air.token",
                                     "The compute model's token: dependency, affinity or "
                                     "concurrency, by the list it stands in."};
  static const DialectTypeDef kUniverseType{"air.universe", "A pool of devices."};
  static const DialectAttrDef kHeap{"air.symmetric_heap",
                                    "Memory that every rank can reach at the same offset."};
  d.type(kAsyncToken);
  d.type(kModel);
  d.type(kUniverseType);
  d.attr(kHeap);
  addHierarchy(d);
  addMovement(d);
  addAsync(d);
  addRanks(d);
}

}  // namespace airlite
