// What programs hold at once: each structural case of section 2.2 of the compute model on a program
// small enough to count by hand, then device descriptions. Random programs: resources_random_test.
#include "airlite/analysis/Resources.hpp"

#include "airlite/dialect/Dialects.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <nlohmann/json.hpp>

using namespace airlite;
using namespace airlite::analysis;

namespace {

/// A segment body on its own, with constants %c0 to %c8 and two buffers to copy between.
std::string inSegment(const std::string& body) {
  std::string text =
      "air.channel @c [4]\n"
      "func.func @f(%m: memref<64xf32>, %go: i1, %n: index) {\n"
      "air.launch () in () args(%a = %m, %yes = %go, %k = %n) : memref<64xf32>, i1, index {\n"
      "air.segment @s args(%b = %a, %if = %yes, %dyn = %k) : memref<64xf32>, i1, index {\n";
  for (int i = 0; i <= 8; ++i)
    text += "%c" + std::to_string(i) + " = arith.constant " + std::to_string(i) + " : index\n";
  return text + body + "\n}\n}\nreturn\n}\n";
}

std::string async(const std::string& waits) {
  return waits.empty() ? " async" : " async [" + waits + "]";
}
std::string herd(const std::string& name, const std::string& waits, int columns) {
  return "%" + name + " = air.herd @" + name + async(waits) + " tile (%x, %y) in (%sx = %c" +
         std::to_string(columns) + ", %sy = %c1) {\n}\n";
}
std::string dma(const std::string& name, const std::string& waits) {
  return "%" + name + " = air.dma_memcpy_nd" + async(waits) +
         " (%b[] [] [], %b[] [] []) : (memref<64xf32>, memref<64xf32>)\n";
}
std::string alloc(const std::string& name, const std::string& waits, int bytes) {
  std::string type = "memref<" + std::to_string(bytes) + "xi8, 1>";
  return "%" + name + ", %" + name + "m = air.execute" + async(waits).substr(6) + " -> (" + type +
         ") {\n%" + name + "i = memref.alloc() : " + type + "\nair.execute_terminator %" + name +
         "i : " + type + "\n}\n";
}
std::string dealloc(const std::string& name, const std::string& waits, const std::string& of,
                    int bytes) {
  return "%" + name + " = air.execute" + async(waits).substr(6) + " {\nmemref.dealloc %" + of +
         "m : memref<" + std::to_string(bytes) + "xi8, 1>\n}\n";
}

struct Program {
  explicit Program(const std::string& text) {
    registerAllDialects(context);
    context.diagnostics().setHandler(
        [&](const Diagnostic& d) { errors += formatDiagnostic(context, d); });
    module = parseSource(context, text, "test.mlir");
    INFO(text << errors);
    REQUIRE(module);
    analysis = analyseResources(*module);
  }

  const ResourceFootprint& level(std::string_view name, size_t number = 0) const {
    for (const ResourceFootprint& level : analysis.levels)
      if (level.op->name() == name && number-- == 0) return level;
    FAIL("no such level");
    return analysis.levels.front();
  }
  const Amount& total(Resource resource, std::string_view name = "air.segment") const {
    return level(name).total[resource];
  }
  int64_t tiles() const { return total(Resource::ComputeTiles).value; }
  int64_t channels() const { return total(Resource::DmaChannels).value; }
  int64_t l2() const { return total(Resource::L2Bytes).value; }
  bool isExact() const {
    bool exact = true;
    for (Resource resource : kResources)
      exact &= total(resource).isExact;
    return exact;
  }

  Context context;
  std::string errors;
  OwningOp module;
  ResourceAnalysis analysis;
};

/// The contributors of each level add up.
void checkSums(const Program& program) {
  for (const ResourceFootprint& level : program.analysis.levels)
    for (Resource resource : kResources) {
      int64_t sum = 0;
      for (const Contributor& part : level.perInstance[resource].contributors)
        sum += part.amount * part.instances;
      CHECK(sum == level.perInstance[resource].value);
    }
}

}  // namespace

// -- Leaf segments --------------------------------------------------------------------------------

TEST_CASE("herds without an order are there at once, ordered ones take turns") {
  Program side(inSegment(herd("p", "", 3) + herd("q", "", 4)));
  CHECK(side.tiles() == 7);
  CHECK(side.isExact());
  checkSums(side);
  Program turns(inSegment(herd("p", "", 3) + herd("q", "%p", 4) + herd("r", "", 2)));
  CHECK(turns.tiles() == 6);
  REQUIRE(turns.level("air.segment").perInstance[Resource::ComputeTiles].contributors.size() == 2);
}

