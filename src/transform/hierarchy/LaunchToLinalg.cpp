// air-launch-to-linalg: a launch whose points compute parts of arrays becomes linalg ops on the arrays.
//
// Matches a launch of constant sizes, with at most one segment of one point inside, whose body holds
// linalg ops on buffers, memref.copy and air.dma_memcpy_nd between buffers and parts of arrays in L3,
// views of either, and index arithmetic. Points may run in any order, also step by step next to each
// other, so each step is done for all points at once. An id of which an array's part is the next rows
// (its stride is the extent of a dimension) makes this dimension longer in all buffers, and ops
// stay what they are: a grid of products of tiles becomes one product of matrices. Another id becomes one more parallel loop of the
// ops, and a dimension of their buffers. Where air.actual_sizes says that the last points reach over the end of the data,
// what lies after it is left out. Buffers that only hold a copy of a part, or what is copied
// to one, give way to the part. So the tiles, cores and transfers of the program are chosen for the arrays,
// and not for a point.
//
// Declines, with a remark: loops and other ops in a launch, herds, segments with several points,
// offsets that are no sums of multiples of ids, parts of other than known sizes, ops that use the indices of their loops,
// elements that several points write, padded grids whose ids make no dimension longer, asynchronous launches.
#include "PointProgram.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Builder.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/pass/Pass.hpp"

#include <algorithm>

namespace airlite {

namespace {

using linalg::IteratorKind;
using linalg::StructuredOp;
using memref::MixedIndex;

/// Writes the steps of all points in front of the launch.
class PointWriter {
 public:
  PointWriter(const PointProgram& program, Operation& launch)
      : program_(program),
        launch_(launch),
        builder_(Builder::before(launch)),
        values_(program.memory.size()) {}

  void run() {
    for (const PointStep& step : program_.steps)
      write(step);
    for (auto alloc = allocs_.rbegin(); alloc != allocs_.rend(); ++alloc)
      memref::DeallocOp::create(builder_, launch_.location(), *alloc);
  }

 private:
  void write(const PointStep& step) {
    if (step.kind == PointStep::Kind::Reshape) return writeReshape(step);
    std::vector<Value> operands;
    for (unsigned i = 0; i < step.memory.size(); ++i)
      operands.push_back(step.memory[i] == kNoMemory ? outside(step.op->operand(i))
                                                     : valueOf(step.memory[i]));
    const std::vector<unsigned> batch = batchOf(step);
    if (step.kind == PointStep::Kind::Copy) return writeCopy(step, operands, batch);
    if (!batch.empty()) return writeGeneric(step, operands, batch);
    Operation* made = builder_.clone(*step.op, captured(*step.op));
    for (unsigned i = 0; i < operands.size(); ++i)
      made->setOperand(i, operands[i]);
  }

  std::vector<unsigned> batchOf(const PointStep& step) const {
    std::set<unsigned> ids;
    for (unsigned memory : step.memory)
      if (memory != kNoMemory)
        ids.insert(program_.memory[memory].batch.begin(), program_.memory[memory].batch.end());
    return {ids.begin(), ids.end()};
  }

  Value valueOf(unsigned number) {
    Value& value = values_[number];
    if (!value) value = program_.memory[number].isPart() ? part(number) : buffer(number);
    return value;
  }

  std::vector<int64_t> sizesOf(unsigned number) const {
    const PointMemory& memory = program_.memory[number];
    std::vector<int64_t> sizes;
    for (unsigned id : memory.batch)
      sizes.push_back(program_.grid[id]);
    sizes.insert(sizes.end(), memory.sizes.begin(), memory.sizes.end());
    return sizes;
  }

  Value buffer(unsigned number) {
    const PointMemory& memory = program_.memory[number];
    auto type = MemRefType::get(builder_.context(), sizesOf(number), memory.element);
    allocs_.push_back(memref::AllocOp::create(builder_, memory.location, type).result());
    return allocs_.back();
  }

  Value part(unsigned number) {
    const PointMemory& memory = program_.memory[number];
    const std::vector<int64_t> sizes = sizesOf(number);
    std::vector<int64_t> strides;
    for (unsigned id : memory.batch)
      strides.push_back(memory.idStrides[id]);
    strides.insert(strides.end(), memory.strides.begin(), memory.strides.end());
    Context& context = builder_.context();
    Attribute layout = StridedLayoutAttr::get(context, memory.offset, strides);
    auto plain = MemRefType::get(context, sizes, memory.element);
    auto type = plain.withLayout(layout);
    const auto form = plain.stridedForm();
    const bool isRowMajor = memory.offset == 0 && form->strides == strides;
    if (isRowMajor && memory.array.type() == plain) return memory.array;
    return memref::ReinterpretCastOp::create(builder_, memory.location, memory.array, memory.offset,
                                             mixed(sizes), mixed(strides),
                                             isRowMajor ? plain : type)
        .result();
  }

  static std::vector<MixedIndex> mixed(const std::vector<int64_t>& numbers) {
    return {numbers.begin(), numbers.end()};
  }

  /// The same value in front of the launch.
  Value outside(Value value) {
    if (Operation* constant = value.definingOp(); constant && launch_.isAncestor(constant)) {
      Value& made = constants_[value];
      if (!made) made = builder_.clone(*constant)->result();
      return made;
    }
    return arrayOutside(value, launch_);
  }

