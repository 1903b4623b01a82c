// air-npu: the recipe of the compiler, from linalg ops or a loop nest to the placed, pipelined,
// asynchronous program that the NPU back-end maps. docs/recipe.md walks through it.
#include "airlite/pass/Pass.hpp"
#include "airlite/transform/ArrayDefaults.hpp"
#include "airlite/transform/FloatUnits.hpp"

#include <string>
#include <vector>

namespace airlite {

namespace {

class NpuRecipe : public Recipe {
 public:
  NpuRecipe() : Recipe("air-npu", "Everything between linalg ops or loops and the NPU back-end") {
    option("herd", herd_, "cores of a herd along its dimensions, at most");
    option("l1-tile", coreTile_, "elements per loop that a core computes at a time; none: chosen");
    option("l2-tile", copyTile_, "elements per reduction loop of one copy into L2; none: as L1");
    option("raise-loops", raiseLoops_, "loops on arrays of the host become linalg ops");
    option("pack", pack_, "lay L1 tiles out in blocks of the matrix unit");
    option("blocks", blocks_, "block size per loop; none: by element type, for products");
    option("device", deviceName_, "whose vector and matrix units cores have");
    option("grow", grow_, "tiles of cores as long as L1 allows");
    option("rows", rows_, "tiles of reductions keep rows that fill vectors");
    option("fuse", fuse_, "make one nest of ops on rows, and rows of elementwise ops");
    option("split", split_,
           "functions of floats in the body of an op, at most; 0: any number (air-split-long-ops), "
           "else ops on rows are no one nest");
    option("exact", exact_, "floats with the bits of the program as it is, not the matrix unit's");
    option("float-blocks", floatBlocks_,
           "of AIE2P: multiply matrices of bf16 in blocks that share exponents");
    option("l1-bytes", l1Bytes_, "L1 memory of a core that tiles may take");
    option("fuse-channels", fuseChannels_,
           "transfers of cores that follow each other share a channel");
    option("packets", packets_,
           "what cores get from the host comes as packets, which share shim channels");
    option("l2", useL2_, "bring operands into L2 first");
    option("reuse", reuse_, "keep in L2 what several tiles of a product of matrices use");
    option(
        "product-plan", productPlan_,
        "of products of matrices: cores along rows and columns, rows, columns and reduction of the "
        "tile of a core, 1 without or 2 with rounds; 0 or none: chosen");
    option("list-plans", listedPlans_, "remarks with so many plans of a product");
    option("l2-part", leastPart_,
           "bytes that a launch moves of each part of a split buffer in L2, at least");
    option("num-rows", numRows_, "rows of cores to place herds on");
    option("num-cols", numCols_, "columns of cores to place herds on");
    option("row-anchor", rowAnchor_, "first row of cores");
    option("col-anchor", colAnchor_, "first column of cores");
    example("airlite-opt --pipeline='air-npu{herd=4,4}' examples/npu/matmul_i32.mlir");
  }

  PassList passes() const override {
    PassList all;
    for (const PassList& part : {convert(), movement(), schedule(), place()})
      all.insert(all.end(), part.begin(), part.end());
    all.push_back({"air-join-window-rows", {{"l1-bytes", l1Bytes_}}});
    all.push_back({"air-align-rows", {{"l1-bytes", l1Bytes_}}});
    if (deviceName_ != device_.name)
      all.back().options.push_back({"bytes", vectorAlignment(deviceName_)});
    if (!exact_) {
      all.push_back({"air-vectorize-reductions"});
      if (int64_t sums = sumsOfLoops(deviceName_)) all.back().options.push_back({"sums", sums});
      all.push_back({"air-fast-floats"});
      if (deviceName_ != device_.name) all.back().options.push_back({"device", deviceName_});
      if (floatBlocks_) all.back().options.push_back({"float-blocks", true});
      all.push_back({"canonicalize"});
      all.push_back({"cse"});
    }
    return all;
  }

