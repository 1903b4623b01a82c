// Which memory ops touch: buffers through views, arguments, executes and loops, and their pieces.
#include "airlite/analysis/Access.hpp"

#include "airlite/dialect/Dialects.hpp"
#include "airlite/dialect/MemRef.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <fmt/format.h>

#include <functional>

using namespace airlite;
using namespace airlite::analysis;

namespace {

/// A program and what is asked of it: ops are named by an attribute `tag`.
struct Program {
  Context context;
  OwningOp module;
  AccessReader reader;

  explicit Program(const std::string& text) {
    registerAllDialects(context);
    DiagnosticCollector collector(context);
    module = parseSource(context, text, "program");
    std::string errors;
    for (const Diagnostic& diagnostic : collector.diagnostics())
      errors += formatDiagnostic(context, diagnostic);
    INFO(errors);
    REQUIRE(module);
  }

  Operation& op(std::string_view tag) {
    Operation* found = nullptr;
    module->walk([&](Operation& op) {
      StringAttr attr = op.attrOf<StringAttr>("tag");
      if (attr && attr.value() == tag) found = &op;
    });
    REQUIRE(found);
    return *found;
  }

  /// "R", "W" or "H" of each access in the order found, with its piece: start + dims, or "all".
  std::string show(std::string_view tag) {
    std::string out;
    for (const BufferAccess& access : reader.all(op(tag))) {
      out += out.empty() ? "" : "; ";
      out += "RWH"[static_cast<int>(access.kind)];
      if (access.buffer.kind == Buffer::Kind::Any) out += " any";
      if (access.buffer.kind == Buffer::Kind::Hidden) out += " hidden";
      out += access.region ? piece(*access.region) : " all";
    }
    return out;
  }

  bool conflict(std::string_view a, std::string_view b) {
    for (const BufferAccess& x : reader.all(op(a)))
      for (const BufferAccess& y : reader.all(op(b)))
        if (reader.mayConflict(x, y)) return true;
    return false;
  }

 private:
  static std::string piece(const StridedRegion& region) {
    std::string out = fmt::format(" {}", region.start.constant);
    for (const LinearSum::Term& term : region.start.terms)
      out += fmt::format("+{}s", term.coefficient);
    for (const StridedDim& dim : region.dims)
      out += fmt::format(" {}x{}", dim.count == kUnbounded ? "?" : std::to_string(dim.count),
                         dim.stride);
    return out;
  }
};

}  // namespace

TEST_CASE("pieces of transfers", "[access]") {
  Program p(R"(
    func.func @f(%a: memref<8x16xf32>, %b: memref<64xf32>, %n: index, %u: memref<*xf32>) {
      %c3 = arith.constant 3 : index
      %m = arith.muli %n, %c3 : index
      air.dma_memcpy_nd (%a[] [] [], %b[0, %m] [4, 2] [8, 1]) {tag = "lists"} : (memref<8x16xf32>, memref<64xf32>)
      air.dma_memcpy_nd (%a[%c3, %n] [1, 2, 2] [4, 2, 1], %b[%n] [%n] [2]) {tag = "coordinates"} : (memref<8x16xf32>, memref<64xf32>)
      air.dma_memcpy_nd (%b[0] [4] [%n], %u[%n] [4] [2]) {tag = "stride"} : (memref<64xf32>, memref<*xf32>)
      air.dma_memcpy_nd (%b[0] [4] [1], %b[8] [4] [1]) {tag = "padded", pad_before = array<i32: 0>, pad_after = array<i32: 1>} : (memref<64xf32>, memref<64xf32>)
      return
    })");
  CHECK(p.show("lists") == "R 0+3s 4x8 2x1; W all");
  // As many offsets as dimensions, more sizes: 3 * 16 + n.
  CHECK(p.show("coordinates") == "R 0+2s ?x2; W 48+1s 1x4 2x2 2x1");
  CHECK(p.show("stride") == "R 0+2s 4x2; W all");
  CHECK(p.show("padded") == "R all; W all");
}

