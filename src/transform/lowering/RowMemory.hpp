// How rows lie in the memory of a core: apart, each from where a vector may begin, or packed, one after the other as DMAs move them
// where no descriptor moves them apart. Private to transform/.
#pragma once

#include "airlite/analysis/AccessList.hpp"
#include "airlite/dialect/Linalg.hpp"
#include "airlite/dialect/MemRef.hpp"

#include <cstdint>

namespace airlite::rows {

/// Lanes of f32 in a vector, which most functions are computed by: no row is made shorter than a multiple of it.
inline constexpr int64_t kLeastUnit = 16;

int64_t bytesOf(Type element);
/// Of a buffer of static shape; an element takes a byte at least.
int64_t bytesOf(MemRefType type);

/// What vectors have lanes of.
bool isRowElement(Type type);

/// Whether the body of the op computes something of any element, and nothing else.
bool isTotal(linalg::StructuredOp op);

/// Lanes of the vectors that copy rows.
int64_t lanesOf(Type element);

/// Whether each row is whole words.
bool areWords(MemRefType type);

/// The rows of a buffer of type `old` in the buffer with rows of `padded` elements.
analysis::AccessList listOfRows(MemRefType old, int64_t padded);

/// Whether one descriptor of a core moves elements of so many bytes by this list: whole words, in as many dimensions as it has.
bool fitsDescriptor(const analysis::AccessList& list, int64_t elementBytes);

/// Gives a buffer and what an air.execute hands on of it another type.
void setType(memref::AllocOp alloc, MemRefType type);

/// Whether one descriptor of a core moves the rows of `type` to rows of `padded` elements.
bool areMovable(MemRefType type, int64_t padded);

/// Whether vectors copy the rows of such a buffer: each has the elements of one, and all of them together are whole words, so that a DMA
/// can leave memory after them alone.
bool areMovedByVectors(MemRefType type);

/// How many elements of each row vectors copy. Memory for all rows has room after them, so the last vector of a row goes on after
/// its end: what belongs there comes with the next row. Without that room, the two vectors around one stay within the row.
int64_t elementsInVectors(MemRefType type);

/// The buffer that puts and gets use instead of one of type `type`.
MemRefType packedType(MemRefType type);

/// Of all rows of `type`, each a multiple of `unit` elements, with those packed that are moved (`isMoved`) and not movable.
int64_t alignedBytes(MemRefType type, int64_t unit, bool isMoved);

}  // namespace airlite::rows
