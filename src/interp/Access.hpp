// What ops on memory share: indices from affine maps, element access with its checks.
#pragma once

#include "../support/IndexText.hpp"
#include "Compiler.hpp"
#include "Machine.hpp"
#include "airlite/dialect/Affine.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/ir/Affine.hpp"

#include <string>

namespace airlite::interp {

/// The register that holds `expr` over `operands` (dims, then symbols).
uint32_t applyExpr(Builder& b, Operation& op, AffineExpr expr, unsigned numDims,
                   const Builder::Registers& operands);
/// Registers of all results of a map.
Builder::Registers applyMap(Builder& b, Operation& op, AffineMap map,
                            const Builder::Registers& operands);
inline Builder::Registers applyMap(Builder& b, Operation& op,
                                   const affine::Application& application) {
  return applyMap(b, op, application.map, b.useAll(application.operands));
}
/// A register with the greatest (least) of several.
uint32_t extremeOf(Builder& b, Operation& op, const Builder::Registers& values, bool greatest);

/// Registers of a mixed list: constants get a register each.
Builder::Registers mixedRegisters(Builder& b, Operation& op,
                                  std::span<const memref::MixedIndex> list);

/// Reads `count` numbers from operand `first` on; anything but numbers is Retry or an error.
Step readNumbers(Run& run, const Inst& inst, uint32_t first, uint32_t count, int64_t* numbers,
                 std::string_view what);
constexpr uint32_t kMaxRank = 16;

/// Elements on their way from one place to another.
struct Piece {
  std::vector<std::byte> data;
  std::vector<uint8_t> known;
  int64_t route = -1;  // of a packet: the destination that it is for
};
/// Which elements of a view: from `start` elements after its offset on.
struct Window {
  std::vector<int64_t> sizes, strides;
  int64_t start = 0;
};
Step readPiece(Run& run, const Inst& inst, const View& view, const Window& window, uint32_t stride,
               Piece& piece);
/// `piece` has as many bytes as the window.
Step writePiece(Run& run, const Inst& inst, const View& view, const Window& window, uint32_t stride,
                const Piece& piece);

/// The same part of memory in the symmetric heap of another rank.
Step moveToRank(Run& run, const Inst& inst, View& view, int64_t rank);
/// Null when the interpreter cannot hold it.
std::shared_ptr<Memory> globalMemory(Machine& machine, memref::GlobalOp global);
/// Here, or by a rank in another process.
inline bool isFreed(const Memory& memory) {
  return memory.freed || (memory.freedByAny && *memory.freedByAny);
}
/// Null: nobody.
Operation* freedBy(Run& run, const Memory& memory);
/// The memory is gone from here on; an error when it was before.
Step freeMemory(Run& run, const Inst& inst, Memory& memory);
/// The memory is there, and may be written.
Step checkAlive(Run& run, const Inst& inst, const View& view, bool writes);
/// Whether the two that follow would find nothing wrong.
bool mayTouch(Run& run, const Memory& memory, bool writes);
/// The running process may also touch it directly.
Step checkMemory(Run& run, const Inst& inst, const View& view, bool writes);
/// The byte address of an element that is `at` elements after the offset of the view; fails outside
/// of the memory.
Step addressOf(Run& run, const Inst& inst, const View& view, int64_t at, uint32_t stride,
               size_t& address);
/// Fails with the op, the index and the size when `index` is outside.
Step checkIndices(Run& run, const Inst& inst, const View& view, std::span<const int64_t> index,
                  int64_t& at);

/// The element at a byte address as a slot; poison names where it was read.
void loadSlot(Run& run, const Inst& inst, const View& view, size_t address,
              const ElementLayout& layout, Slot& out);
/// False: not a value that can be stored (Retry).
bool storeSlot(Run& run, const View& view, size_t address, const ElementLayout& layout,
               const Slot& value);

/// A fresh, row-major view; the caller fills or leaves it uninitialised.
View* newView(std::vector<int64_t> sizes, const ElementLayout& layout, Operation* op);

/// Emits a load / store of one element: `indices` are registers.
void emitLoad(Builder& b, Operation& op, uint32_t memref, const Builder::Registers& indices,
              Type element, uint32_t out);
void emitStore(Builder& b, Operation& op, uint32_t value, uint32_t memref,
               const Builder::Registers& indices, Type element);

/// A window on the memory of `source`, without the dimensions that are dropped.
void emitSubView(Builder& b, Operation& op, uint32_t source,
                 const memref::OffsetSizeStrideView& window, const std::vector<bool>& dropped,
                 uint32_t out);
/// `lists`: offsets, sizes and strides of all dimensions of `source`.
void emitWindow(Builder& b, Operation& op, uint32_t source, const Builder::Registers& lists,
                const std::vector<bool>& dropped, uint32_t out);
/// The same dense memory with the sizes that operand 1 holds.
bool emitReshape(Builder& b, Operation& op, uint32_t source, uint32_t out);
/// A register with the size of one dimension of what a register holds.
uint32_t emitSizeOf(Builder& b, Operation& op, uint32_t shaped, unsigned dim);
/// The same memory with groups of dimensions split (`sizes`: of the result) or made one.
void emitExpand(Builder& b, Operation& op, uint32_t source, const memref::Reassociation& groups,
                std::vector<int64_t> shape, const Builder::Registers& openSizes, uint32_t out);
void emitCollapse(Builder& b, Operation& op, uint32_t source, const memref::Reassociation& groups,
                  uint32_t out);
/// Copies all elements from one view to another of the same shape, at one moment.
void emitCopy(Builder& b, Operation& op, uint32_t from, uint32_t to, Type element);

/// A tensor without values; false when its elements have no bytes here.
bool emitEmpty(Builder& b, Operation& op, const Builder::Registers& sizes, Type element,
               uint32_t out);
/// A copy of a tensor, to be written; returns `out`.
uint32_t emitCopyTensor(Builder& b, Operation& op, uint32_t tensor, Type type, uint32_t out);

bool compileIf(Builder& b, Operation& op, uint32_t condition);

}  // namespace airlite::interp