TEST_CASE("pieces through views", "[access]") {
  Program p(R"(
    func.func @f(%a: memref<8x16xf32>, %n: index, %raw: memref<64xi8>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %f = arith.constant 0.0 : f32
      %v = memref.subview %a[2, %n] [4, 2] [1, 3] : memref<8x16xf32> to memref<4x2xf32, strided<[16, 3], offset: ?>>
      linalg.fill {tag = "fill"} ins(%f : f32) outs(%v : memref<4x2xf32, strided<[16, 3], offset: ?>>)
      memref.store %f, %v[%c1, %c1] {tag = "store"} : memref<4x2xf32, strided<[16, 3], offset: ?>>
      %t = memref.transpose %a (i, j) -> (j, i) : memref<8x16xf32> to memref<16x8xf32, strided<[1, 16]>>
      memref.store %f, %t[%c1, %c0] {tag = "transposed"} : memref<16x8xf32, strided<[1, 16]>>
      %r = memref.reinterpret_cast %v to offset: [5], sizes: [4], strides: [2] : memref<4x2xf32, strided<[16, 3], offset: ?>> to memref<4xf32, strided<[2], offset: 5>>
      linalg.fill {tag = "reinterpreted"} ins(%f : f32) outs(%r : memref<4xf32, strided<[2], offset: 5>>)
      %view = memref.view %raw[%c0][] : memref<64xi8> to memref<4xf32>
      memref.store %f, %view[%c0] {tag = "bytes"} : memref<4xf32>
      %x = vector.transfer_read %a[%c1, %n], %f {tag = "vector"} : memref<8x16xf32>, vector<2x4xf32>
      return
    })");
  CHECK(p.show("fill") == "W 32+1s 4x16 2x3");
  CHECK(p.show("store") == "W 51+1s");
  CHECK(p.show("transposed") == "W 1");
  CHECK(p.show("reinterpreted") == "W 5 4x2");
  CHECK(p.show("bytes") == "W all");
  CHECK(p.show("vector") == "R 16+1s 2x16 4x1");
}

TEST_CASE("loops and hierarchy ops cover what their bodies do", "[access]") {
  Program p(R"(
    func.func @f(%a: memref<64xf32>, %b: memref<64xf32>, %n: index, %v: f32) {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c4 = arith.constant 4 : index
      %c16 = arith.constant 16 : index
      scf.for %i = %c4 to %c16 step %c2 {
        memref.store %v, %a[%i] : memref<64xf32>
      } {tag = "for"}
      scf.for %i = %c0 to %n step %c2 {
        memref.store %v, %a[%i] : memref<64xf32>
      } {tag = "open"}
      air.launch (%x, %y) in (%sx=%c2, %sy=%c4) args(%p=%a, %q=%b, %k=%n) : memref<64xf32>, memref<64xf32>, index attributes {tag = "launch"} {
        %c8 = arith.constant 8 : index
        %l = memref.alloc() : memref<8xf32>
        %o = arith.muli %y, %c8 : index
        %s = arith.addi %o, %k : index
        air.dma_memcpy_nd (%l[] [] [], %p[%s] [8] [1]) : (memref<8xf32>, memref<64xf32>)
      }
      return
    })");
  CHECK(p.show("for") == "W 4 6x2");
  CHECK(p.show("open") == "W 0 ?x1");
  // Ids become dimensions, the size of the grid is known, the local buffer is nobody's business.
  CHECK(p.show("launch") == "H all; R 0+1s 8x1 4x8");
}