TEST_CASE("a blocking herd ends before what follows") {
  Program program(inSegment("air.herd tile (%x) in (%sx = %c4) {\n}\n" + herd("q", "", 3)));
  CHECK(program.tiles() == 4);
}

TEST_CASE("transfers at one time need a channel each, joins order them") {
  Program program(inSegment(dma("p", "") + dma("q", "") + dma("r", "") +
                            "%w = air.wait_all async [%p, %q, %r]\n" + dma("s", "%w") +
                            dma("t", "%w")));
  CHECK(program.channels() == 3);
  CHECK(program.isExact());
}

TEST_CASE("transfers of cores count for each core, cascades do not count") {
  Program program(
      "air.channel @casc [4] {channel_type = \"cascade\"}\n" +
      inSegment("air.herd tile (%x, %y) in (%sx = %c4, %sy = %c2) {\n"
                "%m = memref.alloc() : memref<8xf32, 2>\n"
                "%p = air.channel.get async @c[%x] (%m[] [] []) : (memref<8xf32, 2>)\n"
                "%q = air.channel.put async @c[%x] (%m[] [] []) : (memref<8xf32, 2>)\n"
                "%r = air.channel.put async @casc[%x] (%m[] [] []) : (memref<8xf32, 2>)\n"
                "memref.dealloc %m : memref<8xf32, 2>\n}\n"));
  CHECK(program.channels() == 16);
  CHECK(program.total(Resource::L1Bytes).value == 32);
  CHECK(program.total(Resource::L1Bytes, "air.herd").value == 32);
}

TEST_CASE("memory lives from its allocation to where it is freed") {
  Program turns(inSegment(alloc("p", "", 100) + dealloc("fp", "%p", "p", 100) +
                          alloc("q", "%fp", 70) + alloc("r", "%fp", 50) +
                          dealloc("fq", "%q", "q", 70)));
  CHECK(turns.l2() == 120);
  CHECK(turns.isExact());
  Program kept(inSegment(alloc("p", "", 100) + alloc("q", "%p", 70)));
  CHECK(kept.l2() == 170);
  CHECK(kept.level("air.segment").perInstance[Resource::L2Bytes].contributors.size() == 2);
}

TEST_CASE("one execute that makes and frees several buffers needs the most of them") {
  Program program(inSegment("%t = air.execute {\n"
                            "%p = memref.alloc() : memref<100xi8, 1>\n"
                            "memref.dealloc %p : memref<100xi8, 1>\n"
                            "%q = memref.alloc() : memref<60xi8, 1>\n"
                            "%r = memref.alloc() : memref<60xi8, 1>\n"
                            "memref.dealloc %q : memref<60xi8, 1>\n"
                            "memref.dealloc %r : memref<60xi8, 1>\n}\n"));
  CHECK(program.l2() == 120);
}

TEST_CASE("x_size and y_size say how many tiles a segment has") {
  std::string text = inSegment(herd("p", "", 3) + herd("q", "", 4));
  size_t at = text.find("index {", text.find("air.segment")) + 6;
  text.insert(at, "attributes {x_size = 2 : i64, y_size = 3 : i64} ");
  Program program(text);
  CHECK(program.tiles() == 6);
  CHECK(program.level("air.segment").neededTiles.value == 7);
  std::vector<Overflow> found = findOverflows(program.analysis, DeviceLimits{"any", {}, {}, {}});
  REQUIRE(found.size() == 1);
  CHECK(found[0].scope == Overflow::Scope::Reserved);
}

// -- Branches -------------------------------------------------------------------------------------

TEST_CASE("of the branches of a conditional the larger one counts") {
  Program closed(inSegment("scf.if %if {\n air.herd tile (%x) in (%sx = %c3) {\n}\n} else {\n"
                           "air.herd tile (%x) in (%sx = %c5) {\n}\n}\n"));
  CHECK(closed.tiles() == 5);
  Program open(inSegment(herd("o", "", 1) + "%r = scf.if %if -> !air.async.token {\n" +
                         herd("p", "%o", 3) + "scf.yield %p : !air.async.token\n} else {\n" +
                         herd("q", "", 2) + "scf.yield %q : !air.async.token\n}\n" +
                         herd("z", "%r", 2)));
  // Then: o, p, z in turn. Else: q beside o, then z, beside o still.
  CHECK(open.tiles() == 3);
  CHECK(open.isExact());
}

