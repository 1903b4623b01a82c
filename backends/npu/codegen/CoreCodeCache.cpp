// What the code of a core depends on, as numbers: its ops in order, values by where they come from,
// the functions that it calls, and the addresses around it. Constants count where they are used, and constant memory by its contents:
// cores of one herd differ in the order of the one and in the names of the other.
#include "airlite/dialect/Func.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/OpDef.hpp"
#include "airlite/ir/Symbols.hpp"
#include "airlite/npu/codegen/CoreCode.hpp"

#include <unordered_map>

namespace airlite::npu::codegen {
namespace {

class CoreKey {
 public:
  explicit CoreKey(const CoreSurroundings& around) : around_(around) {
    add(around.stackAddress);
    add(static_cast<uint64_t>(around.stackSize.value));
    add(around.constantsAddress);
    add(static_cast<uint64_t>(around.constantsSize.value));
    add(around.overlapsRounds);
    add(around.set->elfFlags);
  }

  /// Attributes of the core itself say nothing of its code. None where it uses a value that nothing here knows.
  std::optional<std::vector<uint64_t>> of(Operation& core) {
    addRegion(core.region());
    if (!isKnown_) return std::nullopt;
    return std::move(key_);
  }

 private:
  enum Mark : uint64_t { kBlock, kRegionEnd, kInside, kConstant, kBuffer, kLock };

  void add(uint64_t number) { key_.push_back(number); }
  void addPointer(const void* pointer) { add(reinterpret_cast<uintptr_t>(pointer)); }

  void addRegion(Region& region) {
    for (Block& block : region.blocks())
      numbers_.try_emplace(&block, numbers_.size());
    for (Block& block : region.blocks()) {
      add(kBlock);
      for (Value argument : block.arguments())
        define(argument);
      for (Operation& op : block.ops())
        addOp(op);
    }
    add(kRegionEnd);
  }

  void addOp(Operation& op) {
    if (op.is("arith.constant")) return;
    if (op.is("memref.get_global")) return addGlobal(op);
    addPointer(&op.def());
    add(uint64_t{op.location().source()} << 32 | op.location().offset());
    addPointer(op.attributes().storage());
    add(op.numOperands());
    for (Value operand : op.operands())
      addUse(operand);
    for (unsigned i = 0; i < op.numSuccessors(); ++i)
      add(numbers_.at(op.successor(i)));
    for (unsigned i = 0; i < op.numResults(); ++i)
      define(op.result(i));
    add(op.numRegions());
    for (Region& region : op.regions())
      addRegion(region);
    if (auto call = dynCast<func::CallOp>(&op)) addCallee(call);
  }

  void addCallee(func::CallOp call) {
    Operation* callee = call.function().op();
    const auto [known, isNew] = numbers_.try_emplace(callee, numbers_.size());
    add(known->second);
    if (!callee || !isNew) return;
    addPointer(callee->attributes().storage());  // its name and type
    addRegion(callee->region());
  }

  void addGlobal(Operation& op) {
    Operation* global = lookupSymbol(&op, memref::GetGlobalOp(&op).name());
    addPointer(&op.def());
    add(numbers_.try_emplace(global, numbers_.size()).first->second);
    if (global) addPointer(memref::GlobalOp(global)->attr("initial_value").storage());
    define(op.result());
  }

  void define(Value value) {
    numbers_.try_emplace(value.impl(), numbers_.size());
    addPointer(value.type().storage());
  }

  void addUse(Value value) {
    if (auto inside = numbers_.find(value.impl()); inside != numbers_.end()) {
      add(kInside);
      add(inside->second);
    } else if (Operation* made = value.definingOp(); made && made->is("arith.constant")) {
      add(kConstant);
      addPointer(made->attributes().storage());
      addPointer(value.type().storage());
    } else if (auto buffer = around_.buffers.find(value); buffer != around_.buffers.end()) {
      add(kBuffer);
      add(buffer->second);
      addPointer(value.type().storage());
    } else if (auto lock = around_.locks.find(value); lock != around_.locks.end()) {
      add(kLock);
      add(lock->second);
    } else {
      isKnown_ = false;
    }
  }

  const CoreSurroundings& around_;
  std::unordered_map<const void*, uint64_t> numbers_;  // of blocks and values inside
  std::vector<uint64_t> key_;
  bool isKnown_ = true;
};

}  // namespace

std::optional<CoreCode> CoreCodeCache::generate(Operation& core,
                                                const CoreSurroundings& surroundings) {
  auto key = CoreKey(surroundings).of(core);
  if (!key) return generateCore(core, surroundings);
  auto known = codes_.find(*key);
  if (known != codes_.end()) return known->second;
  std::optional<CoreCode> code = generateCore(core, surroundings);
  if (code) codes_.emplace(*std::move(key), *code);
  return code;
}

}  // namespace airlite::npu::codegen
