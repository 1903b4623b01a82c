#include "airlite/npu/link/StackNeed.hpp"

#include "airlite/npu/isa/Disassembler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace airlite::npu::link {
namespace {

using isa::Instruction;

/// The immediate of an instruction that has one; jumps by pointer have none.
std::optional<int32_t> immediateOf(const Instruction& instruction) {
  const isa::FormRow& form = instruction.row();
  for (unsigned i = 0; i < form.operandCount; ++i)
    if (form.operands[i].kind == isa::OperandKind::Immediate) return instruction.imm(i);
  return std::nullopt;
}

/// A section of code is taken for one function: compilers give each its own.
struct Function {
  const PlacedSection* section = nullptr;
  uint32_t frame = 0;
  std::set<size_t> callees;
  bool isKnown = true;
};

class Search {
 public:
  explicit Search(const Linked& linked) : linked_(linked) {
    for (const PlacedSection& section : linked.sections)
      if (section.kind == SectionKind::Code && section.size)
        functions_.push_back({.section = &section});
    const auto found = isa::disassemble(std::as_bytes(std::span(linked.program)), 0, *linked.set);
    for (Function& function : functions_)
      look(function, found.program);
  }

  std::optional<StackNeed> run() {
    const auto entry = at(linked_.entry);
    if (!entry) return std::nullopt;
    return from(*entry);
  }

 private:
  std::optional<size_t> at(uint32_t address) const {
    const auto found = std::ranges::find_if(functions_, [&](const Function& function) {
      return address - function.section->address < function.section->size;
    });
    if (found == functions_.end()) return std::nullopt;
    return size_t(found - functions_.begin());
  }

  /// sp grows at the begin of a function and goes back wherever it returns.
  void look(Function& function, const isa::Program& program) {
    int64_t depth = 0;
    for (const isa::ProgramBundle& bundle : program.bundles) {
      if (bundle.address - function.section->address >= function.section->size) continue;
      for (const Instruction& instruction : bundle.bundle.instructions()) {
        if (instruction.row().address == isa::AddressMode::StackImm)
          depth = std::max<int64_t>(0, depth + *immediateOf(instruction));
        function.frame = std::max(function.frame, uint32_t(depth));
        if (instruction.row().is(isa::kCall | isa::kBranch)) addCallee(function, instruction);
      }
    }
  }

  /// A jump to another function calls it just as well.
  void addCallee(Function& function, const Instruction& jump) {
    const auto target = immediateOf(jump);
    const auto callee = target ? at(uint32_t(*target)) : std::nullopt;
    const bool isOwn = callee && &functions_[*callee] == &function;
    if (!callee) function.isKnown = false;
    if (callee && (!isOwn || jump.row().is(isa::kCall))) function.callees.insert(*callee);
  }

  std::optional<StackNeed> from(size_t index) {
    const Function& function = functions_[index];
    if (!function.isKnown || !under_.insert(index).second) return std::nullopt;
    StackNeed deepest;
    for (const size_t callee : function.callees) {
      auto need = from(callee);
      if (!need) return std::nullopt;
      if (need->bytes > deepest.bytes) deepest = std::move(*need);
    }
    under_.erase(index);
    deepest.bytes += function.frame;
    deepest.calls.insert(deepest.calls.begin(),
                         fmt::format("{} ({})", nameOf(*function.section), function.frame));
    return deepest;
  }

  std::string nameOf(const PlacedSection& section) const {
    for (const PlacedSymbol& symbol : linked_.symbols)
      if (symbol.address == section.address && symbol.type == SymbolType::Function)
        return symbol.name;
    return section.object;
  }

  const Linked& linked_;
  std::vector<Function> functions_;
  std::set<size_t> under_;  ///< the way to where the search is
};

}  // namespace

std::optional<StackNeed> stackNeedOf(const Linked& linked) { return Search(linked).run(); }

}  // namespace airlite::npu::link
