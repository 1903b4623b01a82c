#include "Recipes.hpp"

#include "airlite/dialect/Air.hpp"
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Scf.hpp"
#include "airlite/pass/Pipeline.hpp"
#include "airlite/transform/ArrayDefaults.hpp"
#include "airlite/transform/FloatUnits.hpp"
#include "airlite/transform/LongOps.hpp"
#include "airlite/transform/Passes.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace airlite::npu {
namespace {

/// Shapes of herds, columns first, in the order in which they are tried after all of the array. Each
/// column costs transfers of its own, which the host starts one after the other.
constexpr std::pair<int64_t, int64_t> kSmallerHerds[] = {{4, 4}, {2, 4}, {4, 2}, {2, 2}, {1, 4},
                                                         {4, 1}, {1, 2}, {2, 1}, {1, 1}};

/// Functions of floats in the body of an op that program memory has room for: of most kinds, and of the longest ones.
constexpr int64_t kFunctionsOfOps[] = {12, 6};

/// What a program leaves to the compiler.
struct Shape {
  bool makesHerds = false;
  bool hasSegmentInstances = false;
  bool segmentsCompute = false;  ///< on L2 memory, or copy inside of it
  bool hasFloats = false;        ///< which units may compute in other ways
  bool hasReductions = false;    ///< whose rows may be cut, or not
  bool hasProducts = false;      ///< of matrices
  bool hasCoreCopies = false;    ///< DMAs that cores begin themselves
  bool hasChannels = false;
  bool exchangesWithHost = false;  ///< by channels of a launch
  bool coresExchange = false;      ///< data, by channels
  bool hasLoops = false;           ///< of the host that store elements
  int64_t mostFunctions = 0;       ///< of floats in the body of an op
  bool segmentsExchange = false;   ///< data, by channels
  bool launchesShareChannels = false;
  int64_t mostCores = 0;  ///< of a herd, as far as its sizes are constants
};

/// Than the passes' default.
bool isOfOtherGeneration(const aie::Device& target) {
  return target.generation != aie::defaultNpu().generation;
}

/// Of a segment itself: it touches L2 memory, and is neither a transfer to another place nor memory that comes or goes.
bool computesOnL2(Operation& op) {
  if (op.parentOfName("air.herd") || !op.parentOfName("air.segment")) return false;
  const auto isL2 = [](Value operand) {
    return operand.type().isa<MemRefType>() &&
           air::memoryLevel(operand.type()) == air::MemoryLevel::L2;
  };
  const auto inL2 = std::ranges::count_if(op.operands(), isL2);
  if (op.is("air.dma_memcpy_nd") || op.is("memref.copy")) return inL2 == 2;
  return inL2 > 0 && (linalg::asStructured(&op) || op.is("memref.load") || op.is("memref.store") ||
                      op.is("affine.load") || op.is("affine.store"));
}

/// Some channel has ends in two segments of a launch.
bool exchangesBetweenSegments(Operation& module) {
  std::map<std::pair<Operation*, std::string>, Operation*> segments;
  bool found = false;
  module.walk([&](Operation& op) {
    Operation* segment = air::isChannelAccess(op) ? op.parentOfName("air.segment") : nullptr;
    if (!segment) return;
    const std::pair key(segment->parentOfName("air.launch"),
                        std::string(air::ChannelAccessOp(&op).channelName()));
    found |= segments.try_emplace(key, segment).first->second != segment;
  });
  return found;
}

bool callsLaunch(Operation& op) {
  const auto call = dynCast<func::CallOp>(&op);
  const func::FuncOp callee = call ? call.function() : func::FuncOp();
  return callee && callee->walkWith([](Operation& inner) {
    return airlite::isa<air::LaunchOp>(&inner) ? WalkResult::Interrupt : WalkResult::Advance;
  }) == WalkResult::Interrupt;
}

/// Some channel has ends in two launches, or in one that a called function has: each call is one.
bool sharesChannelsOfLaunches(Operation& module) {
  std::map<std::string, Operation*> launches;
  bool found = false;
  module.walk([&](Operation& op) {
    found |= callsLaunch(op);
    if (!air::isChannelAccess(op)) return;
    Operation* launch = op.parentOfName("air.launch");
    const std::string name(air::ChannelAccessOp(&op).channelName());
    found |= launches.try_emplace(name, launch).first->second != launch;
  });
  return found;
}

/// Some channel has cores at both ends.
bool exchangesBetweenCores(Operation& module) {
  std::map<std::string, std::pair<bool, bool>> ends;
  module.walk([&](Operation& op) {
    if (!air::isChannelAccess(op) || !op.parentOfName("air.herd")) return;
    const air::ChannelAccessOp access(&op);
    auto& [puts, gets] = ends[std::string(access.channelName())];
    (access.isPut() ? puts : gets) = true;
  });
  return std::ranges::any_of(ends,
                             [](const auto& end) { return end.second.first && end.second.second; });
}

bool storesInLoop(Operation& op) {
  const bool stores = op.is("memref.store") || op.is("affine.store");
  return stores && !op.parentOp()->is("func.func") && !op.parentOfName("air.launch") &&
         !op.parentOfName("air.segment") && !op.parentOfName("air.herd");
}

Shape shapeOf(Operation& module) {
  Shape shape;
  module.walk([&](Operation& op) {
    for (Type type : op.resultTypes())
      shape.hasFloats |= elementTypeOrSelf(type).isFloat();
    shape.mostFunctions = std::max(shape.mostFunctions, functionsIn(op));
    shape.segmentsCompute |= computesOnL2(op);
    shape.hasChannels |= air::isChannelAccess(op);
    shape.hasLoops |= storesInLoop(op);
    shape.exchangesWithHost |=
        air::isChannelAccess(op) && !op.parentOfName("air.segment") && !op.parentOfName("air.herd");
    if (const auto herd = dynCast<air::HerdOp>(&op)) {
      int64_t cores = 1;
      for (const int64_t size : herd.constantSizes().value_or(std::vector<int64_t>()))
        cores *= size;  // the verifier bounds the product
      shape.mostCores = std::max(shape.mostCores, cores);
    }
    shape.hasCoreCopies |=
        (op.is("air.dma_memcpy_nd") || op.is("memref.copy")) && op.parentOfName("air.herd");
    const linalg::StructuredOp structured = linalg::asStructured(&op);
    shape.hasReductions |= structured && structured.reduces();
    shape.hasProducts |= structured && linalg::multipliesMatrices(structured);
  });
  shape.segmentsExchange = exchangesBetweenSegments(module);
  shape.launchesShareChannels = sharesChannelsOfLaunches(module);
  shape.coresExchange = exchangesBetweenCores(module);
  module.walkWith([&](Operation& op) {
    if (airlite::isa<air::HerdOp>(&op)) return WalkResult::Skip;
    shape.hasSegmentInstances |=
        airlite::isa<air::SegmentOp>(&op) && air::SegmentOp(&op).numDims() != 0;
    const bool isLoop = airlite::isa<scf::ParallelOp>(&op) || airlite::isa<scf::ForallOp>(&op);
    shape.makesHerds |= static_cast<bool>(linalg::asStructured(&op)) || op.is("linalg.softmax") ||
                        (isLoop && airlite::isa<func::FuncOp>(op.parentOp()));
    return WalkResult::Advance;
  });
  return shape;
}

/// Fewer transfers, which may need more of the channels of one memory tile.
PassUse wholeBuffers(PassUse recipe) {
  recipe.options.push_back({"l2-part", kLeastPartBytes});
  return recipe;
}

/// Transfers of short tiles have fewer dimensions.
PassUse shortTiles(PassUse recipe) {
  recipe.options.push_back({"grow", false});
  return recipe;
}

/// Rows of reductions are cut too, so that cores share windows along fewer dimensions.
PassUse cutRows(PassUse recipe) {
  recipe.options.push_back({"rows", false});
  return recipe;
}

/// Each op has a launch of its own, so cores need less program memory and fewer buffers.
PassUse singleOps(PassUse recipe) {
  recipe.options.push_back({"fuse", false});
  return recipe;
}

/// Ops with long bodies become several, each with a launch of its own.
PassUse splitOps(PassUse recipe, int64_t functions) {
  recipe.options.push_back({"split", functions});
  return recipe;
}

/// Nothing stays in L2 from one tile to the next.
PassUse withoutReuse(PassUse recipe) {
  recipe.options.push_back({"reuse", false});
  return recipe;
}

void keepLoops(PassList& recipe) {
  for (PassUse& pass : recipe)
    if (pass.name == "air-npu") pass.options.push_back({"raise-loops", false});
}

/// All of the array first.
std::vector<std::vector<int64_t>> herdsOf(const aie::Device& target) {
  std::vector<std::vector<int64_t>> herds = {wholeHerd(target)};
  for (auto [columns, rows] : kSmallerHerds)
    if (columns <= target.columns && (columns != target.columns || rows != target.coreRows()))
      herds.push_back({columns, rows});
  return herds;
}

std::vector<PassList> herdRecipes(const aie::Device& target, const Shape& shape, FloatsOf floats) {
  std::vector<PassUse> uses;
  for (const std::vector<int64_t>& herd : herdsOf(target)) {
    const PassUse use = recipeFor(target, floats, herd);
    uses.insert(uses.end(), {wholeBuffers(use), use, shortTiles(use)});
    if (shape.hasProducts && uses.size() == 3)
      uses.insert(uses.end(), {withoutReuse(wholeBuffers(use)), withoutReuse(use)});
  }
  // Of the largest herds only: what one core cannot hold no shape of the herd helps. The smallest herd
  // stays last.
  const size_t ofLargest = shape.hasProducts ? 8 : 6;
  std::vector<PassUse> single;
  for (size_t i = 0; i < std::min(ofLargest, uses.size()); ++i)
    single.push_back(singleOps(uses[i]));
  uses.insert(uses.end() - 3, single.begin(), single.end());
  std::vector<PassUse> split;
  for (const int64_t functions : kFunctionsOfOps)
    if (shape.mostFunctions > functions) split.push_back(splitOps(uses.front(), functions));
  uses.insert(uses.begin() + 1, split.begin(), split.end());
  std::vector<PassList> recipes;
  for (const PassUse& use : uses)
    recipes.push_back({use});
  if (shape.hasReductions)
    for (const PassUse& use : uses)
      recipes.push_back({cutRows(use)});
  // What the matrix unit's sums have no room for, and what floats by its units cannot have.
  if (shape.hasFloats && floats == FloatsOf::Units)
    for (const std::vector<int64_t>& herd : herdsOf(target))
      recipes.push_back({shortTiles(recipeFor(target, FloatsOf::Program, herd))});
  return recipes;
}

/// Of a program that says itself what its cores do.
std::vector<PassList> recipesOfOwnHerds(const aie::Device& target, const Shape& shape,
                                        FloatsOf floats) {
  const PassUse loops = {"air-loops-to-linalg", {{"herds", true}}};
  const PassList asItIs = {{"inline"},
                           {"air-hoist-segment-transfers"},
                           {"air-shrink-core-slabs"},
                           loops,
                           {"canonicalize"}},
                 sinking = {{"inline"},
                            {"air-hoist-segment-transfers"},
                            {"air-shrink-core-slabs"},
                            {"air-sink-loops-into-herds"},
                            loops,
                            {"canonicalize"}};
  if (floats == FloatsOf::Program || !shape.hasFloats) return {asItIs, sinking};
  PassUse reductions = {"air-vectorize-reductions"};
  if (const int64_t sums = sumsOfLoops(target.name)) reductions.options.push_back({"sums", sums});
  PassUse fastFloats = {"air-fast-floats"};
  if (isOfOtherGeneration(target))
    fastFloats.options.push_back({"device", std::string(target.name)});
  if (floats == FloatsOf::Blocks) fastFloats.options.push_back({"float-blocks", true});
  auto withFastFloats = [&](PassList recipe) {
    for (const PassUse& pass : PassList{reductions, fastFloats, {"canonicalize"}, {"cse"}})
      recipe.push_back(pass);
    return recipe;
  };
  if (floats == FloatsOf::Blocks) return {withFastFloats(asItIs), withFastFloats(sinking)};
  return {withFastFloats(asItIs), withFastFloats(sinking), asItIs, sinking};
}

/// Transfers of a core that follow each other share a channel.
PassList fuseTransfers(const aie::Device& target, FloatsOf floats) {
  PassUse recipe = recipeFor(target, floats);
  recipe.options.push_back({"fuse-channels", true});
  return {recipe};
}

/// Cores stay as many as they are, in another shape; what many of them exchange with the host goes by way of L2.
PassList keepCores(const aie::Device& target, FloatsOf floats) {
  return {
      {"inline"},
      {"scf-forall-to-parallel", {{"around-transfers", true}}},
      {"lower-affine", {{"around-transfers", true}}},
      {"air-collapse-herd", {{"array", std::vector<int64_t>{target.columns, target.coreRows()}}}},
      {"canonicalize"},
      {"air-group-host-places", {{"groups", target.columns}}},
      recipeFor(target, floats)};
}

/// What cores get from the host comes as packets.
PassList sendPackets(const aie::Device& target, FloatsOf floats) {
  PassUse recipe = recipeFor(target, floats);
  recipe.options.push_back({"packets", true});
  return {recipe};
}

/// Of herds that copy for themselves, and have more cores or transfers than the array: fewer cores, by
/// way of L2; in the end one core, which holds all that it copies and takes any bytes of it. What cores
/// exchange with the host through channels they can copy as well.
std::vector<PassList> fittingRecipes(const aie::Device& target, FloatsOf floats, bool hasChannels) {
  std::vector<PassList> recipes;
  auto add = [&](std::vector<int64_t> cores, std::string stage, bool fuses) {
    PassList recipe = {{"inline"}};
    if (hasChannels) {
      recipe.push_back({"scf-forall-to-parallel", {{"around-transfers", true}}});
      recipe.push_back({"lower-affine", {{"around-transfers", true}}});
      recipe.push_back({"air-channel-to-dma"});
    }
    const PassList fitting = {
        {"air-insert-launch-around-herd", {{"insert-segment", true}}},
        {"air-copy-to-dma"},
        {"air-fit-herds", {{"cores", std::move(cores)}, {"stage", std::move(stage)}}},
        {"canonicalize"}};
    recipe.insert(recipe.end(), fitting.begin(), fitting.end());
    const PassList rest =
        fuses ? fuseTransfers(target, floats) : PassList{recipeFor(target, floats)};
    recipe.insert(recipe.end(), rest.begin(), rest.end());
    recipes.push_back(std::move(recipe));
  };
  add(wholeHerd(target), "none", false);
  add(wholeHerd(target), "L2", false);
  add({2, 2}, "L2", false);
  add({1, 1}, "none", false);
  add({1, 1}, "L2", false);
  add({1, 1}, "L1", true);
  return recipes;
}

}  // namespace

