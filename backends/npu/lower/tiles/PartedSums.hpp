// Sums that a core makes in a buffer, product by product, and that could leave in parts.
//
//   if (std::optional<PartedSums> sums = findPartedSums(buffer)) rewrite(*sums);
#pragma once

#include "airlite/dialect/Aie.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/Scf.hpp"

#include <optional>
#include <vector>

namespace airlite::npu {

/// What a core does until it takes the factors of the next product: it has one product.
using Segment = std::vector<Operation*>;

/// A core fills a buffer with what sums begin with, adds products to it, and then has its DMA send it, or makes results of it
/// in a loop. SendInParts.cpp shows both.
struct PartedSums {
  aie::BufferOp buffer;
  Operation* fill = nullptr;
  scf::ForOp loop;                 // of products; null: each is made once
  std::vector<Segment> segments;   // of a round of the loop, or of the program
  std::vector<Operation*> before;  // after the products: what comes without the sums
  unsigned dim = 0;                // of the buffer, along which its parts are
  int64_t parts = 0;
  // Where the DMA sends them: its descriptor, where the core takes the buffer and gives it, and what it makes of the sums before.
  Block* descriptor = nullptr;
  Operation* taken = nullptr;
  Operation* given = nullptr;
  std::vector<linalg::StructuredOp> epilogue;
  std::vector<Operation*> after;  // the epilogue: locks of what it has read
  // Else: the loop that makes results of them.
  scf::ForOp results;

  int64_t rounds() const { return loop ? *loop.tripCount() : 1; }
  int64_t partSize() const { return buffer.type().shape()[dim] / parts; }
};

/// None where `buffer` is something else, or where parts would take longer than what they save.
std::optional<PartedSums> findPartedSums(aie::BufferOp buffer);

}  // namespace airlite::npu