// -- Loops ----------------------------------------------------------------------------------------

namespace {
std::string loop(const std::string& trips, const std::string& inits, const std::string& body,
                 const std::string& yields, int tokens) {
  std::string types = "!air.async.token";
  for (int i = 1; i < tokens; ++i)
    types += ", !air.async.token";
  return "%l:" + std::to_string(tokens) + " = scf.for %i = %c0 to %" + trips +
         " step %c1 iter_args(" + inits + ") -> (" + types + ") {\n" + body + "scf.yield " +
         yields + " : " + types + "\n}\n";
}
const std::string kInit = "%w = air.wait_all async\n";
}  // namespace

TEST_CASE("one chain through a loop: one iteration at a time") {
  Program program(
      inSegment(kInit + loop("c8", "%t = %w", dma("d", "%t") + herd("h", "%d", 4), "%h", 1)));
  CHECK(program.tiles() == 4);
  CHECK(program.channels() == 1);
  CHECK(program.isExact());
}

TEST_CASE("a token that is used two iterations later lets two be there at once") {
  Program program(
      inSegment(kInit + loop("c8", "%t = %w, %u = %w", herd("h", "%t", 4), "%u, %h", 2)));
  CHECK(program.tiles() == 8);
  CHECK(program.isExact());
  checkSums(program);
  Program three(inSegment(
      kInit + loop("c8", "%t = %w, %u = %w, %v = %w", herd("h", "%t", 2), "%u, %v, %h", 3)));
  CHECK(three.tiles() == 6);
  Program twice(inSegment(kInit + loop("c1", "%t = %w, %u = %w", herd("h", "%t", 4), "%u, %h", 2)));
  CHECK(twice.tiles() == 4);
}

TEST_CASE("prefetch: transfers and computation have a chain each") {
  // The copy of the next iteration runs beside the herd of this one; of each there is one.
  Program program(inSegment(kInit + loop("c8", "%c = %w, %p = %w",
                                         dma("d", "%p") + herd("h", "%c, %d", 4), "%h, %d", 2)));
  CHECK(program.tiles() == 4);
  CHECK(program.channels() == 1);
  CHECK(program.isExact());
}

TEST_CASE("stages with a chain each overlap across iterations") {
  Program program(inSegment(
      kInit + loop("c8", "%p = %w, %q = %w", dma("d", "%p") + dma("e", "%d, %q"), "%d, %e", 2)));
  CHECK(program.channels() == 2);
  CHECK(program.isExact());
}

TEST_CASE("an op that no chain orders after its own last run is a lower bound") {
  Program program(
      inSegment(kInit + loop("dyn", "%t = %w", dma("d", "") + herd("h", "%t, %d", 4), "%h", 1)));
  CHECK(program.tiles() == 4);
  CHECK(program.total(Resource::ComputeTiles).isExact);
  CHECK(program.channels() == 1);
  CHECK(!program.total(Resource::DmaChannels).isExact);
  REQUIRE(!program.level("air.segment").open.empty());
  CHECK(program.level("air.segment").open[0].op->name() == "air.dma_memcpy_nd");
}

TEST_CASE("memory freed in the iteration has one slot, memory carried on is there throughout") {
  Program slot(
      inSegment(kInit + loop("c8", "%t = %w, %u = %w",
                             alloc("p", "%t", 100) + dealloc("f", "%p", "p", 100), "%u, %f", 2)));
  CHECK(slot.l2() == 100);
  Program carried(inSegment(kInit + alloc("p", "", 40) +
                            loop("c8", "%t = %p", alloc("q", "%t", 100), "%q", 1) +
                            dealloc("f", "%l#0", "p", 40)));
  CHECK(carried.l2() == 140);
}

TEST_CASE("a loop that may not run orders nothing around it") {
  std::string body = herd("p", "", 4) + kInit;
  std::string after = herd("z", "%l#0", 4);
  Program may(inSegment(body + loop("dyn", "%t = %w", herd("h", "%t, %p", 1), "%h", 1) + after));
  CHECK(may.tiles() == 8);
  Program does(inSegment(body + loop("c2", "%t = %w", herd("h", "%t, %p", 1), "%h", 1) + after));
  CHECK(does.tiles() == 4);
  CHECK(does.isExact());
}

