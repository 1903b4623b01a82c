// air-gpu: the recipe of the compiler for GPUs, from linalg ops and parallel loops to launches whose segments are
// workgroups, whose herds are waves, whose L2 is LDS and whose L1 is registers. docs/gpu.md describes
// what it makes.
#include "airlite/pass/Pass.hpp"

namespace airlite {

namespace {

class GpuRecipe : public Recipe {
 public:
  GpuRecipe()
      : Recipe("air-gpu", "Everything between linalg ops or parallel loops and kernels of a GPU") {
    option("device", device_, "the GPU: gfx90a, gfx942, gfx1100 or gfx1201");
    option("block", block_, "rows and columns of a workgroup of a product; none: chosen");
    option("exact", exact_, "floats with the bits of the program: sums in the order of the loops");
    option("buffers", buffers_, "tiles of each factor of a product in LDS, 1 or 2; 0: chosen");
    option("workgroups", workgroups_,
           "so many take the blocks of a product in turns; 0: chosen, -1: one for each block");
    example("airlite-opt --pipeline='air-gpu{device=gfx942}' in.mlir");
  }

  PassList passes() const override {
    PassUse products = {"air-gpu-products", {{"device", device_}, {"buffers", buffers_}}};
    if (workgroups_) products.options.push_back({"workgroups", workgroups_});
    if (exact_) products.options.push_back({"exact", true});
    if (!block_.empty()) products.options.push_back({"block", block_});
    PassList all = {{"inline"},
                    {"air-loops-to-linalg", {{"reductions", true}}},
                    {"air-bufferize-linalg", {{"required", true}}},
                    {"air-copy-to-linalg"},
                    {"air-decompose-softmax"},
                    {"air-decompose-packs"},
                    {"scf-forall-to-parallel"},
                    {"lower-affine"},
                    {"air-gpu-loops", {{"device", device_}}}};
    if (!exact_) all.push_back({"air-gpu-attention", {{"device", device_}}});
    all.push_back({"air-fold-broadcasts"});
    all.push_back({"air-collapse-rows", {{"products", true}}});
    all.push_back(products);
    if (!exact_) {
      all.push_back(
          {"air-split-arg-extremes", {{"least-rows", int64_t{1}}, {"signed-zeros", true}}});
      all.push_back({"air-gpu-rows", {{"device", device_}}});
    }
    const PassList rest = {{"air-gpu-points", {{"device", device_}}}, {"canonicalize"}, {"cse"}};
    all.insert(all.end(), rest.begin(), rest.end());
    return all;
  }

 private:
  std::string device_ = "gfx942";
  std::vector<int64_t> block_;
  int64_t buffers_ = 0, workgroups_ = 0;
  bool exact_ = false;
};

}  // namespace

void registerGpuRecipe(PassRegistry& registry) { registry.addRecipe<GpuRecipe>(); }

}  // namespace airlite
