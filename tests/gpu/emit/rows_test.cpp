// Ops on rows by the recipe air-gpu: random ops, shapes, element types and devices, in three orders of
// the work-items, compared with the same program as work-items that run the loops in their order.
#include "Numbers.hpp"
#include "airlite/text/Printer.hpp"

#include <cstdlib>
#include <functional>
#include <map>

using namespace airlite;
using namespace airlite::gpu;
using namespace airlite::gpu::test;

namespace {

struct RowCase {
  std::string device, op, type;
  std::int64_t rows, columns;
  bool isOpen;

  bool hasRowResults() const { return op == "softmax" || op == "norm" || op == "bias"; }
  /// Sums of these numbers are the same in each order.
  bool isExact() const { return op != "softmax" && op != "norm"; }
  std::string sum() const { return type[0] == 'i' ? type : type == "f64" ? "f64" : "f32"; }

  std::string size(std::int64_t number) const {
    return isOpen ? "?x" : std::to_string(number) + "x";
  }
  std::string matrix() const { return "memref<" + size(rows) + size(columns) + type + ">"; }
  std::string row() const { return "memref<" + size(columns) + type + ">"; }
  std::string column(const std::string& element) const {
    return "memref<" + size(rows) + element + ">";
  }
  std::string result() const { return hasRowResults() ? matrix() : column(sum()); }
  std::string describe() const {
    return device + " " + op + " " + type + " " + std::to_string(rows) + "x" +
           std::to_string(columns) + (isOpen ? " open" : "");
  }
};

constexpr const char* kMaps = "#r = affine_map<(i, j) -> (i, j)>\n#s = affine_map<(i, j) -> (i)>\n"
                              "#c = affine_map<(i, j) -> (j)>\n#v = affine_map<(i) -> (i)>\n";

/// A value `name` of the type of sums, from the element `from`.
std::string widen(const RowCase& c, const std::string& name, const std::string& from) {
  if (c.type != c.sum()) return name + " = arith.extf " + from + " : " + c.type + " to f32\n";
  const bool isInt = c.type[0] == 'i';
  return "%zero" + name.substr(1) + " = arith.constant " + (isInt ? "0" : "0.0") + " : " + c.type +
         "\n" + name + " = arith." + (isInt ? "addi " : "addf ") + from + ", %zero" +
         name.substr(1) + " : " + c.type + "\n";
}

std::string narrow(const RowCase& c, const std::string& value) {
  if (c.type == c.sum()) return "linalg.yield " + value + " : " + c.type + "\n";
  return "%narrow = arith.truncf " + value + " : f32 to " + c.type +
         "\nlinalg.yield %narrow : " + c.type + "\n";
}

/// to[i] = combined over j of `made`, which `body` computes from %w, the element of %x.
std::string reduction(const RowCase& c, const std::string& to, const std::string& combine,
                      const std::string& body, const std::string& made,
                      const std::string& beside = "") {
  const bool hasBeside = !beside.empty();
  return "linalg.generic {indexing_maps = [#r, " + std::string(hasBeside ? "#s, " : "") +
         "#s], iterator_types = [\"parallel\", \"reduction\"]} ins(%x" +
         (hasBeside ? ", " + beside : "") + " : " + c.matrix() +
         (hasBeside ? ", " + c.column(c.sum()) : "") + ") outs(" + to + " : " + c.column(c.sum()) +
         ") {\n^bb0(%e: " + c.type + (hasBeside ? ", %m: " + c.sum() : "") + ", %o: " + c.sum() +
         "):\n" + widen(c, "%w", "%e") + body + "%t = " + combine + " " + made +
         ", %o : " + c.sum() + "\nlinalg.yield %t : " + c.sum() + "\n}\n";
}

std::string normText(const RowCase& c) {
  const auto s = c.sum(), stat = c.column(s);
  const std::string size = std::to_string(c.columns) + ".0";
  std::string alloc, free;
  for (std::string name : {"%mean", "%square"}) {
    alloc += name + " = memref.alloc(" + (c.isOpen ? "%rows" : "") + ") : " + stat +
             "\nlinalg.fill ins(%z : " + s + ") outs(" + name + " : " + stat + ")\n";
    free += "memref.dealloc " + name + " : " + stat + "\n";
  }
  return "%i0 = arith.constant 0 : index\n%rows = memref.dim %x, %i0 : " + c.matrix() +
         "\n%z = arith.constant 0.0 : " + s + "\n%n = arith.constant " + size + " : " + s +
         "\n%eps = arith.constant 1.0e-3 : " + s + "\n" + alloc +
         reduction(c, "%mean", "arith.addf", "", "%w") +
         "linalg.generic {indexing_maps = [#v], iterator_types = [\"parallel\"]} outs(%mean : " +
         stat + ") {\n^bb0(%o: " + s + "):\n%t = arith.divf %o, %n : " + s +
         "\nlinalg.yield %t : " + s + "\n}\n" +
         reduction(c, "%square", "arith.addf",
                   "%d = arith.subf %w, %m : " + s + "\n%d2 = arith.mulf %d, %d : " + s + "\n",
                   "%d2", "%mean") +
         "linalg.generic {indexing_maps = [#r, #s, #s, #c, #r], iterator_types = [\"parallel\", "
         "\"parallel\"]} ins(%x, %mean, %square, %g : " +
         c.matrix() + ", " + stat + ", " + stat + ", " + c.row() + ") outs(%y : " + c.matrix() +
         ") {\n^bb0(%e: " + c.type + ", %m: " + s + ", %q: " + s + ", %h: " + c.type +
         ", %o: " + c.type + "):\n" + widen(c, "%w", "%e") + widen(c, "%wh", "%h") +
         "%d = arith.subf %w, %m : " + s + "\n%var = arith.divf %q, %n : " + s +
         "\n%safe = arith.addf %var, %eps : " + s + "\n%root = math.rsqrt %safe : " + s +
         "\n%d1 = arith.mulf %d, %root : " + s + "\n%d2 = arith.mulf %d1, %wh : " + s + "\n" +
         narrow(c, "%d2") + "}\n" + free;
}

std::string biasText(const RowCase& c) {
  const auto s = c.sum();
  return "linalg.generic {indexing_maps = [#r, #c, #r], iterator_types = [\"parallel\", "
         "\"parallel\"]} ins(%x, %g : " +
         c.matrix() + ", " + c.row() + ") outs(%y : " + c.matrix() + ") {\n^bb0(%e: " + c.type +
         ", %h: " + c.type + ", %o: " + c.type + "):\n" + widen(c, "%w", "%e") +
         widen(c, "%wh", "%h") + "%t = arith.addf %w, %wh : " + s +
         "\n%zero = arith.constant 0.0 : " + s + "\n%pos = arith.cmpf ogt, %t, %zero : " + s +
         "\n%u = arith.select %pos, %t, %zero : " + s + "\n" + narrow(c, "%u") + "}\n";
}

std::string bodyText(const RowCase& c) {
  if (c.op == "softmax")
    return "linalg.softmax dimension(1) ins(%x : " + c.matrix() + ") outs(%y : " + c.matrix() +
           ")\n";
  if (c.op == "norm") return normText(c);
  if (c.op == "bias") return biasText(c);
  if (c.op == "matvec")
    return "linalg.matvec ins(%x, %g : " + c.matrix() + ", " + c.row() +
           ") outs(%y : " + c.result() + ")\n";
  const bool isInt = c.type[0] == 'i';
  if (c.op == "max") return reduction(c, "%y", isInt ? "arith.maxsi" : "arith.maximumf", "", "%w");
  if (c.op == "and") return reduction(c, "%y", "arith.andi", "", "%w");
  return reduction(
      c, "%y", isInt ? "arith.addi" : "arith.addf",
      "%w2 = arith." + std::string(isInt ? "muli" : "mulf") + " %w, %w : " + c.sum() + "\n", "%w2");
}

class RowRun {
 public:
  RowRun(const RowCase& c, std::mt19937& random)
      : c_(c),
        x_(c.type, c.rows * c.columns),
        g_(c.type, c.columns),
        y_(c.hasRowResults() ? c.type : c.sum(), c.hasRowResults() ? c.rows * c.columns : c.rows) {
    std::uniform_int_distribution<int> small(-32, 32);
    for (Numbers* each : {&x_, &g_, &y_})
      for (std::int64_t i = 0; i < count(*each); ++i)
        each->put(i, small(random));
  }

