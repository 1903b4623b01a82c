// The gpu dialect: the definition of each op and attribute, and the accessors of its typed views.
#include "GpuInternal.hpp"
#include "airlite/dialect/Dialects.hpp"
#include "airlite/ir/Constraints.hpp"

#include <algorithm>

namespace airlite {

namespace gpu {
namespace {

constexpr std::string_view kDims[] = {"x", "y", "z"};
constexpr std::string_view kShuffleModes[] = {"xor", "down", "up", "idx"};
constexpr std::string_view kSpaces[] = {"global", "workgroup", "private"};
constexpr std::string_view kMappings[] = {"x",
                                          "y",
                                          "z",
                                          "linear_dim_0",
                                          "linear_dim_1",
                                          "linear_dim_2",
                                          "linear_dim_3",
                                          "linear_dim_4",
                                          "linear_dim_5",
                                          "linear_dim_6",
                                          "linear_dim_7",
                                          "linear_dim_8",
                                          "linear_dim_9"};

bool isKeywordAttr(Attribute attr, std::string_view name) {
  auto dialect = attr.dynCast<DialectAttr>();
  return dialect && dialect.name() == name && dialect.parameters().size() == 1;
}
Attribute dimFromKeyword(Context& context, std::string_view word) {
  for (std::string_view dim : kDims)
    if (dim == word) return DialectAttr::getKeyword(context, "gpu.dim", word);
  return Attribute();
}
Attribute modeFromKeyword(Context& context, std::string_view word) {
  for (std::string_view mode : kShuffleModes)
    if (mode == word) return DialectAttr::getKeyword(context, "gpu.shuffle_mode", word);
  return Attribute();
}
std::string_view keywordOf(Attribute attr) { return attr.cast<DialectAttr>().keyword(); }

const AttrConstraint kDimension = {"a dimension, one of: x, y, z",
                                   [](Attribute a) { return isKeywordAttr(a, "gpu.dim"); },
                                   AttrSyntax::Keyword,
                                   nullptr,
                                   kDims,
                                   dimFromKeyword,
                                   keywordOf};
const AttrConstraint kShuffleMode = {
    "a shuffle mode, one of: xor, down, up, idx",
    [](Attribute a) { return isKeywordAttr(a, "gpu.shuffle_mode"); },
    AttrSyntax::Keyword,
    nullptr,
    kShuffleModes,
    modeFromKeyword,
    keywordOf};
const AttrConstraint kUpperBound = {
    "index attribute",
    [](Attribute a) { return a.isa<IntegerAttr>() && a.cast<IntegerAttr>().type().isIndex(); },
    AttrSyntax::Integer, [](Context& c) -> Type { return IndexType::get(c); }};

const TypeConstraint kToken = {
    "async token type", [](Type t) { return isDialectType(t, "gpu.async.token"); }, asyncTokenType};
const TypeConstraint kLaunchSize = {
    "index, i32 or i64",
    [](Type t) { return t.isIndex() || t.isSignlessInteger(32) || t.isSignlessInteger(64); }};
const TypeConstraint kShuffled = {"i32, i64, f32 or f64", [](Type t) {
                                    return t.isSignlessInteger(32) || t.isSignlessInteger(64) ||
                                           t.isF32() || t.isF64();
                                  }};

// -- Attributes ---------------------------------------------------------------------------------

/// `<x>`, or a bare `x` inside the long spelling `#gpu<dim x>`.
LogicalResult parseEnum(AttrParser& parser, std::vector<Attribute>& parameters,
                        std::span<const std::string_view> words) {
  bool angles = parser.parseOptional("<");
  Location at = parser.location();
  std::string word;
  if (failed(parser.parseAnyKeyword(word))) return failure();
  if (std::find(words.begin(), words.end(), word) == words.end())
    return parser.emitError(at) << "unknown keyword '" << word << "'";
  parameters.push_back(StringAttr::get(parser.context(), word));
  return angles ? parser.parse(">") : success();
}
LogicalResult parseDim(AttrParser& parser, std::vector<Attribute>& parameters) {
  return parseEnum(parser, parameters, kDims);
}
LogicalResult parseMode(AttrParser& parser, std::vector<Attribute>& parameters) {
  return parseEnum(parser, parameters, kShuffleModes);
}
void printEnum(AttrPrinter& printer, DialectAttr attr) { printer << ' ' << attr.keyword(); }

void defineAttributes(Dialect& d) {
  d.type({"gpu.async.token", "Says that an asynchronous operation has completed."});
  d.attr({"gpu.dim", "A dimension of ids and sizes.", kDims, parseDim, printEnum});
  d.attr({"gpu.shuffle_mode", "Which lane a shuffle reads.", kShuffleModes, parseMode, printEnum});
  d.attr({"gpu.address_space", "Memory of a device: global, workgroup or private.", kSpaces});
  d.attr({"gpu.thread", "Maps a loop to threads of a block.", kMappings});
  d.attr({"gpu.block", "Maps a loop to blocks of a grid.", kMappings});
  d.attr({"gpu.warp", "Maps a loop to warps of a block.", kMappings});
  d.attr({"gpu.warpgroup", "Maps a loop to groups of warps.", kMappings});
  d.attr({"gpu.lane", "Maps a loop to lanes of a warp.", kMappings});
}

// -- Ids and sizes ------------------------------------------------------------------------------

/// `gpu.thread_id x` gives `%thread_id_x`.
void nameId(Operation& op, FunctionRef<void(Value, std::string_view)> suggest) {
  std::string name(op.name().substr(op.name().find('.') + 1));
  auto dim = op.attrOf<DialectAttr>("dimension");
  if (dim) suggest(op.result(), name + '_' + std::string(dim.keyword()));
}

void defineIds(Dialect& d) {
  struct Id {
    std::string_view name, doc, example;
  };
  constexpr Id kIds[] = {
      {"thread_id", "Id of the thread in its block.", "%thread_id_x = gpu.thread_id x"},
      {"block_id", "Id of the block in the grid.", "%block_id_x = gpu.block_id x"},
      {"block_dim", "Number of threads in a block.", "%block_dim_x = gpu.block_dim x"},
      {"grid_dim", "Number of blocks in the grid.", "%grid_dim_x = gpu.grid_dim x"},
      {"global_id", "Id of the thread in the grid.", "%global_id_x = gpu.global_id x"},
      {"cluster_id", "Id of the cluster in the grid.", "%cluster_id_x = gpu.cluster_id x"},
      {"cluster_dim", "Number of clusters in the grid.", "%cluster_dim_x = gpu.cluster_dim x"},
      {"cluster_block_id", "Id of the block in its cluster.",
       "%cluster_block_id_x = gpu.cluster_block_id x"},
      {"cluster_dim_blocks", "Number of blocks in a cluster.",
       "%cluster_dim_blocks_x = gpu.cluster_dim_blocks x"},
  };
  for (const Id& id : kIds)
    d.op<IndexOp>(id.name)
        .doc(id.doc)
        .result("result", types::index)
        .attr("dimension", kDimension)
        .optionalAttr("upper_bound", kUpperBound)
        .traits(Trait::Pure)
        .nameResults(nameId)
        .syntax(parseIndexOp, printIndexOp)
        .example(id.example);
  d.op("lane_id")
      .doc("Id of the lane in its subgroup (wave).")
      .result("result", types::index)
      .optionalAttr("upper_bound", kUpperBound)
      .traits(Trait::Pure)
      .format("(`upper_bound` $upper_bound^)? attr-dict")
      .example("%0 = gpu.lane_id");
  constexpr Id kSubgroupIds[] = {
      {"subgroup_id", "Id of the subgroup in its block.", "%0 = gpu.subgroup_id : index"},
      {"subgroup_size", "Number of lanes in a subgroup.", "%0 = gpu.subgroup_size : index"},
      {"num_subgroups", "Number of subgroups in a block.", "%0 = gpu.num_subgroups : index"},
  };
  for (const Id& id : kSubgroupIds)
    d.op(id.name)
        .doc(id.doc)
        .result("result", types::index)
        .optionalAttr("upper_bound", kUpperBound)
        .traits(Trait::Pure)
        .format("(`upper_bound` $upper_bound^)? attr-dict `:` type($result)")
        .example(id.example);
}

// -- Inside kernels -----------------------------------------------------------------------------

void defineDeviceOps(Dialect& d) {
  d.op("barrier")
      .doc(
          "No thread of the block continues before all have come; memory is visible after it: that "
          "of the address spaces which it names, all memory when it names none.")
      .optionalAttr("address_spaces", attrs::array)
      .effects({{Effect::Sync, ""}})
      .format("(`memfence` $address_spaces^)? attr-dict")
      .example("gpu.barrier memfence [#gpu.address_space<workgroup>]")
      .verify(verifyBarrier);
  d.op("schedule_barrier")
      .doc("The compiler of the device moves no instruction across. It means nothing for what is "
           "computed.")
      .effects({{Effect::Sync, ""}})
      .format("attr-dict")
      .example("gpu.schedule_barrier");
  d.op("wave_barrier")
      .doc("No lane of the wave continues before all of its lanes have come; what they have "
           "written is visible "
           "to them after it.")
      .effects({{Effect::Sync, ""}})
      .format("attr-dict")
      .example("gpu.wave_barrier");
  d.op<MatrixProductOp>("matrix_product")
      .doc("lhs * rhs + accumulator of small matrices that lie in the lanes of a wave, by a matrix "
           "instruction of the device; all lanes of the wave take part. Each lane has the elements "
           "of the fragments that `airlite/device/GpuMatrix.hpp` gives it.")
      .attr("instruction", attrs::string)
      .operand("lhs", types::anyVector)
      .operand("rhs", types::anyVector)
      .operand("accumulator", types::anyVector)
      .result("result", types::anyVector)
      .sameType({"accumulator", "result"})
      .traits(Trait::Pure)
      .format("$instruction $lhs `,` $rhs `,` $accumulator attr-dict `:` type($lhs) `,` type($rhs) "
              "`,` type($accumulator)")
      .example("%d = gpu.matrix_product \"mfma_f32_16x16x16_f16\" %a, %b, %c : vector<4xf16>, "
               "vector<4xf16>, vector<4xf32>")
      .verify(verifyMatrixProduct);
  d.op<ShuffleOp>("shuffle")
      .doc("The value of another lane of the subgroup, and whether there was one.")
      .operand("value", kShuffled)
      .operand("offset", types::i32)
      .operand("width", types::i32)
      .result("shuffleResult", kShuffled)
      .result("valid", types::i1)
      .attr("mode", kShuffleMode)
      .sameType({"value", "shuffleResult"})
      .effects({})
      .nameResults([](Operation& op, FunctionRef<void(Value, std::string_view)> suggest) {
        suggest(op.result(0), "shuffleResult");
        suggest(op.result(1), "valid");
      })
      .syntax(parseShuffle, printShuffle)
      .example("%shuffleResult, %valid = gpu.shuffle xor %0, %offset, %width : f32");
  d.op("printf")
      .doc("Prints from a kernel.")
      .variadicOperand("args", types::intIndexOrFloat)
      .attr("format", attrs::string)
      .effects({{Effect::Write, ""}})
      .syntax(parsePrintf, printPrintf)
      .example("gpu.printf \"thread %d has %f\\n\" %i, %x : index, f32");
  d.op("return")
      .doc("Ends a gpu.func.")
      .variadicOperand("values", types::any)
      .traits(Trait::Terminator | Trait::ReturnLike | Trait::Pure)
      .parent({"gpu.func"})
      .format("attr-dict ($values^ `:` type($values))?")
      .example("gpu.module @m {\n  gpu.func @twice(%x: f32) -> f32 {\n"
               "    %0 = arith.addf %x, %x : f32\n    gpu.return %0 : f32\n  }\n}")
      .verify(verifyReturn);
  d.op("terminator")
      .doc("Ends the body of a gpu.launch.")
      .traits(Trait::Terminator | Trait::Pure)
      .parent({"gpu.launch"})
      .format("attr-dict")
      .example("gpu.launch blocks(%bx, %by, %bz) in (%gx = %g, %gy = %g, %gz = %g)\n"
               "    threads(%tx, %ty, %tz) in (%sx = %b, %sy = %b, %sz = %b) {\n"
               "  gpu.terminator\n}");
  d.op("yield")
      .doc("Hands values to the op around it.")
      .variadicOperand("values", types::any)
      .traits(Trait::Terminator | Trait::ReturnLike | Trait::Pure)
      .format("attr-dict ($values^ `:` type($values))?")
      .example("gpu.yield %x : f32");
}

// -- Modules and functions ----------------------------------------------------------------------

void defineContainers(Dialect& d) {
  d.op<ModuleOp>("module")
      .doc("Device code: kernels and the functions that they call.")
      .attr("sym_name", attrs::symbolName)
      .optionalAttr("sym_visibility", attrs::string)
      .optionalAttr("targets", attrs::array)
      .region("body")
      .traits(Trait::IsolatedFromAbove | Trait::Symbol | Trait::SymbolTable | Trait::NoTerminator |
              Trait::SingleBlock)
      .syntax(parseModule, printModule)
      .example("gpu.module @kernels {\n  gpu.func @k() kernel {\n    gpu.return\n  }\n}");
  d.op("module_end")
      .doc("Ends a gpu.module in programs written by older tools.")
      .traits(Trait::Terminator | Trait::Pure)
      .parent({"gpu.module"})
      .format("attr-dict")
      .example("gpu.module @m {\n  gpu.module_end\n}");
  d.op<FuncOp>("func")
      .doc("A kernel or a device function, with buffers in workgroup and private memory.")
      .attr("sym_name", attrs::symbolName)
      .attr("function_type", attrs::functionType)
      .optionalAttr("sym_visibility", attrs::string)
      .optionalAttr("arg_attrs", attrs::array)
      .optionalAttr("res_attrs", attrs::array)
      .optionalAttr("workgroup_attributions", attrs::i64)
      .optionalAttr("known_block_size", attrs::denseI32)
      .optionalAttr("known_grid_size", attrs::denseI32)
      .region("body")
      .traits(Trait::IsolatedFromAbove | Trait::Symbol | Trait::Function | Trait::AllocationScope |
              Trait::AffineScope)
      .parent({"gpu.module"})
      .syntax(parseFunc, printFunc)
      .example("gpu.module @kernels {\n"
               "  gpu.func @k(%a: memref<4xf32>) workgroup(%w : memref<4xf32, 3>) kernel {\n"
               "    gpu.return\n  }\n}")
      .verify(verifyFunc);
}

// -- Host side ----------------------------------------------------------------------------------

OpDef& sizes(OpDef& def) {
  return def.variadicOperand("asyncDependencies", kToken)
      .operand("gridSizeX", kLaunchSize)
      .operand("gridSizeY", kLaunchSize)
      .operand("gridSizeZ", kLaunchSize)
      .operand("blockSizeX", kLaunchSize)
      .operand("blockSizeY", kLaunchSize)
      .operand("blockSizeZ", kLaunchSize)
      .optionalOperand("clusterSizeX", kLaunchSize)
      .optionalOperand("clusterSizeY", kLaunchSize)
      .optionalOperand("clusterSizeZ", kLaunchSize)
      .optionalOperand("dynamicSharedMemorySize", types::i32)
      .optionalResult("asyncToken", kToken)
      .traits(Trait::AttrSizedOperandSegments | Trait::AsyncOp);
}

void defineLaunches(Dialect& d) {
  sizes(d.op<LaunchOp>("launch"))
      .doc("Runs its body once per thread of a grid.")
      .optionalAttr("workgroup_attributions", attrs::i64)
      .region("body")
      .traits(Trait::RecursiveEffects | Trait::AllocationScope | Trait::AffineScope)
      .syntax(parseLaunch, printLaunch)
      .example("gpu.launch blocks(%bx, %by, %bz) in (%gx = %g, %gy = %one, %gz = %one)\n"
               "    threads(%tx, %ty, %tz) in (%sx = %b, %sy = %one, %sz = %one) {\n"
               "  memref.store %f, %m[%tx] : memref<64xf32>\n  gpu.terminator\n}")
      .verify(verifyLaunch);
  sizes(d.op<LaunchFuncOp>("launch_func"))
      .doc("Runs a kernel once per thread of a grid.")
      .variadicOperand("kernelOperands", types::any)
      .optionalOperand("asyncObject", types::any)
      .attr("kernel", attrs::symbolRef)
      .syntax(parseLaunchFunc, printLaunchFunc)
      .example("gpu.launch_func @kernels::@k blocks in (%g, %g, %g) threads in (%b, %b, %b) "
               "args(%m : memref<4xf32>)")
      .verify(verifyLaunchFunc);
}

void nameAlloc(Operation& op, FunctionRef<void(Value, std::string_view)> suggest) {
  suggest(op.result(0), "memref");
  if (op.numResults() > 1) suggest(op.result(1), "asyncToken");
}

void defineMemoryOps(Dialect& d) {
  d.op("wait")
      .doc("Waits for tokens; the async form gives one token for all of them.")
      .variadicOperand("asyncDependencies", kToken)
      .optionalResult("asyncToken", kToken)
      .traits(Trait::AsyncOp)
      .effects({{Effect::Sync, ""}})
      .format("custom<GpuAsync>(type($asyncToken), $asyncDependencies) attr-dict")
      .example("%t = gpu.wait async [%a, %b]")
      .canonicalize("empty-tokens", dropEmptyTokens)
      .canonicalize("unused-wait", dropUnusedWait);
  d.op("alloc")
      .doc("Allocates device memory.")
      .variadicOperand("asyncDependencies", kToken)
      .variadicOperand("dynamicSizes", types::index)
      .variadicOperand("symbolOperands", types::index)
      .result("memref", types::anyRankedMemRef)
      .optionalResult("asyncToken", kToken)
      .optionalAttr("hostShared", attrs::unit)
      .traits(Trait::AttrSizedOperandSegments | Trait::AsyncOp)
      .effects({{Effect::Allocate, "memref"}})
      .nameResults(nameAlloc)
      .format("custom<GpuAsync>(type($asyncToken), $asyncDependencies) "
              "custom<GpuHostShared>($hostShared) `(` $dynamicSizes `)` "
              "(`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)")
      .example("%m, %t = gpu.alloc async [%dep] (%n) : memref<?x64xf32>")
      .verify(verifyAlloc);
  d.op("dealloc")
      .doc("Gives device memory back.")
      .variadicOperand("asyncDependencies", kToken)
      .operand("memref", types::anyMemRef)
      .optionalResult("asyncToken", kToken)
      .traits(Trait::AsyncOp)
      .effects({{Effect::Free, "memref"}})
      .format("custom<GpuAsync>(type($asyncToken), $asyncDependencies) $memref attr-dict `:` "
              "type($memref)")
      .example("gpu.dealloc %m : memref<64xf32>");
  d.op("memcpy")
      .doc("Copies between host and device memory.")
      .variadicOperand("asyncDependencies", kToken)
      .operand("dst", types::anyMemRef)
      .operand("src", types::anyMemRef)
      .optionalResult("asyncToken", kToken)
      .traits(Trait::AsyncOp)
      .effects({{Effect::Read, "src"}, {Effect::Write, "dst"}})
      .format("custom<GpuAsync>(type($asyncToken), $asyncDependencies) $dst `,` $src attr-dict "
              "`:` type($dst) `,` type($src)")
      .example("%t = gpu.memcpy async [%dep] %dst, %src : memref<64xf32, 1>, memref<64xf32>")
      .verify(verifyMemcpy);
  d.op("memset")
      .doc("Fills device memory with a value.")
      .variadicOperand("asyncDependencies", kToken)
      .operand("dst", types::anyMemRef)
      .operand("value", types::any)
      .optionalResult("asyncToken", kToken)
      .typeFrom(
          "value", "dst", [](Type t) { return elementTypeOrSelf(t); }, "element type of 'dst'")
      .traits(Trait::AsyncOp)
      .effects({{Effect::Write, "dst"}})
      .format("custom<GpuAsync>(type($asyncToken), $asyncDependencies) $dst `,` $value attr-dict "
              "`:` type($dst) `,` type($value)")
      .example("%t = gpu.memset async [%dep] %m, %f : memref<64xf32>, f32");
}

}  // namespace

// -- Typed views --------------------------------------------------------------------------------

Type asyncTokenType(Context& context) { return DialectType::get(context, "gpu.async.token"); }

Attribute dimensionAttr(Context& context, Dimension dimension) {
  return DialectAttr::getKeyword(context, "gpu.dim", kDims[static_cast<size_t>(dimension)]);
}

Dimension IndexOp::dimension() const {
  std::string_view word = op_->attrOf<DialectAttr>("dimension").keyword();
  return word == "x" ? Dimension::X : word == "y" ? Dimension::Y : Dimension::Z;
}

bool knowsWave(const Operation& op) {
  return op.is("gpu.subgroup_id") || op.is("gpu.subgroup_size") || op.is("gpu.num_subgroups");
}

bool seesLanes(const Operation& op) {
  if (op.def().dialect != "gpu") return false;
  return !op.is("gpu.block_id") && !op.is("gpu.block_dim") && !op.is("gpu.grid_dim") &&
         !op.is("gpu.barrier") && !knowsWave(op);
}

bool tellsLanesApart(Operation& root) {
  bool found = false;
  root.walk([&](Operation& op) { found = found || seesLanes(op) || op.hasAttr(kSpreadAttr); });
  return found;
}

std::optional<int64_t> IndexOp::upperBound() const {
  auto bound = op_->attrOf<IntegerAttr>("upper_bound");
  return bound ? std::optional(bound.value()) : std::nullopt;
}

Value IndexOp::create(Builder& builder, Location location, std::string_view name, Dimension dim) {
  NamedAttribute attr = builder.named("dimension", dimensionAttr(builder.context(), dim));
  return builder.create(location, name, {}, {builder.indexType()}, {attr})->result();
}

FunctionType FuncOp::type() const {
  return op_->attrOf<TypeAttr>("function_type").value().cast<FunctionType>();
}

static unsigned workgroupBuffersOf(const Operation& op) {
  auto count = op.attrOf<IntegerAttr>("workgroup_attributions");
  return count && count.value() > 0 ? static_cast<unsigned>(count.value()) : 0;
}

unsigned FuncOp::numWorkgroupBuffers() const { return workgroupBuffersOf(*op_); }
unsigned LaunchOp::numWorkgroupBuffers() const { return workgroupBuffersOf(*op_); }

std::vector<Value> FuncOp::workgroupBuffers() const {
  std::vector<Value> buffers = body().arguments();
  buffers.erase(buffers.begin(), buffers.begin() + static_cast<long>(type().inputs().size()));
  buffers.resize(std::min<size_t>(buffers.size(), numWorkgroupBuffers()));
  return buffers;
}

std::vector<Value> FuncOp::privateBuffers() const {
  std::vector<Value> buffers = body().arguments();
  size_t first = type().inputs().size() + numWorkgroupBuffers();
  buffers.erase(buffers.begin(), buffers.begin() + static_cast<long>(first));
  return buffers;
}

}  // namespace gpu

void registerGpu(Context& context) {
  Dialect d(context, "gpu", "Kernels on GPUs: ids, barriers, functions and launches.");
  gpu::registerGpuDirectives();
  gpu::defineAttributes(d);
  gpu::defineIds(d);
  gpu::defineDeviceOps(d);
  gpu::defineContainers(d);
  gpu::defineLaunches(d);
  gpu::defineMemoryOps(d);
}

}  // namespace airlite