FloatsOf floatsOf(const CompileOptions& options) {
  if (options.exact) return FloatsOf::Program;
  return options.floatBlocks ? FloatsOf::Blocks : FloatsOf::Units;
}

PassUse recipeFor(const aie::Device& target, FloatsOf floats, std::vector<int64_t> herd) {
  PassUse recipe = {"air-npu"};
  const bool isPart = target.name != aie::defaultNpu().name;
  if (herd.empty() && isPart) herd = wholeHerd(target);
  if (!herd.empty()) recipe.options.push_back({"herd", std::move(herd)});
  if (isPart) recipe.options.push_back({"num-cols", target.columns});
  if (isOfOtherGeneration(target)) recipe.options.push_back({"device", std::string(target.name)});
  if (floats == FloatsOf::Program) recipe.options.push_back({"exact", true});
  if (floats == FloatsOf::Blocks) recipe.options.push_back({"float-blocks", true});
  return recipe;
}

bool raiseLoops(Operation& module) {
  PassRegistry registry;
  registerAllPasses(registry);
  const auto changes = [&](const PassUse& pass) {
    Pipeline pipeline;
    return addPasses(module.context(), registry, {pass}, pipeline) &&
           runPipeline(module, pipeline).result == PassResult::Changed;
  };
  changes({"inline"});
  changes({"air-split-divided-loops"});
  return changes({"air-loops-to-linalg"});
}

