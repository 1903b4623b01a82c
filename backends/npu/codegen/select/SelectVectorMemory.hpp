// Loads and stores of vectors, with the changes of width that their instructions can make.
#pragma once

#include "Addressing.hpp"
#include "LateStores.hpp"
#include "RegisterRing.hpp"
#include "RowPlaces.hpp"

namespace airlite::npu::codegen {

struct WidthForms;

class VectorMemorySelector {
 public:
  VectorMemorySelector(Emitter& emitter, Values& values, RowPlaces& rows, Addressing& addressing,
                       const LateStores& lateStores)
      : emitter_(emitter),
        values_(values),
        rows_(rows),
        addressing_(addressing),
        lateStores_(lateStores),
        numbers_(emitter),
        halves_(emitter, RegClass::Vector, kHalves),
        blocks_(emitter, RegClass::Blocks, kBlocks),
        pairs_(emitter, RegClass::VectorPair, kPairs) {}

  bool selectVectorLoad(Operation& op);
  bool selectVectorStore(Operation& op);

 private:
  bool checkSum(Operation& op, Type type);
  bool checkWidths(Operation& op, Type row, Type sum);
  bool loadWide(Operation& op, const WidthForms& forms);
  bool loadTwice(Operation& op);
  bool loadBlocks(Operation& op);
  Operand takeFactor(RegisterRing& ring, Value tile);
  bool storeSums(Operation& op, const LateStores::Sums& sums);

  Emitter& emitter_;
  Values& values_;
  RowPlaces& rows_;
  Addressing& addressing_;
  const LateStores& lateStores_;
  BlockCache<int> numbers_;  ///< the accumulator in which numbers become blocks
  // Together they leave vector registers for tiles of another factor.
  static constexpr size_t kHalves = 4, kBlocks = 8, kPairs = 3;
  RegisterRing halves_, blocks_, pairs_;  ///< what is widened; factors
};

}  // namespace airlite::npu::codegen
