// airlite-example-reference: inputs and expected outputs of the examples as .npy files.
//
// Each reference is the definition of the function in xtensor, in the order of operations that the
// example states, so that the results can be compared bit by bit wherever that order is fixed.
#include <xtensor/xarray.hpp>
#include <xtensor/xbuilder.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnpy.hpp>
#include <xtensor/xrandom.hpp>
#include <xtensor/xtensor.hpp>
#include <xtensor/xview.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <string>

namespace {

using Shape = std::vector<size_t>;

/// Writes argument N of an example as N.npy.
class Files {
 public:
  explicit Files(std::filesystem::path folder) : folder_(std::move(folder)) {}
  template <class Array> void write(unsigned number, const Array& array) const {
    xt::dump_npy((folder_ / (std::to_string(number) + ".npy")).string(), array);
  }

 private:
  std::filesystem::path folder_;
};

xt::xarray<float> randomFloats(const Shape& shape) {
  return xt::random::rand<float>(shape, -1.0f, 1.0f);
}

/// out = a * b for matrices, summed in the order of the inner dimension.
template <class Out, class In>
xt::xarray<Out> product(const xt::xarray<In>& a, const xt::xarray<In>& b) {
  size_t rows = a.shape(0), depth = a.shape(1), columns = b.shape(1);
  xt::xarray<Out> out = xt::zeros<Out>({rows, columns});
  for (size_t k = 0; k < depth; ++k) {
    auto left = xt::cast<Out>(xt::view(a, xt::all(), xt::range(k, k + 1)));
    auto right = xt::cast<Out>(xt::view(b, xt::range(k, k + 1), xt::all()));
    out += left * right;
  }
  return out;
}

void vectorAdd(const Files& files) {
  xt::xarray<float> a = randomFloats({65536}), b = randomFloats({65536});
  files.write(0, a);
  files.write(1, b);
  files.write(2, xt::xarray<float>(a + b));
}

void matmul(const Files& files) {
  xt::xarray<float> a = randomFloats({256, 256}), b = randomFloats({256, 256});
  files.write(0, a);
  files.write(1, b);
  files.write(2, product<float>(a, b));
}

void matmulI8(const Files& files) {
  xt::xarray<int8_t> a = xt::cast<int8_t>(xt::random::randint<int>({128, 128}, -128, 128));
  xt::xarray<int8_t> b = xt::cast<int8_t>(xt::random::randint<int>({128, 128}, -128, 128));
  files.write(0, a);
  files.write(1, b);
  files.write(2, product<int32_t>(a, b));
}

void softmax(const Files& files) {
  xt::xarray<float> in = 4.0f * randomFloats({64, 256});
  // Reductions are evaluated first: xtensor 0.24 broadcasts unevaluated ones wrongly.
  xt::xarray<float> largest = xt::amax(in, {1}, xt::keep_dims);
  xt::xarray<double> powers = xt::exp(xt::cast<double>(in) - largest);
  xt::xarray<double> total = xt::sum(powers, {1}, xt::keep_dims);
  xt::xarray<float> out = powers / total;
  files.write(0, in);
  files.write(1, out);
}

void conv2d(const Files& files) {
  xt::xarray<float> in = randomFloats({4, 34, 34}), weight = randomFloats({8, 4, 3, 3});
  xt::xarray<float> out = xt::zeros<float>({8, 32, 32});
  for (size_t c = 0; c < 4; ++c)
    for (size_t dy = 0; dy < 3; ++dy)
      for (size_t dx = 0; dx < 3; ++dx) {
        auto pixels =
            xt::view(in, xt::newaxis(), c, xt::range(dy, dy + 32), xt::range(dx, dx + 32));
        auto taps = xt::view(weight, xt::all(), c, dy, dx, xt::newaxis(), xt::newaxis());
        out += pixels * taps;
      }
  files.write(0, in);
  files.write(1, weight);
  files.write(2, out);
}

const std::map<std::string, std::function<void(const Files&)>> kExamples = {
    {"conv2d", conv2d},   {"matmul", matmul},        {"matmul_i8", matmulI8},
    {"softmax", softmax}, {"vector_add", vectorAdd},
};

int usage() {
  std::cerr << "usage: airlite-example-reference EXAMPLE [--seed=N] --out DIR\n"
               "writes argument N of the example as DIR/N.npy; the last is the expected output\n"
               "examples:";
  for (const auto& [name, write] : kExamples)
    std::cerr << " " << name;
  std::cerr << "\n";
  return 2;
}

int run(int argc, char** argv) {
  std::string example, folder;
  unsigned long seed = 1;
  for (int i = 1; i < argc; ++i) {
    std::string text = argv[i];
    if (text == "--out" && i + 1 < argc)
      folder = argv[++i];
    else if (text.starts_with("--seed="))
      seed = std::stoul(text.substr(7));
    else if (!text.starts_with("-") && example.empty())
      example = text;
    else
      return usage();
  }
  auto found = kExamples.find(example);
  if (found == kExamples.end() || folder.empty()) return usage();
  std::filesystem::create_directories(folder);
  xt::random::seed(static_cast<xt::random::seed_type>(seed));
  found->second(Files(folder));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "airlite-example-reference: error: " << error.what() << "\n";
    return 1;
  }
}