  /// What the body of an op uses of the launch.
  IRMapping& captured(Operation& op) {
    op.walk([&](Operation& inner) {
      if (&inner == &op) return;
      for (Value operand : inner.operands()) {
        Operation* owner =
            operand.isBlockArgument() ? operand.argumentBlock()->parentOp() : operand.definingOp();
        if (!op.isAncestor(owner)) mapping_.map(operand, outside(operand));
      }
    });
    return mapping_;
  }

  /// The map of an operand whose memory has dimensions of the ids in front.
  AffineMap mapOf(AffineMap map, unsigned number, const std::vector<unsigned>& batch) const {
    Context& context = builder_.context();
    const auto shift = static_cast<unsigned>(batch.size());
    std::vector<AffineExpr> results;
    for (unsigned i = 0; i < shift && number != kNoMemory; ++i)
      if (program_.memory[number].batch.contains(batch[i]))
        results.push_back(AffineExpr::dim(context, i));
    for (AffineExpr expr : map.results())
      results.push_back(expr.shiftDims(map.numDims(), shift));
    return AffineMap::get(context, map.numDims() + shift, 0, results);
  }

  void writeGeneric(const PointStep& step, const std::vector<Value>& operands,
                    const std::vector<unsigned>& batch) {
    const StructuredOp op(step.op);
    std::vector<AffineMap> maps = op.indexingMaps();
    for (unsigned i = 0; i < maps.size(); ++i)
      maps[i] = mapOf(maps[i], step.memory[i], batch);
    std::vector<IteratorKind> loops(batch.size(), IteratorKind::Parallel);
    const std::vector<IteratorKind> own = op.iterators();
    loops.insert(loops.end(), own.begin(), own.end());
    const std::span<const Value> all(operands);
    StructuredOp generic =
        linalg::createGeneric(builder_, op->location(), all.first(op.numInputs()),
                              all.subspan(op.numInputs()), maps, loops);
    linalg::copyBody(op, generic, captured(*op.op()));
  }

  void writeCopy(const PointStep& step, const std::vector<Value>& operands,
                 const std::vector<unsigned>& batch) {
    const Location location = step.op->location();
    const auto& source = program_.memory[step.memory[0]].batch;
    const auto& target = program_.memory[step.memory[1]].batch;
    if (source == target) {
      memref::CopyOp::create(builder_, location, operands[0], operands[1]);
      return;
    }
    const auto rank = static_cast<unsigned>(program_.memory[step.memory[0]].sizes.size());
    const AffineMap plain = AffineMap::identity(builder_.context(), rank);
    const AffineMap maps[] = {mapOf(plain, step.memory[0], batch),
                              mapOf(plain, step.memory[1], batch)};
    const std::vector<IteratorKind> loops(batch.size() + rank, IteratorKind::Parallel);
    const std::span<const Value> all(operands);
    StructuredOp generic =
        linalg::createGeneric(builder_, location, all.first(1), all.subspan(1), maps, loops);
    Builder::atEnd(generic.body()).create(location, "linalg.yield", {generic.bodyArgument(0)}, {});
  }

  void writeReshape(const PointStep& step) {
    const auto shift = static_cast<int64_t>(program_.memory[step.memory[0]].batch.size());
    memref::Reassociation groups;
    for (int64_t i = 0; i < shift; ++i)
      groups.push_back({i});
    for (std::vector<int64_t> group : memref::ReshapeView(step.op).reassociation()) {
      for (int64_t& at : group)
        at += shift;
      groups.push_back(std::move(group));
    }
    const Value source = valueOf(step.memory[0]);
    const Location location = step.op->location();
    values_[step.memory[1]] =
        step.op->is("memref.expand_shape")
            ? memref::ExpandShapeOp::create(builder_, location, source, sizesOf(step.memory[1]),
                                            groups)
                  .result()
            : memref::CollapseShapeOp::create(builder_, location, source, groups).result();
  }

  const PointProgram& program_;
  Operation& launch_;
  Builder builder_;
  std::vector<Value> values_, allocs_;
  std::unordered_map<Value, Value> constants_;
  IRMapping mapping_;
};

class LaunchToLinalg : public Pass {
 public:
  LaunchToLinalg()
      : Pass("air-launch-to-linalg",
             "Launches of linalg ops on parts become linalg ops on arrays") {
    anchor("func.func");
    example("airlite-opt --air-launch-to-linalg in.mlir");
  }

  PassResult run(Operation& function, PassContext& context) override {
    std::vector<Operation*> launches;
    function.walk([&](Operation& op) {
      if (isa<air::LaunchOp>(&op)) launches.push_back(&op);
    });
    bool isChanged = false;
    for (Operation* launch : launches)
      isChanged |= convert(*launch, context);
    return isChanged ? PassResult::Changed : PassResult::Unchanged;
  }

 private:
  static bool convert(Operation& launch, PassContext& context) {
    std::optional<PointProgram> program = readPoints(air::LaunchOp(&launch), context);
    if (!program) return false;
    dropPassedCopies(*program);
    if (const std::string_view why = joinPoints(*program); !why.empty()) {
      context.remark(launch, std::string("the launch stays a grid: ") += why);
      return false;
    }
    for (CountedEffect effect : {CountedEffect::Store, CountedEffect::Dma})
      context.declareEffectChange(effect, "steps of all points are done at once");
    PointWriter(*program, launch).run();
    launch.erase();
    return true;
  }
};

}  // namespace

void registerLaunchToLinalg(PassRegistry& registry) { registry.add<LaunchToLinalg>(); }

}  // namespace airlite