TEST_CASE("buffers that cannot be told apart, and those that can", "[access]") {
  Program p(R"(
    memref.global @g : memref<4xf32>
    memref.global @h : memref<4xf32>
    func.func private @pick() -> memref<4xf32>
    func.func private @take(memref<4xf32>)
    func.func private @tick()
    func.func @f(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1, %v: f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c4 = arith.constant 4 : index
      memref.store %v, %a[%c0] {tag = "a"} : memref<4xf32>
      memref.store %v, %b[%c0] {tag = "b"} : memref<4xf32>
      %g0 = memref.get_global @g : memref<4xf32>
      %g1 = memref.get_global @g : memref<4xf32>
      %h0 = memref.get_global @h : memref<4xf32>
      memref.store %v, %g0[%c0] {tag = "g0"} : memref<4xf32>
      memref.store %v, %g1[%c0] {tag = "g1"} : memref<4xf32>
      memref.store %v, %h0[%c0] {tag = "h"} : memref<4xf32>
      %p = func.call @pick() {tag = "pick"} : () -> memref<4xf32>
      memref.store %v, %p[%c0] {tag = "p"} : memref<4xf32>
      func.call @take(%a) {tag = "take"} : (memref<4xf32>) -> ()
      func.call @tick() {tag = "tick"} : () -> ()
      %s = arith.select %c, %a, %b : memref<4xf32>
      memref.store %v, %s[%c0] {tag = "select"} : memref<4xf32>
      %t, %e = air.execute -> (memref<4xf32>) {
        %m = memref.alloc() : memref<4xf32>
        air.execute_terminator %m : memref<4xf32>
      } {tag = "alloc"}
      memref.store %v, %e[%c0] {tag = "e"} : memref<4xf32>
      %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
        memref.store %v, %x[%c0] {tag = "rotated"} : memref<4xf32>
        scf.yield %y, %x : memref<4xf32>, memref<4xf32>
      }
      %k = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %a) -> (memref<4xf32>) {
        memref.store %v, %x[%c0] {tag = "kept"} : memref<4xf32>
        scf.yield %x : memref<4xf32>
      }
      memref.store %v, %k[%c1] {tag = "after"} : memref<4xf32>
      return
    })");
  CHECK_FALSE(p.conflict("a", "b"));
  CHECK(p.conflict("g0", "g1"));
  CHECK_FALSE(p.conflict("g0", "h"));
  CHECK_FALSE(p.conflict("g0", "a"));
  CHECK(p.conflict("p", "a"));
  CHECK(p.conflict("p", "g0"));
  CHECK(p.show("p") == "W any all");
  CHECK(p.conflict("take", "a"));
  CHECK_FALSE(p.conflict("take", "b"));
  CHECK(p.show("tick") == "W hidden all");
  CHECK(p.conflict("tick", "pick"));
  CHECK_FALSE(p.conflict("tick", "p"));
  CHECK(p.conflict("select", "a"));
  CHECK(p.conflict("select", "e"));
  CHECK(p.conflict("alloc", "e"));
  CHECK_FALSE(p.conflict("alloc", "a"));
  CHECK(p.conflict("rotated", "b"));
  CHECK(p.conflict("kept", "a"));
  CHECK_FALSE(p.conflict("kept", "b"));
  CHECK_FALSE(p.conflict("after", "a"));
}

TEST_CASE("integers that may wrap are not followed", "[access]") {
  Program p(R"(
    func.func @f(%a: memref<?xf32>, %n: i8, %v: f32) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c100 = arith.constant 100 : index
      %k = arith.constant 3 : i8
      %wraps = arith.addi %n, %k : i8
      %w = arith.index_cast %wraps : i8 to index
      memref.store %v, %a[%w] {tag = "wraps"} : memref<?xf32>
      scf.for %i = %c0 to %c100 step %c1 {
        %s = arith.index_cast %i : index to i8
        %t = arith.addi %s, %k : i8
        %u = arith.index_cast %t : i8 to index
        memref.store %v, %a[%u] {tag = "fits"} : memref<?xf32>
        %d = arith.muli %t, %k : i8
        %e = arith.index_cast %d : i8 to index
        memref.store %v, %a[%e] {tag = "large"} : memref<?xf32>
      }
      return
    })");
  CHECK(p.show("wraps") == "W 0+1s");  // of the sum itself
  CHECK(p.show("fits") == "W 3+1s");
  CHECK(p.show("large") == "W 0+1s");
}

TEST_CASE("many pieces of one buffer become all of it", "[access]") {
  std::vector<BufferAccess> accesses;
  for (int64_t i = 0; i < 100; ++i)
    accesses.push_back({Buffer::hidden(), AccessKind::Write, StridedRegion{{i, {}}, {}}});
  for (int i = 0; i < 100; ++i)
    accesses.push_back({Buffer::hidden(), AccessKind::Read, std::nullopt});
  compact(accesses);
  CHECK(accesses.size() <= 17);
  bool hasAll = false;
  for (const BufferAccess& access : accesses)
    hasAll |= access.kind == AccessKind::Write && !access.region;
  CHECK(hasAll);
}
