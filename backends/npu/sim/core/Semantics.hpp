// The groups of instruction forms whose meaning is known. A row stands for all forms of a mnemonic,
// with `.2d` and `.3d` left out: addresses are made elsewhere, and operands have their widths.
#pragma once

#include "Operation.hpp"

#include <span>
#include <string_view>

namespace airlite::npu::sim::core {

struct SemanticRow {
  std::string_view mnemonic;
  Semantic semantic;
};

std::span<const SemanticRow> scalarSemantics();      ///< integer ALU of the slot alu
std::span<const SemanticRow> moveSemantics();        ///< between registers, and pointers
std::span<const SemanticRow> controlSemantics();     ///< jumps, done, event
std::span<const SemanticRow> waitingSemantics();     ///< locks, streams, cascade
std::span<const SemanticRow> memorySemantics();      ///< loads and stores without conversion
std::span<const SemanticRow> vectorAluSemantics();   ///< lanes of integers, compare, select
std::span<const SemanticRow> vectorMoveSemantics();  ///< broadcast, extract, insert, shift
std::span<const SemanticRow> shiftRoundSemantics();  ///< srs, ups
std::span<const SemanticRow> conversionSemantics();  ///< pack, unpack, bf16 and f32
std::span<const SemanticRow> accumulateSemantics();  ///< lanes of accumulators
std::span<const SemanticRow> multiplySemantics();    ///< the matrix unit

}  // namespace airlite::npu::sim::core
