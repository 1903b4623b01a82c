// Loops around one channel op become dimensions of its access list: what the passes share that make
// transfers for buffer descriptors.
#pragma once

#include "AccessLists.hpp"

#include <string_view>
#include <unordered_map>

namespace airlite::air {

/// Where a dimension may repeat the elements of those after it (stride 0). In front: the list then
/// has as many dimensions as there may be.
enum class Repeats { Anywhere, InFront, Nowhere };

/// What a list may look like for a loop to go into it.
struct ListLimits {
  std::optional<int64_t> dims;  // of size above 1
  std::optional<int64_t> size;  // of one dimension; does not hold for one run without gaps
  int64_t strideWords = int64_t{1} << 20;  // 32-bit words
  bool wordsOnly = false;                  // a run that is cut must be cut between 32-bit words
  Repeats repeats = Repeats::Anywhere;
};

/// The variable of an scf.for or affine.for; null for other ops.
Value loopVariable(Operation& loop);
/// An op without regions and effects, or an air.execute of such.
bool isCalculation(Operation& op);

class NestFolder {
 public:
  NestFolder(const ListLimits& limits, IndexConstants& constants)
      : limits_(limits), constants_(constants) {}

  /// Puts as many of the loops around `op` into its lists as can be, the innermost first, with
  /// those of its lists that are not canonical made so. True when something changed; `declined`
  /// says why a loop around that holds nothing else stays (empty: there is none).
  bool run(ChannelAccessOp op, std::string_view& declined);

 private:
  struct Nest;
  Operation* onlyEffect(Block& body);
  void makeCanonical(analysis::AccessList& list, Type memref);
  bool fits(const analysis::AccessList& before, const analysis::AccessList& after, Type memref);
  void takeLoops(Nest& nest, analysis::LinearReader& reader, std::string_view& declined);
  void apply(Nest& nest);

  ListLimits limits_;
  IndexConstants& constants_;
  std::unordered_map<Block*, Operation*> onlyEffects_;
};

}  // namespace airlite::air
