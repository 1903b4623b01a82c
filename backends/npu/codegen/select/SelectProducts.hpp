// Products of lanes of integers, through accumulators (docs/hardware/vector_facts.md, section 3).
#pragma once

#include "LateStores.hpp"
#include "RowPlaces.hpp"

#include <cstdint>
#include <tuple>

namespace airlite::npu::codegen {

/// A product of lanes of 16 bits in 32 bits, from the same half of two registers: it is computed from
/// the lanes as they are before they are widened.
bool isShortProduct(Operation& op);

class ProductSelector {
 public:
  ProductSelector(Emitter& emitter, Values& values, RowPlaces& rows, LateStores& lateStores)
      : emitter_(emitter),
        values_(values),
        rows_(rows),
        lateStores_(lateStores),
        shortProducts_(emitter) {}

  bool selectProduct(Operation& op);

 private:
  void multiplyShort(Operation& op);
  void multiplyAll8(Operation& op, Operand a, Operand b);
  void multiply8(Operation& op, Operand a, Operand b);
  void multiply16(Operation& op, Operand sums);
  void multiply32(Operand to, Operand a, Operand b);
  Operand products16(Operand a, Operand b);
  void narrowWraps(isa::Form form, Operand to, Operand sums);

  Emitter& emitter_;
  Values& values_;
  RowPlaces& rows_;
  LateStores& lateStores_;
  /// By the registers of the factors and the configuration.
  BlockCache<std::tuple<int32_t, int32_t, uint32_t>> shortProducts_;
};

}  // namespace airlite::npu::codegen
