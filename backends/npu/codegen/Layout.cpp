#include "Layout.hpp"

#include "airlite/npu/isa/Relocations.hpp"
#include "airlite/npu/isa/Text.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <span>
#include <utility>

namespace airlite::npu::codegen {
namespace {

/// A jump whose address is not known yet.
struct Fixup {
  size_t bundle;
  JumpTarget target;
  size_t function;
};

/// A bundle that sets ls or le.
struct Bound {
  size_t bundle;
  LoopEnd end;
};

/// The same with the bundle whose address it takes.
struct LoopFixup {
  size_t bundle, target;
};

class Layout {
 public:
  Layout(const std::vector<FunctionCode>& functions, const isa::InstructionSet& set)
      : functions_(functions), set_(set) {}

  LaidOut run() {
    for (size_t f = 0; f < functions_.size(); ++f) {
      const std::vector<Piece>& pieces = functions_[f].pieces;
      for (size_t i = 0; i < pieces.size(); ++i) {
        const bool entersLoop = i + 1 < pieces.size() && pieces[i + 1].isLoop;
        const auto packed = entersLoop ? packLoop(pieces[i], pieces[i + 1]) : std::nullopt;
        append(f, pieces[i], packed ? packed->lead : bundlesOf(pieces[i]), i == 0);
        if (packed) append(f, pieces[++i], packed->body, false);
      }
    }
    setAddresses();
    for (const Fixup& fixup : fixups_)
      apply(fixup);
    for (const LoopFixup& fixup : loopFixups_)
      apply(fixup);
    return std::move(out_);
  }

 private:
  void append(size_t function, const Piece& piece, const std::vector<isa::Bundle>& bundles,
              bool isFirst) {
    if (isFirst || piece.isAligned || piece.isWide) align();
    if (isFirst) {
      functionStart_[function] = bundles_.size();
      location_ = functions_[function].location;
    }
    if (piece.isBlock) blockStart_[{function, piece.block}] = bundles_.size();
    const size_t start = bundles_.size();
    for (size_t i = 0; i < piece.cycles.size(); ++i) {
      const Cycle& cycle = piece.cycles[i];
      if (cycle.bound) bounds_.push_back({bundles_.size(), *cycle.bound});
      if (cycle.target) fixups_.push_back({bundles_.size(), *cycle.target, function});
      bundles_.push_back(bundles[i]);
      address_ += bundles_.back().size();
      if (!cycle.location.isUnknown()) location_ = cycle.location;
      out_.locations.push_back(location_);
    }
    if (piece.isWide) aligned_ = bundles_.size();
    if (piece.isLoop) closeLoop(start);
  }

  std::vector<isa::Bundle> bundlesOf(const Piece& piece) {
    std::vector<isa::Bundle> bundles;
    for (const Cycle& cycle : piece.cycles)
      bundles.push_back(bundleOf(cycle, piece.isWide));
    return bundles;
  }

  /// Bundles of a loop and of what leads into it.
  struct PackedLoop {
    std::vector<isa::Bundle> lead, body;
  };

  /// As short as they can be: the first and the last one of the loop are
  /// aligned, the last one has 16 bytes, and it is far enough from the last one that sets a bound. No cycle
  /// comes in between: rounds that are under way count them. None where that cannot be had: all have 16 bytes then.
  std::optional<PackedLoop> packLoop(const Piece& before, const Piece& loop) {
    std::vector<isa::Bundle> lead, body;
    size_t lastBound = 0;
    for (size_t i = 0; i < before.cycles.size(); ++i) {
      if (before.cycles[i].bound) lastBound = i;
      lead.push_back(bundleOf(before.cycles[i], false));
    }
    for (const Cycle& cycle : loop.cycles)
      body.push_back(bundleOf(cycle, &cycle == &loop.cycles.back()));
    if (lead.empty() || body.empty()) return std::nullopt;
    const auto round = std::span(body).first(body.size() - 1);  // up to the last one
    if (!fillUp(lead) || !fillUp(round)) return std::nullopt;
    const unsigned bytes = bytesOf(round);
    if (bytesOf(std::span(lead).subspan(lastBound)) + bytes < isa::kLoopSetupBytes)
      return std::nullopt;
    // Shorter ones must not end with a store of a part of a word; the scheduler counts 16 bytes a cycle.
    if (bytes <= isa::kShortLoopBytes) return std::nullopt;
    return PackedLoop{std::move(lead), std::move(body)};
  }

  static unsigned bytesOf(std::span<const isa::Bundle> bundles) {
    unsigned bytes = 0;
    for (const isa::Bundle& bundle : bundles)
      bytes += bundle.size();
    return bytes;
  }