 private:
  PassUse tileLinalg() const {
    PassUse tile = {"air-tile-linalg", {{"herd", herd_}, {"l1-bytes", bytesOfTiles()}}};
    if (!pack_) tile.options.push_back({"pack", false});
    if (!grow_) tile.options.push_back({"grow", false});
    if (!rows_) tile.options.push_back({"rows", false});
    if (!exact_) tile.options.push_back({"matrix-sums", true});
    if (floatBlocks_) tile.options.push_back({"float-blocks", true});
    if (!useL2_) tile.options.push_back({"l2", false});
    if (reuse_) tile.options.push_back({"l2-bytes", l2Bytes(device_) / device_.columns * numCols_});
    if (!coreTile_.empty()) tile.options.push_back({"l1-tile", coreTile_});
    if (!copyTile_.empty()) tile.options.push_back({"l2-tile", copyTile_});
    if (!blocks_.empty()) tile.options.push_back({"blocks", blocks_});
    if (!productPlan_.empty()) tile.options.push_back({"product-plan", productPlan_});
    if (listedPlans_) tile.options.push_back({"list-plans", listedPlans_});
    if (deviceName_ != device_.name) tile.options.push_back({"device", deviceName_});
    return tile;
  }

  /// Cores turn the tiles of B that become blocks, into a buffer of their own.
  int64_t bytesOfTiles() const { return floatBlocks_ ? l1Bytes_ - l1Bytes_ / 8 : l1Bytes_; }

  /// Of the memory of the host.
  int64_t requestBytes() const {
    const aie::Device* device = aie::findDevice(deviceName_);
    return aie::hostMemoryOf((device ? *device : device_).generation).requestBytes;
  }

  /// Of two dimensions.
  std::vector<int64_t> flatHerd() const {
    std::vector<int64_t> herd = herd_;
    herd.resize(2, 1);
    return herd;
  }

  /// Loops become the hierarchy, copies become DMAs.
  PassList convert() const {
    PassUse channelsLast = {"air-channels-last", {{"l1-bytes", l1Bytes_}}};
    if (exact_) channelsLast.options.push_back({"exact", true});
    PassList all = {{"inline"}, {"symbol-dce"}, {"air-split-divided-loops"}};
    if (raiseLoops_) all.push_back({"air-loops-to-linalg"});
    all.push_back({"air-loops-to-linalg", {{"herds", true}}});
    all.push_back({"air-bufferize-linalg"});
    // What ops load by themselves, or at quotients, may be views of it.
    if (raiseLoops_)
      all.insert(all.end(), {{"convert-linalg-to-loops", {{"irregular", true}}},
                             {"air-split-divided-loops"},
                             {"air-loops-to-linalg"}});
    const PassList ops = {{"air-launch-to-linalg"},
                          {"air-shape-arguments"},
                          {"air-decompose-softmax"},
                          {"air-decompose-packs"},
                          {"air-zero-points"},
                          {"air-fold-moves"},
                          {"air-copy-to-linalg"},
                          // Before an image is padded by itself.
                          channelsLast,
                          {"air-pad-on-cores", {{"l1-bytes", l1Bytes_}}},
                          {"air-views-in-words", {{"herd", flatHerd()}, {"l1-bytes", l1Bytes_}}},
                          channelsLast,
                          {"air-convolution-to-matmul"},
                          {"air-narrow-sums"},
                          {"convert-linalg-to-loops", {{"irregular", true}}},
                          {"buffer-results-to-out-params", {{"numbers", true}}},
                          {"air-bytes-of-bools"}};
    all.insert(all.end(), ops.begin(), ops.end());
    if (split_) all.push_back({"air-split-long-ops", {{"functions", split_}}});
    // A wish for the tile counts the loops of the op as they are.
    if (fuse_ && coreTile_.empty()) {
      all.push_back({"air-fold-broadcasts"});
      if (!exact_) all.push_back({"air-split-columns"});
      all.push_back({"air-vector-products"});
      all.push_back({"air-collapse-rows", {{"products", true}}});
      all.push_back(tileLinalg());
      all.back().options.push_back({"products", true});
      all.push_back({"air-collapse-rows"});
      if (!exact_) all.insert(all.end(), {{"air-split-arg-extremes"}, {"air-split-reductions"}});
      // What was split stays so.
      if (!split_) all.push_back({"air-fuse-rows", {{"herd", flatHerd()}, {"l1-bytes", l1Bytes_}}});
      // Then nothing joins them again.
      all.push_back({"air-split-outputs"});
      all.push_back({"air-flatten-loops", {{"herd", flatHerd()}, {"l1-bytes", l1Bytes_}}});
    }
    const PassList rest = {tileLinalg(),
                           {"air-share-loops", {{"herd", flatHerd()}, {"l1-bytes", l1Bytes_}}},
                           {"air-loops-to-cores", {{"herd", herd_}, {"l1-bytes", l1Bytes_}}},
                           {"air-par-to-herd", {{"depth", 1}}},
                           {"air-par-to-launch", {{"has-air-segment", true}}},
                           {"air-copy-to-dma"},
                           {"air-copy-to-linalg", {{"herds", true}}},
                           {"scf-forall-to-parallel", {{"around-transfers", true}}},
                           {"lower-affine", {{"around-transfers", true}}},
                           {"air-split-decided-rounds"},
                           {"canonicalize"},
                           {"cse"}};
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  }