  void check() {
    const auto before = y_.bytes;
    run(" exact", RunOrder::Forward, "");
    Numbers expected = y_;
    for (auto order : {RunOrder::Forward, RunOrder::Reverse, RunOrder::Random}) {
      y_.bytes = before;
      run("", order, "vector.");
      std::int64_t wrong = 0;
      for (std::int64_t i = 0; i < count(y_); ++i)
        wrong += !isClose(y_.get(i), expected.get(i));
      CHECK(wrong == 0);
    }
  }

 private:
  static std::int64_t count(const Numbers& numbers) {
    return static_cast<std::int64_t>(numbers.bytes.size()) / numbers.width();
  }

  /// Rows of the results have the rounding of their type, once for each op of the program in place of
  /// once; softmax of 16 bits rounds five times there.
  bool isClose(double found, double expected) {
    if (c_.isExact()) return found == expected;
    const double unit = std::max(y_.epsilon(), 0x1p-24);
    const double sums = static_cast<double>(c_.columns) * (c_.op == "softmax" ? unit : 0x1p-24);
    return std::fabs(found - expected) <=
           (8 * unit + sums) * std::max(1e-3, std::fabs(expected)) + 1e-6;
  }

  void run(const std::string& options, RunOrder order, const std::string& wanted) {
    Program program("func.func @main(%x: " + c_.matrix() + ", %g: " + c_.row() +
                        ", %y: " + c_.result() + ") {\n" + bodyText(c_) + "return\n}\n",
                    kMaps);
    runPasses(program, "air-gpu{device=" + c_.device + options + "}");
    const auto text = printToString(*program.module);
    CHECK(text.find("linalg") == std::string::npos);
    CHECK(text.find(wanted) != std::string::npos);
    runPasses(program, gpuPipelineText(!options.empty()));
    RunOptions how;
    how.order = order;
    std::vector<std::int64_t> shape = {c_.rows};
    if (c_.hasRowResults()) shape.push_back(c_.columns);
    const auto host = hostOf(program);
    runMain(host,
            {HostValue::buffer(x_.bytes.data(), {c_.rows, c_.columns}),
             HostValue::buffer(g_.bytes.data(), {c_.columns}),
             HostValue::buffer(y_.bytes.data(), shape)},
            how);
  }

