// Carrying out the splits of L2 buffers that SplitL2Plan found.
#pragma once

#include "SplitL2Plan.hpp"
#include "transform/channels/AccessLists.hpp"

namespace airlite::air {

/// Places of a bundle of channels, one for each part, that stand for those of an old channel.
struct PartChannel {
  std::string name;
  bool hasOldIndices = false;  // after the number of the part; else a 0
};

/// One class: each kind of use of one buffer is rewritten by a function of its own.
class BufferSplitter {
 public:
  explicit BufferSplitter(IndexConstants& constants) : constants_(constants) {}

  /// Makes the parts of the buffer, and frees them where the buffer was freed.
  void makeParts(const SplitPlan& plan);
  /// A spanning access of the plan becomes one for each part.
  void splitNear(const SplitPlan& plan, const SpanningAccess& access, const PartChannel& channel);
  void splitFar(const FarAccess& access, const SplitPlan& plan, const PartChannel& channel);
  void moveToPart(const SplitPlan& plan, const LocalAccess& access);
  /// What is left of the buffer, when all its accesses are moved.
  void eraseBuffer(const SplitPlan& plan);
  /// Loops whose variable is only asked for its iteration count from 0 in steps of 1.
  void tidyLoops();

 private:
  using Entries = std::vector<IndexEntry>;
  Entries stridesInPart(const SplitPlan& plan, const analysis::AccessList& list,
                        const ListUnits& units);
  IndexEntry offsetInPart(const SplitPlan& plan, const analysis::LinearSum& sum, int64_t unit,
                          int64_t base, Operation& op);
  IndexEntry blockOffset(const SplitPlan& plan, const analysis::LinearSum& sum, Operation& op);
  Value shifted(const IndexEntry& offset, int64_t by, Operation& op);
  Operation* copyFor(Operation& op, const PartChannel& channel, int64_t part);
  void replaceByParts(Operation& op, const std::vector<Operation*>& parts);

  IndexConstants& constants_;
  std::unordered_map<Operation*, std::vector<Value>> partsOf_;  // of allocs
  std::vector<std::pair<Value, Operation*>> blockOffsets_;      // loop variable, its affine.apply
};

}  // namespace airlite::air