  /// Tokens, broadcast, DMAs to channels.
  PassList movement() const {
    PassList all = {{"air-dependency", {{"keep-channel-order", true}}},
                    {"air-dependency-schedule-opt"},
                    {"air-specialize-dma-broadcast"},
                    {"air-dma-to-channel"}};
    if (packets_) all.back().options.push_back({"force-packet-inputs", true});
    if (fuseChannels_)
      all.push_back({"air-fuse-channels", {{"aggressive-mode", std::vector<std::string>{"L1"}}}});
    const PassList rest = {
        {"air-sink-loops-into-herds"}, {"canonicalize"}, {"cse"}, {"air-dependency-canonicalize"}};
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  }

  /// L2 per memory tile, one loop nest per transfer, one step of a reduction in L2, two buffers for
  /// one, loops into transfers.
  PassList schedule() const {
    // Each column has a shim with a DMA.
    const int64_t channels = device_.limits(aie::TileKind::ShimNoc).channels * numCols_;
    PassUse split = {"air-split-l2-memref",
                     {{"max-launch-channels-mm2s", channels},
                      {"max-launch-channels-s2mm", channels},
                      {"least-row", kLeastRowBytes}}};
    // Then parts are worth their transfers, however few cores there are.
    if (leastPart_)
      split.options.insert(
          split.options.end(),
          {{"least-part", leastPart_}, {"tiles-per-l2-tile", 1}, {"request", requestBytes()}});
    return {split,
            {"air-isolate-async-dma-loop-nests", {{"scope", "func"}, {"unroll-parallels", true}}},
            {"canonicalize"},
            {"cse"},
            {"air-loop-fusion"},
            {"air-shrink-memref-sizes-by-access"},
            {"air-label-scf-for-to-ping-pong"},
            {"air-ping-pong-transform", {{"keep-memref-dealloc", true}}},
            {"air-specialize-channel-wrap-and-stride", {{"scope", "func"}}},
            {"canonicalize"},
            {"cse"}};
  }

  PassList place() const {
    return {{"air-place-herds",
             {{"num-rows", numRows_},
              {"num-cols", numCols_},
              {"row-anchor", rowAnchor_},
              {"col-anchor", colAnchor_}}},
            {"air-renumber-dma"}};
  }

  const aie::Device& device_ = aie::defaultNpu();
  std::vector<int64_t> herd_ = wholeHerd(device_), coreTile_, copyTile_, blocks_, productPlan_;
  std::string deviceName_{device_.name};
  bool raiseLoops_ = true, pack_ = true, useL2_ = true, exact_ = false, grow_ = true, rows_ = true,
       fuse_ = true, reuse_ = true, floatBlocks_ = false, fuseChannels_ = false, packets_ = false;
  int64_t l1Bytes_ = tileBytes(device_), leastPart_ = 0, listedPlans_ = 0, split_ = 0;
  int64_t numRows_ = device_.coreRows(), numCols_ = device_.columns;
  int64_t rowAnchor_ = device_.firstCoreRow(), colAnchor_ = 0;
};

}  // namespace

void registerNpuRecipe(PassRegistry& registry) { registry.addRecipe<NpuRecipe>(); }

}  // namespace airlite