TEST_CASE("all instances of a parallel loop are there at once") {
  std::string body = "%r = scf.parallel (%i, %j) = (%c0, %c0) to (%c3, %dim) step (%c1, %c1) init"
                     " (%w) -> !air.async.token {\n" +
                     dma("d", "%w") +
                     "scf.reduce(%d : !air.async.token) {\n^bb0(%u: !air.async.token, %v: "
                     "!air.async.token):\n%k = air.wait_all async [%u, %v]\nscf.reduce.return %k : "
                     "!air.async.token\n}\n}\n";
  auto with = [&](const std::string& bound) {
    std::string text = body;
    text.replace(text.find("%dim"), 4, bound);
    return text;
  };
  Program fixed(inSegment(kInit + with("%c4") + dma("z", "%r")));
  CHECK(fixed.channels() == 12);
  CHECK(fixed.isExact());
  checkSums(fixed);
  Program open(inSegment(kInit + with("%dyn")));
  CHECK(open.channels() == 1);
  CHECK(!open.isExact());
}

// -- Containing segments, launches ----------------------------------------------------------------

namespace {
std::string nested(const std::string& name, const std::string& waits, int instances, int columns,
                   int bytes) {
  return "%" + name + " = air.segment @" + name + async(waits) + " unroll (%ui) in (%us = %c" +
         std::to_string(instances) + ") {\n%c1 = arith.constant 1 : index\n%c" +
         std::to_string(columns + 10) + " = arith.constant " + std::to_string(columns) +
         " : index\n" + alloc("p", "", bytes) +
         "%h = air.herd async [%p] tile (%x, %y) in (%sx = %c" + std::to_string(columns + 10) +
         ", %sy = %c1) {\n}\n" + dealloc("f", "%h", "p", bytes) + "}\n";
}
}  // namespace

TEST_CASE("a nested segment is one block, times its iteration space") {
  Program program(inSegment(alloc("d", "", 7) + nested("p", "%d", 3, 2, 10) +
                            nested("q", "%p", 2, 4, 30) + nested("r", "", 1, 1, 5)));
  // p and q take turns, r is beside them.
  CHECK(program.tiles() == 9);
  CHECK(program.l2() == 7 + 60 + 5);
  CHECK(program.isExact());
  CHECK(!program.level("air.segment").isLeaf);
  CHECK(program.level("air.segment", 1).isLeaf);
  std::vector<Contributor> leaves =
      program.analysis.leaves(program.level("air.segment"), Resource::L2Bytes);
  REQUIRE(leaves.size() == 3);
  CHECK(leaves[0].amount == 30);
  CHECK(leaves[0].instances == 2);
  CHECK(leaves[0].op->name() == "memref.alloc");
}

TEST_CASE("all segments of a launch are there at once, whatever their order") {
  std::string text = "func.func @f() {\nair.launch () in () {\n%c1 = arith.constant 1 : index\n"
                     "%c2 = arith.constant 2 : index\n%c3 = arith.constant 3 : index\n" +
                     nested("p", "", 3, 2, 10) + nested("q", "%p", 2, 3, 20) + "}\nreturn\n}\n";
  Program program(text);
  CHECK(program.total(Resource::ComputeTiles, "air.launch").value == 12);
  CHECK(program.total(Resource::L2Bytes, "air.launch").value == 70);
}

TEST_CASE("transfers of a launch itself are not part of what is held") {
  Program program(
      "func.func @f(%m: memref<64xf32>) {\nair.launch () in () args(%b = %m) : memref<64xf32> {\n" +
      dma("p", "") + "air.segment {\n}\n}\nreturn\n}\n");
  CHECK(program.total(Resource::DmaChannels, "air.launch").value == 0);
}

TEST_CASE("ops that share an affinity token have the same hardware in turn") {
  auto shared = [](const std::string& list) {
    std::string p = herd("p", "", 3), q = herd("q", "", 4);
    for (std::string* text : {&p, &q})
      text->insert(text->find(" {\n}"), list);
    return "%tok = air.token.alloc : !air.token\n" + p + q + herd("r", "", 1);
  };
  CHECK(Program(inSegment(shared(" affinity = [%tok]"))).tiles() == 5);
  CHECK(Program(inSegment(shared(" concurrency = [%tok]"))).tiles() == 8);
}

