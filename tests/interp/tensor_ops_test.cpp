// What each op on tensors, vectors and buffers means, with values by hand.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/interp/Interpreter.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

using namespace airlite;
using namespace airlite::interp;

namespace {

using Numbers = std::vector<int64_t>;

/// Elements of all results of @f, which has results of i32, i16 or index; in several schedules.
Numbers resultsOf(const std::string& text, uint64_t seeds = 3) {
  Context context;
  registerAllDialects(context);
  OwningOp module = parseSource(context, text, "in.mlir");
  REQUIRE(module);
  Program program(*module);
  Operation* function = program.find("f");
  REQUIRE(function);
  std::optional<Numbers> all;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    RunOptions options;
    options.seed = seed;
    Outcome outcome = program.run(*function, {}, options);
    INFO(outcome.message);
    REQUIRE(outcome.status == RunStatus::Done);
    Numbers found;
    for (const Datum& datum : outcome.results) {
      if (auto* scalar = std::get_if<Scalar>(&datum))
        found.push_back(static_cast<int64_t>(scalar->bits));
      if (auto* lanes = std::get_if<std::vector<Scalar>>(&datum))
        for (Scalar lane : *lanes)
          found.push_back(lane.poison ? -1 : static_cast<int64_t>(lane.bits));
      if (auto* memref = std::get_if<MemRef>(&datum))
        for (size_t i = 0, end = numElements(*memref); i < end; ++i) {
          Scalar value = readElement(*memref, IntegerType::get(context, 32), i);
          found.push_back(value.poison ? -1 : static_cast<int64_t>(value.bits));
        }
    }
    if (!all) all = found;
    CHECK(*all == found);
  }
  return *all;
}

/// A function of these types around `body`, which has 2x3 tensor %t = [[1, 2, 3], [4, 5, 6]].
std::string around(const std::string& types, const std::string& body) {
  return "func.func @f() -> (" + types +
         ") {\n"
         "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
         "  %c2 = arith.constant 2 : index\n  %c4 = arith.constant 4 : index\n"
         "  %n7 = arith.constant 7 : i32\n"
         "  %t = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>\n" +
         body + "\n}\n";
}

}  // namespace

