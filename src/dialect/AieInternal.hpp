// What the files of the aie and aiex dialects share: constraints of their attributes, syntax and
// verifier hooks that the definitions refer to. Private to dialect/.
#pragma once

#include "airlite/dialect/Aie.hpp"
#include "airlite/ir/Constraints.hpp"
#include "airlite/text/OpParser.hpp"
#include "airlite/text/OpPrinter.hpp"

#include <string>
#include <utility>
#include <vector>

namespace airlite::aie {

// -- Attributes and types (AieAttrs.cpp)
inline constexpr std::string_view kPacketInfo = "aie.packet_info";
inline constexpr std::string_view kDimLayoutArray = "aie.bd_dim_layout_array";
inline constexpr std::string_view kDimLayoutArrayArray = "aie.bd_dim_layout_array_array";
inline constexpr std::string_view kPadLayoutArray = "aie.bd_pad_layout_array";
inline constexpr std::string_view kObjectFifoType = "aie.objectfifo";
inline constexpr std::string_view kSubviewType = "aie.objectfifosubview";

extern const AttrConstraint kDeviceAttr, kBundleAttr, kCascadeDirAttr, kDirectionAttr,
    kLockActionAttr, kTileTypeAttr, kFifoPortAttr, kPacketInfoAttr, kPadLayoutArrayAttr,
    kDimLayoutArrayAttr, kDimLayoutArrayArrayAttr, kI8Attr, kUI8Attr, kUI32Attr, kUI64Attr;
extern const TypeConstraint kSubview;

void defineAttributes(Dialect& d);
std::optional<TileKind> logicalKind(int64_t number);
/// The pairs of a bd_dim_layout_array or bd_pad_layout_array; empty for anything else.
std::vector<std::pair<int64_t, int64_t>> pairsOf(Attribute attribute);
/// `[<size = 1, stride = 2>, ...]` as an attribute called `name`, and back.
LogicalResult parsePairs(AttrParser& parser, std::string_view name, Attribute& attribute);
void printPairs(AttrPrinter& printer, Attribute attribute);
/// The memref in `!aie.objectfifo<...>` or `!aie.objectfifosubview<...>`; null for other types.
MemRefType objectType(Type type);
Type subviewType(MemRefType object);

// -- Accessors (AieViews.cpp)
std::optional<int64_t> intAttr(const Operation& op, std::string_view name);
/// A bool attribute; false when absent.
bool flagAttr(const Operation& op, std::string_view name);
/// Tile and port of a packet_source or packet_dest.
Endpoint packetEndpoint(Operation& op);

/// Operand groups of aie.dma_bd.
enum BdGroup : unsigned { kBdBuffer, kBdOffset, kBdLength, kBdSizes, kBdStrides };

// -- Syntax (AieSyntax.cpp)
LogicalResult parseDevice(OpParser& parser, OperationState& state);
void printDevice(OpPrinter& printer, Operation& op);
LogicalResult parseLogicalTile(OpParser& parser, OperationState& state);
void printLogicalTile(OpPrinter& printer, Operation& op);
LogicalResult parseBuffer(OpParser& parser, OperationState& state);
void printBuffer(OpPrinter& printer, Operation& op);
LogicalResult parseDmaBd(OpParser& parser, OperationState& state);
void printDmaBd(OpPrinter& printer, Operation& op);
LogicalResult parseObjectFifo(OpParser& parser, OperationState& state);
void printObjectFifo(OpPrinter& printer, Operation& op);
LogicalResult parseRuntimeSequence(OpParser& parser, OperationState& state);
void printRuntimeSequence(OpPrinter& printer, Operation& op);

// -- Verifiers: devices, tiles and what stands on them (AieVerify.cpp)
LogicalResult verifyDevice(Operation& op);
LogicalResult verifyTile(Operation& op);
LogicalResult verifyLogicalTile(Operation& op);
LogicalResult verifyCore(Operation& op);
LogicalResult verifyLock(Operation& op);
LogicalResult verifyUseLock(Operation& op);
LogicalResult verifyBuffer(Operation& op);
LogicalResult verifyCascadeValue(Operation& op);
LogicalResult verifyShimDmaAllocation(Operation& op);
LogicalResult verifyRuntimeSequence(Operation& op);

// -- Flows, switches and object FIFOs (AieVerifyRoutes.cpp)
LogicalResult verifyFlow(Operation& op);
LogicalResult verifyPacketFlow(Operation& op);
LogicalResult verifyPacketEndpoint(Operation& op);
LogicalResult verifyCascadeFlow(Operation& op);
LogicalResult verifyConfigureCascade(Operation& op);
LogicalResult verifySwitchbox(Operation& op);
LogicalResult verifyShimMux(Operation& op);
LogicalResult verifyAmsel(Operation& op);
LogicalResult verifyPacketRules(Operation& op);
LogicalResult verifyRule(Operation& op);
LogicalResult verifyObjectFifo(Operation& op);
LogicalResult verifyObjectFifoLink(Operation& op);
LogicalResult verifyObjectFifoAccess(Operation& op);
LogicalResult verifySubviewAccess(Operation& op);

// -- DMA programs (AieVerifyDma.cpp, AieVerifyBd.cpp)
LogicalResult verifyDma(Operation& op);
LogicalResult verifyDmaBd(Operation& op);
/// One block of a DMA program or of a runtime task: what it holds beside its terminator.
struct BdBlock {
  Operation* bd = nullptr;
  Operation* acquire = nullptr;
  Operation* release = nullptr;
};
/// A descriptor with its locks in the order acquire, aie.dma_bd, release, each at most once.
LogicalResult readBdBlock(Block& block, BdBlock& found);
/// The descriptors from `first` on, each once; stops where the chain ends.
std::vector<DmaBdOp> bdChain(Block* first);

/// An access pattern in elements, outermost dimension first.
struct BdShape {
  int64_t elementBytes = 0;
  std::vector<BdDim> dims;
  /// Runtime tasks and copies: the outermost dimension beyond those of a descriptor repeats it, and
  /// strides may be 0.
  bool repeats = false;
  /// Tasks may still ask for strides and sizes that no field holds: what writes descriptors splits
  /// or rejects them.
  bool mayBeSplit = false;
};
/// Do sizes and strides fit the fields of a descriptor of such a tile?
LogicalResult verifyBdShape(Operation& op, const BdShape& shape, const BdLimits& limits);
/// `#aie.packet_info` within the bits of a packet header.
LogicalResult verifyPacketInfo(Operation& op, std::optional<PacketInfo> packet);
int64_t addSaturated(int64_t a, int64_t b);
int64_t multiplySaturated(int64_t a, int64_t b);

// -- Shared
/// `op`'s tile operand as a tile of one of these kinds; reports what it is otherwise. A tile that
/// the verifier has rejected gives failure without a second message.
LogicalResult requireTile(Operation& op, std::initializer_list<TileKind> kinds, TileOp& tile);
/// "tile (2, 3)", or "logical tile" when it has no place.
std::string describe(TileOp tile);
/// Is `value` in [low, high]? Reports `what` otherwise.
LogicalResult requireRange(Operation& op, std::string_view what, int64_t value, int64_t low,
                           int64_t high);

}  // namespace airlite::aie