TEST_CASE("affinity reaches through others: one hardware partition for all") {
  auto with = [](std::string text, const std::string& list) {
    return text.insert(text.find(" {\n}"), " affinity = [" + list + "]");
  };
  Program program(
      inSegment("%t = air.token.alloc : !air.token\n%u = air.token.alloc : !air.token\n" +
                with(herd("p", "", 3), "%t") + with(herd("q", "", 1), "%t, %u") +
                with(herd("r", "", 4), "%u") + herd("s", "", 1)));
  CHECK(program.tiles() == 5);
}

TEST_CASE("sizes that are not constant: at least") {
  Program program(inSegment("%p = memref.alloc(%dyn) : memref<?xi8, 1>\n"
                            "%q = memref.alloc() : memref<8xi8, 1>\n"
                            "air.herd tile (%x, %y) in (%sx = %dyn, %sy = %c2) {\n}\n"));
  CHECK(program.l2() == 8);
  CHECK(!program.total(Resource::L2Bytes).isExact);
  CHECK(!program.total(Resource::ComputeTiles).isExact);
  DeviceLimits device = findDeviceLimits(program.context, "npu1").value();
  CHECK(fitOf(program.analysis, device) == Fit::NotProven);
  CHECK(findOverflows(program.analysis, device).empty());
}

// -- Devices --------------------------------------------------------------------------------------

TEST_CASE("built-in devices, and the array of any AI Engine device") {
  Context context;
  DeviceLimits npu = findDeviceLimits(context, "npu1").value();
  CHECK(npu.device[Resource::ComputeTiles] == 16);
  CHECK(npu.device[Resource::L2Bytes] == 4 * 512 * 1024);
  CHECK(npu.device[Resource::DmaChannels] == 2 * (16 * 2 + 4 * 6 + 4 * 2));
  CHECK(npu.device[Resource::L1Bytes] == 64 * 1024);
  CHECK(findDeviceLimits(context, "npu2").value().device[Resource::ComputeTiles] == 32);
  DeviceLimits gpu = findDeviceLimits(context, "mi300x").value();
  CHECK(gpu.device[Resource::ComputeTiles] == 304 * 4 * 8);
  CHECK(gpu.device[Resource::L2Bytes] == 304 * 65536);
  CHECK(!gpu.device[Resource::DmaChannels]);
  CHECK(gpu.segment[Resource::L2Bytes] == 65536);
  CHECK(builtinDevices().size() == 2);
}

TEST_CASE("device descriptions: errors where they stand") {
  auto error = [](const std::string& text) {
    Context context;
    DiagnosticCollector errors(context);
    CHECK(!parseDeviceLimits(context, "d.json", text));
    REQUIRE(!errors.diagnostics().empty());
    return errors.diagnostics()[0].message;
  };
  const std::string head = R"({"format": "airlite-device", "version": 1, "name": "d", )";
  CHECK(error("[]") == "expected an object");
  CHECK(error(R"({"name": "d"})") == "expected \"format\": \"airlite-device\"");
  CHECK(error(head + R"("hert": {}})") == "unknown member \"hert\"; did you mean 'herd'?");
  CHECK(error(head + R"("aie": "npu9"})").starts_with("unknown AI Engine device \"npu9\""));
  CHECK(error(head + R"("device": {"l2_byte": 1}})") ==
        "unknown resource \"l2_byte\"; did you mean 'l2_bytes'?");
  CHECK(error(head + R"("device": {"l2_bytes": -1}})") ==
        "expected a number of 0 or more, or null for no limit");
  Context context;
  DeviceLimits device =
      parseDeviceLimits(context, "d.json", head + R"("aie": "npu1", "device": {"l2_bytes": null,
                                                     "compute_tiles": 3}})")
          .value();
  CHECK(!device.device[Resource::L2Bytes]);
  CHECK(device.device[Resource::ComputeTiles] == 3);
  CHECK(device.device[Resource::DmaChannels] == 128);
}

TEST_CASE("the report in JSON names what makes up each number") {
  Program program(inSegment(herd("p", "", 3) + herd("q", "", 4)));
  DeviceLimits device = findDeviceLimits(program.context, "npu1").value();
  nlohmann::json report = nlohmann::json::parse(resourceJson(program.analysis, &device));
  CHECK(report["fits"] == "yes");
  CHECK(report["levels"].size() == 4);
  nlohmann::json tiles = report["levels"][1]["per_instance"]["compute_tiles"];
  CHECK(tiles["value"] == 7);
  CHECK(tiles["contributors"].size() == 2);
  CHECK(tiles["contributors"][0]["name"] == "p");
}
