// A few registers that values of a block take in turn. Factors of the matrix unit come in the order in
// which products take them. Registers of their own would leave the schedule of a loop free to load them
// long before, and then there are more values than registers; a register that several of them share lets
// each wait for the last product of the one before.
#pragma once

#include "Emitter.hpp"
#include "airlite/ir/Operation.hpp"

#include <vector>

namespace airlite::npu::codegen {

class RegisterRing {
 public:
  RegisterRing(Emitter& emitter, RegClass regClass, size_t size)
      : emitter_(emitter), regClass_(regClass), size_(size) {}

  /// A register for a value that the ops `readers` read. One of the ring where all readers of its
  /// last value have been selected (`isSelected`), else one of its own.
  template <class Predicate>
  Operand take(std::vector<Operation*> readers, const Predicate& isSelected) {
    if (visit_ != emitter_.visit()) places_.clear();
    visit_ = emitter_.visit();
    if (places_.size() < size_) {
      places_.push_back({emitter_.fresh(regClass_), std::move(readers)});
      return places_.back().reg;
    }
    for (size_t i = 0; i < size_; ++i) {
      Place& place = places_[(next_ + i) % size_];
      bool isFree = true;
      for (Operation* reader : place.readers)
        isFree &= isSelected(*reader);
      if (!isFree) continue;
      next_ = (next_ + i + 1) % size_;
      place.readers = std::move(readers);
      return place.reg;
    }
    return emitter_.fresh(regClass_);
  }

 private:
  struct Place {
    Operand reg;
    std::vector<Operation*> readers;  ///< of the value that it has
  };

  Emitter& emitter_;
  const RegClass regClass_;
  const size_t size_;
  uint32_t visit_ = 0;
  size_t next_ = 0;
  std::vector<Place> places_;
};

}  // namespace airlite::npu::codegen