std::vector<PassList> recipesFor(Operation& module, const aie::Device& target, FloatsOf floats,
                                 LoopsOf loops) {
  const Shape shape = shapeOf(module);
  std::vector<PassList> recipes = {{recipeFor(target, floats)}};
  for (const PassList& recipe : recipesOfOwnHerds(target, shape, floats))
    recipes.push_back(recipe);
  if (shape.makesHerds) recipes = herdRecipes(target, shape, floats);
  // A core that streams what loops load and store may get more from the host than it has channels, too.
  const bool mayFuse = shape.hasChannels || shape.hasCoreCopies || shape.hasLoops;
  if (mayFuse) recipes.push_back(fuseTransfers(target, floats));
  // Operands of floats that fill a core's memory leave no room for copies in tiles of the matrix unit.
  const bool mayCompute = shape.hasFloats && floats == FloatsOf::Units && !shape.makesHerds;
  if (mayCompute) recipes.push_back({recipeFor(target, FloatsOf::Program)});
  if (mayCompute && mayFuse) recipes.push_back(fuseTransfers(target, FloatsOf::Program));
  // Cores that get from more cores, then from more senders, than they have DMA channels.
  for (const bool fromAll : {false, true})
    if (shape.hasChannels)
      recipes.push_back({{"inline"},
                         {"lower-affine"},
                         {"air-split-decided-rounds"},
                         {"canonicalize"},
                         {"air-relay-gets", {{"from-all", fromAll}}},
                         recipeFor(target, floats)});
  // Cores that exchange with each other and get more from the host than it has channels.
  if (shape.hasChannels && (shape.hasCoreCopies || shape.exchangesWithHost))
    recipes.push_back(sendPackets(target, floats));
  // They cannot be fewer cores, as below.
  if (shape.coresExchange) recipes.push_back(keepCores(target, floats));
  // No other recipe has a place for more cores than there are.
  if (shape.hasCoreCopies && !shape.hasChannels &&
      shape.mostCores > target.columns * target.coreRows())
    recipes.clear();
  if (shape.hasCoreCopies || shape.exchangesWithHost)
    for (const PassList& recipe : fittingRecipes(target, floats, shape.hasChannels))
      recipes.push_back(recipe);
  if (shape.launchesShareChannels)
    for (PassList& recipe : recipes)
      recipe.insert(recipe.begin(), {PassUse{"inline"}, {"air-split-channels-by-launch"}});
  // Each segment would be loaded by itself.
  if (shape.segmentsExchange)
    for (PassList& recipe : recipes)
      recipe.insert(recipe.begin(), {PassUse{"air-dependency", {{"keep-channel-order", true}}},
                                     {"air-merge-segments"}});
  if (shape.segmentsCompute)
    for (PassList& recipe : recipes)
      recipe.insert(recipe.begin(), {PassUse{"air-segment-work-to-herds"}, {"air-copy-to-dma"}});
  if (shape.hasSegmentInstances)
    for (PassList& recipe : recipes)
      recipe.insert(recipe.begin(), PassUse{"air-unroll-segments"});
  if (loops == LoopsOf::Program)
    for (PassList& recipe : recipes)
      keepLoops(recipe);
  return recipes;
}

PassList designPasses(const aie::Device& target, bool keepsOrder) {
  return {
      {"air-to-aie",
       {{"device", std::string(target.name)},
        {"row-offset", target.firstCoreRow()},
        {"col-offset", 0},
        {"emit-while-loop", true},
        {"lock-parameters", true},
        {"overlap-l2", true}}},
      {"aie.device", {}, {{"aie-send-in-parts"}}},
      {"air-to-std"},
      // The rounds of a loop that stays would wait for what they start, whatever comes after the loop.
      {"airrt-to-npu",
       {{"join-iterations", !keepsOrder}, {"program-order", keepsOrder}, {"unroll-loops", true}}}};
}

PassList passesOfOwnDesigns() { return {{"aie-objectfifo-to-locks"}}; }

PassList corePasses() { return {{"air-aie-legalize-core", {{"vectorize", true}}}}; }

}  // namespace airlite::npu