  const RowCase& c_;
  Numbers x_, g_, y_;
};

RowCase randomRows(std::mt19937& random) {
  RowCase c;
  c.device = oneOf<std::string>(random, {"gfx90a", "gfx942", "gfx1100", "gfx1201"});
  c.op = oneOf<std::string>(random, {"softmax", "norm", "bias", "matvec", "max", "sum", "and"});
  c.type = oneOf<std::string>(random, {"f16", "bf16", "f32", "f64"});
  if (c.op == "softmax") c.type = oneOf<std::string>(random, {"f16", "bf16", "f32"});  // exp
  if (c.op == "and") c.type = oneOf<std::string>(random, {"i8", "i16", "i32", "i64"});
  if (c.op == "max" || c.op == "sum")
    c.type = oneOf<std::string>(random, {"f16", "bf16", "f32", "f64", "i8", "i32"});
  if (c.op == "matvec") c.type = oneOf<std::string>(random, {"f32", "f64"});
  c.rows = oneOf<std::int64_t>(random, {1, 2, 3, 5, 17, 40});
  c.columns =
      oneOf<std::int64_t>(random, {1,   2,   3,   5,   8,   15,  16,   31,   63,   64,   65,  100,
                                   127, 128, 200, 256, 511, 700, 1024, 1500, 3000, 4097, 9001});
  c.isOpen = random() % 4 == 0;
  return c;
}

}  // namespace

TEST_CASE("random ops on rows", "[rows]") {
  const char* runs = std::getenv("AIRLITE_ROW_RUNS");
  std::mt19937 random(20261126);
  for (int i = 0, count = runs ? std::atoi(runs) : 40; i < count; ++i) {
    const RowCase c = randomRows(random);
    INFO(i << ": " << c.describe());
    RowRun(c, random).check();
  }
}

/// As many numbers of rows as elements in a tile: both lie in the same lanes, said in two ways.
TEST_CASE("rows of one element", "[rows]") {
  std::mt19937 random(5);
  for (std::string device : {"gfx942", "gfx1201"})
    for (std::string op : {"sum", "norm", "bias"}) {
      const RowCase c{device, op, "f64", 3, 1, false};
      INFO(c.describe());
      RowRun(c, random).check();
    }
}

TEST_CASE("rows that no registers hold are read tile by tile, few of them in parts", "[rows]") {
  std::mt19937 random(3);
  for (bool isOpen : {true, false})
    for (std::string op : {"softmax", "norm", "max"}) {
      const RowCase c{"gfx1201", op, "f32", 2, 140001, isOpen};
      INFO(c.describe());
      RowRun(c, random).check();
    }
}