TEST_CASE("interp: tensors made element by element", "[interp]") {
  CHECK(resultsOf(around("tensor<2x3xi32>",
                         "%r = tensor.generate %c2 {\n^bb0(%i: index, %j: index):\n"
                         "  %k = affine.apply affine_map<(i, j) -> (i * 10 + j)>(%i, %j)\n"
                         "  %v = arith.index_cast %k : index to i32\n  tensor.yield %v : i32\n"
                         "} : tensor<?x3xi32>\n"
                         "%s = tensor.cast %r : tensor<?x3xi32> to tensor<2x3xi32>\n"
                         "return %s : tensor<2x3xi32>")) == Numbers{0, 1, 2, 10, 11, 12});
  CHECK(resultsOf(around("tensor<2x2xi32>", "%r = tensor.splat %n7 : tensor<2x2xi32>\n"
                                            "return %r : tensor<2x2xi32>")) == Numbers{7, 7, 7, 7});
  // The body is not asked where the source stands: there it would divide by zero.
  CHECK(resultsOf(around("tensor<3x3xi32>",
                         "%r = tensor.pad %t low[1, %c0] high[0, 0] {\n"
                         "^bb0(%i: index, %j: index):\n"
                         "  %k = arith.cmpi eq, %i, %c0 : index\n"
                         "  %d = arith.select %k, %c2, %c0 : index\n"
                         "  %x = arith.divui %c4, %d : index\n"
                         "  %v = arith.index_cast %x : index to i32\n  tensor.yield %v : i32\n"
                         "} : tensor<2x3xi32> to tensor<3x?xi32>\n"
                         "%s = tensor.cast %r : tensor<3x?xi32> to tensor<3x3xi32>\n"
                         "return %s : tensor<3x3xi32>")) == Numbers{2, 2, 2, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("interp: a padded tensor has the source in its middle", "[interp]") {
  CHECK(
      resultsOf(around("tensor<3x5xi32>", "%r = tensor.pad %t low[1, 0] high[0, 2] {\n"
                                          "^bb0(%i: index, %j: index):\n  tensor.yield %n7 : i32\n"
                                          "} : tensor<2x3xi32> to tensor<3x5xi32>\n"
                                          "return %r : tensor<3x5xi32>")) ==
      Numbers{7, 7, 7, 7, 7, 1, 2, 3, 7, 7, 4, 5, 6, 7, 7});
}

TEST_CASE("interp: tensors out of tensors", "[interp]") {
  CHECK(resultsOf(around("tensor<2x5xi32>",
                         "%u = arith.constant dense<[[7, 8], [9, 10]]> : tensor<2x2xi32>\n"
                         "%r = tensor.concat dim(1) %t, %u : "
                         "(tensor<2x3xi32>, tensor<2x2xi32>) -> tensor<2x5xi32>\n"
                         "return %r : tensor<2x5xi32>")) == Numbers{1, 2, 3, 7, 8, 4, 5, 6, 9, 10});
  CHECK(resultsOf(around("tensor<3x2xi32>, index",
                         "%s = arith.constant dense<[3, 2]> : tensor<2xindex>\n"
                         "%r = tensor.reshape %t(%s) : "
                         "(tensor<2x3xi32>, tensor<2xindex>) -> tensor<3x2xi32>\n"
                         "%k = tensor.rank %t : tensor<2x3xi32>\n"
                         "return %r, %k : tensor<3x2xi32>, index")) ==
        Numbers{1, 2, 3, 4, 5, 6, 2});
  CHECK(resultsOf(around("tensor<2xi32>",
                         "%b = arith.constant dense<1.0> : tensor<2xf32>\n"
                         "%r = tensor.bitcast %b : tensor<2xf32> to tensor<2xi32>\n"
                         "return %r : tensor<2xi32>")) == Numbers{0x3f800000, 0x3f800000});
}

TEST_CASE("interp: gather and scatter of slices", "[interp]") {
  std::string positions = "%p = arith.constant dense<[[2], [0]]> : tensor<2x1xindex>\n";
  // Columns 2 and 0, with and without the dimension of size 1.
  CHECK(resultsOf(around("tensor<2x2x1xi32>, tensor<2x2xi32>",
                         positions + "%r = tensor.gather %t[%p] gather_dims([1]) : "
                                     "(tensor<2x3xi32>, tensor<2x1xindex>) -> tensor<2x2x1xi32>\n"
                                     "%s = tensor.gather %t[%p] gather_dims([1]) : "
                                     "(tensor<2x3xi32>, tensor<2x1xindex>) -> tensor<2x2xi32>\n"
                                     "return %r, %s : tensor<2x2x1xi32>, tensor<2x2xi32>")) ==
        Numbers{3, 6, 1, 4, 3, 6, 1, 4});
  // Open sizes are those of the positions and of the source.
  CHECK(
      resultsOf(around("tensor<?x?x1xi32>, tensor<?x?xi32>",
                       positions + "%q = tensor.cast %p : tensor<2x1xindex> to tensor<?x1xindex>\n"
                                   "%u = tensor.cast %t : tensor<2x3xi32> to tensor<?x3xi32>\n"
                                   "%r = tensor.gather %u[%q] gather_dims([1]) : "
                                   "(tensor<?x3xi32>, tensor<?x1xindex>) -> tensor<?x?x1xi32>\n"
                                   "%s = tensor.gather %u[%q] gather_dims([1]) : "
                                   "(tensor<?x3xi32>, tensor<?x1xindex>) -> tensor<?x?xi32>\n"
                                   "return %r, %s : tensor<?x?x1xi32>, tensor<?x?xi32>")) ==
      Numbers{3, 6, 1, 4, 3, 6, 1, 4});
  CHECK(resultsOf(around("tensor<2x3xi32>",
                         positions +
                             "%v = arith.constant dense<[[[10], [20]], [[30], [40]]]> : "
                             "tensor<2x2x1xi32>\n"
                             "%r = tensor.scatter %v into %t[%p] scatter_dims([1]) unique : "
                             "(tensor<2x2x1xi32>, tensor<2x3xi32>, tensor<2x1xindex>) "
                             "-> tensor<2x3xi32>\n"
                             "return %r : tensor<2x3xi32>")) == Numbers{30, 2, 10, 40, 5, 20});
}

TEST_CASE("interp: arith and math on tensors", "[interp]") {
  // Of a window of a tensor as well; the types of operands and results may differ.
  CHECK(resultsOf(around("tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x3xi32>",
                         "%w = tensor.extract_slice %t[0, 1] [2, 2] [1, 1] : "
                         "tensor<2x3xi32> to tensor<2x2xi32>\n"
                         "%v = tensor.extract_slice %t[0, 0] [2, 2] [1, 1] : "
                         "tensor<2x3xi32> to tensor<2x2xi32>\n"
                         "%r = arith.muli %w, %v : tensor<2x2xi32>\n"
                         "%c = arith.cmpi sgt, %v, %r : tensor<2x2xi32>\n"
                         "%d = arith.cmpi slt, %v, %r : tensor<2x2xi32>\n"
                         "%x = arith.extui %d : tensor<2x2xi1> to tensor<2x2xi32>\n"
                         "%s = arith.select %d, %w, %v : tensor<2x2xi1>, tensor<2x2xi32>\n"
                         "%u = arith.subi %t, %t : tensor<2x3xi32>\n"
                         "return %r, %s, %u : tensor<2x2xi32>, tensor<2x2xi32>, "
                         "tensor<2x3xi32>")) ==
        Numbers{2, 6, 20, 30, 2, 3, 5, 6, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("interp: the old names of pack and unpack", "[interp]") {
  CHECK(resultsOf(around("tensor<2x2x1x2xi32>, tensor<2x3xi32>",
                         "%e = tensor.empty() : tensor<2x2x1x2xi32>\n"
                         "%r = tensor.pack %t padding_value(%n7 : i32) inner_dims_pos = [0, 1] "
                         "inner_tiles = [1, 2] into %e : tensor<2x3xi32> -> tensor<2x2x1x2xi32>\n"
                         "%d = tensor.empty() : tensor<2x3xi32>\n"
                         "%u = tensor.unpack %r inner_dims_pos = [0, 1] inner_tiles = [1, 2] "
                         "into %d : tensor<2x2x1x2xi32> -> tensor<2x3xi32>\n"
                         "return %r, %u : tensor<2x2x1x2xi32>, tensor<2x3xi32>")) ==
        Numbers{1, 2, 3, 7, 4, 5, 6, 7, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("interp: iterations of scf.forall write parts of a shared output", "[interp]") {
  // Each iteration sees the output as it was before the loop: 1 + 4 and 3 + 6, not what another
  // has written.
  CHECK(resultsOf(around("tensor<2x3xi32>, tensor<2x3xi32>",
                         "%r = scf.forall (%i) in (2) shared_outs(%o = %t) -> (tensor<2x3xi32>) {\n"
                         "  %j = affine.apply affine_map<(i) -> (i * 2)>(%i)\n"
                         "  %a = tensor.extract %o[%c0, %j] : tensor<2x3xi32>\n"
                         "  %b = tensor.extract %o[%c1, %j] : tensor<2x3xi32>\n"
                         "  %s = arith.addi %a, %b : i32\n"
                         "  %v = tensor.from_elements %s : tensor<1xi32>\n"
                         "  scf.forall.in_parallel {\n"
                         "    tensor.parallel_insert_slice %v into %o[%i, %j] [1, 1] [1, 1] : "
                         "tensor<1xi32> into tensor<2x3xi32>\n  }\n}\n"
                         "return %r, %t : tensor<2x3xi32>, tensor<2x3xi32>"),
                  20) == Numbers{5, 2, 3, 4, 5, 9, 1, 2, 3, 4, 5, 6});
}

TEST_CASE("interp: tensors and buffers", "[interp]") {
  CHECK(resultsOf(around("memref<2x3xi32>, tensor<2x3xi32>",
                         "%a = bufferization.alloc_tensor() copy(%t) : tensor<2x3xi32>\n"
                         "%b = tensor.insert %n7 into %a[%c1, %c0] : tensor<2x3xi32>\n"
                         "%m = memref.alloc() : memref<2x3xi32>\n"
                         "bufferization.materialize_in_destination %b in writable %m : "
                         "(tensor<2x3xi32>, memref<2x3xi32>) -> ()\n"
                         "%e = bufferization.alloc_tensor(%c2) : tensor<?x3xi32>\n"
                         "%g = tensor.cast %e : tensor<?x3xi32> to tensor<2x3xi32>\n"
                         "%d = bufferization.materialize_in_destination %t in %g : "
                         "(tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>\n"
                         "bufferization.dealloc_tensor %a : tensor<2x3xi32>\n"
                         "return %m, %d : memref<2x3xi32>, tensor<2x3xi32>")) ==
        Numbers{1, 2, 3, 7, 5, 6, 1, 2, 3, 4, 5, 6});
  // %a is owned and retained, %b is freed, %c is not owned.
  CHECK(
      resultsOf(around("i32, i32, index, index",
                       "%true = arith.constant true\n%false = arith.constant false\n"
                       "%a = memref.alloc() : memref<1xi32>\n%b = memref.alloc() : memref<1xi32>\n"
                       "%c = memref.alloc() : memref<1xi32>\n"
                       "memref.store %n7, %a[%c0] : memref<1xi32>\n"
                       "memref.store %n7, %c[%c0] : memref<1xi32>\n"
                       "%o:2 = bufferization.dealloc (%a, %b, %c : memref<1xi32>, memref<1xi32>, "
                       "memref<1xi32>) if (%true, %true, %false) retain (%a, %c : "
                       "memref<1xi32>, memref<1xi32>)\n"
                       "%x = memref.load %a[%c0] : memref<1xi32>\n"
                       "%y = memref.load %c[%c0] : memref<1xi32>\n"
                       "%p = arith.index_castui %o#0 : i1 to index\n"
                       "%q = arith.index_castui %o#1 : i1 to index\n"
                       "return %x, %y, %p, %q : i32, i32, index, index")) == Numbers{7, 7, 1, 0});
}

TEST_CASE("interp: memory of another size or shape", "[interp]") {
  std::string fill =
      "%m = memref.alloc() : memref<4xi32>\n"
      "memref.store %n7, %m[%c0] : memref<4xi32>\nmemref.store %n7, %m[%c1] : memref<4xi32>\n"
      "memref.store %n7, %m[%c2] : memref<4xi32>\n%c3 = arith.constant 3 : index\n"
      "memref.store %n9, %m[%c3] : memref<4xi32>\n";
  std::string nine = "%n9 = arith.constant 9 : i32\n";
  CHECK(resultsOf(
            around("memref<2x2xi32>", nine + fill +
                                          "%s = memref.alloc() : memref<2xindex>\n"
                                          "memref.store %c2, %s[%c0] : memref<2xindex>\n"
                                          "memref.store %c2, %s[%c1] : memref<2xindex>\n"
                                          "%r = memref.reshape %m(%s) : "
                                          "(memref<4xi32>, memref<2xindex>) -> memref<2x2xi32>\n"
                                          "memref.store %n9, %r[%c1, %c0] : memref<2x2xi32>\n"
                                          "return %r : memref<2x2xi32>")) == Numbers{7, 7, 9, 9});
  CHECK(resultsOf(around("memref<2xi32>, memref<?xi32>",
                         nine + fill +
                             "%a = memref.realloc %m : memref<4xi32> to memref<2xi32>\n"
                             "%b0 = memref.alloc() : memref<1xi32>\n"
                             "memref.store %n9, %b0[%c0] : memref<1xi32>\n"
                             "%b = memref.realloc %b0(%c2) : memref<1xi32> to memref<?xi32>\n"
                             "memref.store %n7, %b[%c1] : memref<?xi32>\n"
                             "return %a, %b : memref<2xi32>, memref<?xi32>")) ==
        Numbers{7, 7, 9, 7});
}

TEST_CASE("interp: nobody comes between the parts of an atomic op", "[interp]") {
  // 8 iterations side by side: x := 2 x + 1, so 255 whatever the order.
  CHECK(resultsOf(
            around("i32", "%m = memref.alloc() : memref<1xi32>\n%z = arith.constant 0 : i32\n"
                          "memref.store %z, %m[%c0] : memref<1xi32>\n"
                          "%c8 = arith.constant 8 : index\n"
                          "scf.parallel (%i) = (%c0) to (%c8) step (%c1) {\n"
                          "  %o = memref.generic_atomic_rmw %m[%c0] : memref<1xi32> {\n"
                          "  ^bb0(%x: i32):\n    %y = arith.addi %x, %x : i32\n"
                          "    %one = arith.constant 1 : i32\n    %w = arith.addi %y, %one : i32\n"
                          "    memref.atomic_yield %w : i32\n  }\n  scf.reduce\n}\n"
                          "%r = memref.load %m[%c0] : memref<1xi32>\nreturn %r : i32"),
            40) == Numbers{255});
}

TEST_CASE("interp: vectors whose elements lie apart", "[interp]") {
  std::string memory =
      "%c5 = arith.constant 5 : index\n%m = memref.alloc() : memref<6xi32>\n"
      "scf.for %i = %c0 to %c6 step %c1 {\n  %v = arith.index_cast %i : index to i32\n"
      "  memref.store %v, %m[%i] : memref<6xi32>\n}\n"
      "%mask = arith.constant dense<[true, false, true, true]> : vector<4xi1>\n"
      "%p = arith.constant dense<[3, 100, -1, 0]> : vector<4xi32>\n"
      "%o = arith.constant dense<[40, 41, 42, 43]> : vector<4xi32>\n";
  std::string six = "%c6 = arith.constant 6 : index\n";
  CHECK(resultsOf(around("vector<4xi32>, vector<4xi32>",
                         six + memory +
                             "%g = vector.gather %m[%c1] [%p], %mask, %o : memref<6xi32>, "
                             "vector<4xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>\n"
                             "%e = vector.expandload %m[%c2], %mask, %o : memref<6xi32>, "
                             "vector<4xi1>, vector<4xi32> into vector<4xi32>\n"
                             "return %g, %e : vector<4xi32>, vector<4xi32>")) ==
        Numbers{4, 41, 0, 1, 2, 41, 3, 4});
  CHECK(resultsOf(around("memref<6xi32>",
                         six + memory +
                             "vector.scatter %m[%c1] [%p], %mask, %o : memref<6xi32>, "
                             "vector<4xi32>, vector<4xi1>, vector<4xi32>\n"
                             "return %m : memref<6xi32>")) == Numbers{42, 43, 2, 3, 40, 5});
  CHECK(resultsOf(around("memref<6xi32>",
                         six + memory +
                             "vector.compressstore %m[%c1], %mask, %o : memref<6xi32>, "
                             "vector<4xi1>, vector<4xi32>\n"
                             "return %m : memref<6xi32>")) == Numbers{0, 40, 42, 43, 4, 5});
  CHECK(resultsOf(around("vector<4xi16>, vector<1xi32>",
                         "%v = arith.constant dense<[65538, 262147]> : vector<2xi32>\n"
                         "%b = vector.bitcast %v : vector<2xi32> to vector<4xi16>\n"
                         "%h = arith.constant dense<[1, 1]> : vector<2xi16>\n"
                         "%w = vector.bitcast %h : vector<2xi16> to vector<1xi32>\n"
                         "return %b, %w : vector<4xi16>, vector<1xi32>")) ==
        Numbers{2, 1, 3, 4, 65537});
}

TEST_CASE("interp: functions are values, casts between types that are kept alike", "[interp]") {
  CHECK(resultsOf("func.func private @g(%a: i32) -> i32 {\n  %r = arith.addi %a, %a : i32\n"
                  "  return %r : i32\n}\n" +
                  around("i32, index", "%g = func.constant @g : (i32) -> i32\n"
                                       "%r = func.call_indirect %g(%n7) : (i32) -> i32\n"
                                       "%w = arith.constant 5 : i64\n"
                                       "%i = builtin.unrealized_conversion_cast %w : i64 to index\n"
                                       "return %r, %i : i32, index")) == Numbers{14, 5});
}
