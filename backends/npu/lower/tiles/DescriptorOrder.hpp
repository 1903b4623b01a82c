// In which order the descriptors of a DMA channel run.
//
// A DMA channel knows nothing of the program: it runs a ring of descriptors, or up to four tasks
// one after the other, each a chain of descriptors that runs a number of times. Both must be the
// order in which the program starts the transfers.
#pragma once

#include "Sites.hpp"

namespace airlite::npu {

/// Descriptors that run one after the other, `runs` times.
struct DmaTask {
  std::vector<Site*> sites;
  int64_t runs = 1;
};

/// A ring of one task without end, or tasks one after the other.
struct DmaProgram {
  bool isRing = true;
  std::vector<DmaTask> tasks;
};

/// Transfers in the order of the program: words, each so many times.
struct Sequence {
  struct Run {
    std::vector<Site*> word;
    int64_t count = 1;
    bool isOpen = false;  // any number of times
  };
  std::vector<Run> runs;
  Operation* unknown = nullptr;  // the op that makes the order depend on data; `runs` is empty
};

/// The order of `sites` in `roots`, which run one after the other, and `again` and again. Sites
/// that are `same` as one before stand for it.
Sequence sequenceOf(const std::vector<Site*>& sites, const std::vector<Block*>& roots, bool again);

/// Bytes in a row through one place.
struct StreamPart {
  ChannelPlace place;
  int64_t bytes = 0;
  bool operator==(const StreamPart&) const = default;
};

/// `sites` in the order of the program, when a ring of descriptors can follow it.
std::optional<std::vector<Site*>> ringOf(const std::vector<Site*>& sites,
                                         const std::vector<Block*>& roots, bool again);

/// What a ring sends or takes, as the shortest series that repeats: the same for both ends, however
/// many transfers each makes of it.
std::vector<StreamPart> streamOf(const std::vector<Site*>& ring);

/// The program that starts transfers in that order, with so many descriptors at most; none when no
/// DMA can follow.
std::optional<DmaProgram> programOf(const Sequence& sequence, size_t descriptors);

/// The program of a DMA channel (`port` in words) with these transfers in that order.
/// `descriptors`: how many there can be at most. An order that no DMA can follow has been reported.
LogicalResult planProgram(const std::vector<Site*>& sites, const std::vector<Block*>& roots,
                          bool again, const std::string& port, size_t descriptors,
                          DmaProgram& program);

}  // namespace airlite::npu