  /// To a multiple of the alignment; false: no bundle can be longer by what is missing.
  static bool fillUp(std::span<isa::Bundle> bundles) {
    const unsigned rest = bytesOf(bundles) % isa::kCodeAlignment;
    return isa::widenTogether(bundles, rest ? isa::kCodeAlignment - rest : 0) == 0;
  }

  /// A cycle that issues nothing.
  isa::Bundle pause() const { return isa::Bundle(*isa::chooseFormat(0, 0, set_)); }

  isa::Bundle bundleOf(const Cycle& cycle, bool isWide) {
    Result<isa::Bundle> bundle = pause();
    if (!cycle.instructions.empty()) bundle = isa::Bundle::make(cycle.instructions);
    if (!bundle) out_.error = bundle.error().message;
    if (!bundle) return pause();
    return isWide ? bundle->widened(isa::kCodeAlignment).value_or(*bundle) : *bundle;
  }

  /// The bundles that set the bounds of the loop that has just been appended.
  void closeLoop(size_t start) {
    for (const Bound& bound : bounds_)
      loopFixups_.push_back(
          {bound.bundle, bound.end == LoopEnd::First ? start : bundles_.size() - 1});
    bounds_.clear();
  }

  /// Makes the bundles since the last aligned place longer, or adds some that do nothing: control
  /// comes here from above at most by falling through.
  void align() {
    unsigned missing = (isa::kCodeAlignment - address_ % isa::kCodeAlignment) % isa::kCodeAlignment;
    unsigned rest = isa::widenTogether(std::span(bundles_).subspan(aligned_), missing);
    address_ += missing;
    for (; rest; rest -= 2) {
      bundles_.push_back(pause());
      out_.locations.push_back(location_);
    }
    aligned_ = bundles_.size();
  }

  void setAddresses() {
    uint32_t address = 0;
    for (const isa::Bundle& bundle : bundles_) {
      out_.program.bundles.push_back({address, bundle, 0});
      address += bundle.size();
    }
    for (const auto& [function, start] : functionStart_)
      out_.program.symbols.push_back({functions_[function].name, addressOf(start), true});
  }

  uint32_t addressOf(size_t bundle) const { return out_.program.bundles[bundle].address; }

  void apply(const LoopFixup& fixup) {
    isa::ProgramBundle& bundle = out_.program.bundles[fixup.bundle];
    for (const isa::Instruction& instruction : bundle.bundle.instructions()) {
      if (instruction.form() != set_.moveConstant) continue;
      auto set = instruction.withImmediate(1, addressOf(fixup.target));
      if (!set) out_.error = set.error().message;
      if (set) bundle.bundle.replace(*set);
      return;
    }
  }

  void apply(const Fixup& fixup) {
    isa::ProgramBundle& bundle = out_.program.bundles[fixup.bundle];
    for (const isa::Instruction& instruction : bundle.bundle.instructions()) {
      if (!instruction.row().isJump()) continue;
      unsigned operand = instruction.row().operandCount - 1;
      if (fixup.target.isFunction && functions_[fixup.target.number].pieces.empty())
        return relocate(bundle, instruction, operand, functions_[fixup.target.number].name);
      size_t start = fixup.target.isFunction
                         ? functionStart_.at(fixup.target.number)
                         : blockStart_.at({fixup.function, fixup.target.number});
      auto jump = instruction.withImmediate(operand, addressOf(start));
      if (jump)
        bundle.bundle.replace(*jump);
      else
        out_.error = jump.error().message;
      return;
    }
  }

  void relocate(const isa::ProgramBundle& bundle, const isa::Instruction& instruction,
                unsigned operand, const std::string& symbol) {
    auto number = isa::relocationFor(bundle.bundle.format(), instruction.form(), operand);
    if (!number) {
      out_.error = fmt::format("no relocation for '{}'", print(bundle.bundle));
      return;
    }
    out_.relocations.push_back({bundle.address, *number, symbol, 0});
  }

  const std::vector<FunctionCode>& functions_;
  const isa::InstructionSet& set_;
  std::vector<isa::Bundle> bundles_;
  std::map<std::pair<size_t, uint32_t>, size_t> blockStart_;
  std::map<size_t, size_t> functionStart_;
  std::vector<Fixup> fixups_;
  std::vector<Bound> bounds_;
  std::vector<LoopFixup> loopFixups_;
  uint32_t address_ = 0;
  size_t aligned_ = 0;  ///< the bundle at the last aligned address
  Location location_;
  LaidOut out_;
};

}  // namespace

LaidOut layOut(const std::vector<FunctionCode>& functions, const isa::InstructionSet& set) {
  return Layout(functions, set).run();
}

}  // namespace airlite::npu::codegen
