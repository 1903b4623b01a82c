// Ranks as processes by the library's own door: what a transport that fails leads to, and one that works.
#include "airlite/dialect/Dialects.hpp"
#include "airlite/interp/Interpreter.hpp"
#include "airlite/interp/RankTransport.hpp"
#include "airlite/text/Parser.hpp"
#include "support/catch_all.hpp"

#include <csignal>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace airlite;
using namespace airlite::interp;

namespace {

/// Each of two ranks adds its number and the other's.
const char* const kProgram = R"(
air.channel @c [2]
func.func @f(%out: memref<2xi32>) {
  %c2 = arith.constant 2 : index
  air.rank (%r) in (%n = %c2) args(%o = %out) : memref<2xi32> {
    %z = arith.constant 0 : index
    %one = arith.constant 1 : index
    %own = memref.alloc() : memref<1xi32>
    %got = memref.alloc() : memref<1xi32>
    %id = arith.index_cast %r : index to i32
    memref.store %id, %own[%z] : memref<1xi32>
    %other = arith.subi %one, %r : index
    %sent = air.channel.put async @c[%other] (%own[] [] []) : (memref<1xi32>)
    air.channel.get @c[%r] (%got[] [] []) : (memref<1xi32>)
    air.wait_all [%sent]
    %v = memref.load %got[%z] : memref<1xi32>
    %ten = arith.constant 10 : i32
    %high = arith.muli %v, %ten : i32
    %sum = arith.addi %high, %id : i32
    memref.store %sum, %o[%r] : memref<2xi32>
  }
  return
}
)";

/// Forks, as airlite-run --ranks=processes does; `bytes` of memory are shared.
class Forks : public RankTransport {
 public:
  explicit Forks(size_t bytes) : bytes_(bytes) {}
  ~Forks() override {
    if (at_) munmap(at_, bytes_);
  }
  Result<std::span<std::byte>> newSharedMemory() override {
    if (bytes_ == 0) return Error{"there is none"};
    at_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(at_ != MAP_FAILED);
    return std::span(static_cast<std::byte*>(at_), bytes_);
  }
  Result<uint32_t> start(uint32_t count, const std::function<int(uint32_t)>& work) override {
    if (refuses) return Error{"none today"};
    for (uint32_t rank = 0; rank < count; ++rank) {
      pid_t process = fork();
      if (process == 0) _exit(work(rank));
      processes.push_back(process);
    }
    return 0u;
  }
  std::optional<RankEnd> ended(uint32_t process, bool wait) override {
    int status = 0;
    if (waitpid(processes[process], &status, wait ? 0 : WNOHANG) <= 0) return std::nullopt;
    processes[process] = 0;
    return RankEnd{WEXITSTATUS(status), 0};
  }
  void endAll() override {
    ++ends;
    for (pid_t& process : processes)
      if (process > 0 && kill(process, SIGKILL) == 0 && waitpid(process, nullptr, 0) > 0)
        process = 0;
  }

  bool refuses = false;
  int ends = 0;
  std::vector<pid_t> processes;

 private:
  size_t bytes_;
  void* at_ = nullptr;
};

struct Ranks {
  Context context;
  OwningOp module;
  MemRef memory;
  explicit Ranks(const char* text = kProgram) {
    registerAllDialects(context);
    module = parseSource(context, text, "ranks.mlir");
    REQUIRE(module);
    memory.memory = std::make_shared<Memory>();
    memory.memory->data.resize(8);
    memory.memory->known.assign(8, 1);
    memory.sizes = {2};
    memory.strides = {1};
  }
  Outcome run(RankTransport& transport) {
    Program program(*module);
    RunOptions options;
    options.ranks = &transport;
    return program.run(*program.find("f"), {memory}, options);
  }
  int64_t at(size_t i) {
    Type number = IntegerType::get(context, 32);
    return static_cast<int64_t>(readElement(memory, number, i).bits);
  }
};

}  // namespace

TEST_CASE("ranks are processes of a transport", "[ranks]") {
  Ranks ranks;
  Forks forks(size_t(1) << 24);
  Outcome outcome = ranks.run(forks);
  CHECK(outcome.status == RunStatus::Done);
  CHECK(forks.processes.size() == 2);
  CHECK(ranks.at(0) == 10);
  CHECK(ranks.at(1) == 1);
  // The work of the ranks counts, and the memory is the caller's again.
  CHECK(outcome.steps > 40);
  CHECK(ranks.memory.memory->freedByAny == nullptr);
  CHECK(forks.ends >= 1);
}

TEST_CASE("a transport that cannot start ranks is an error of the run", "[ranks]") {
  Ranks ranks;
  ranks.context.diagnostics().setHandler([](const Diagnostic&) {});
  Forks none(0);
  CHECK(ranks.run(none).message == "cannot start the ranks: there is none");
  Forks little(4096);
  CHECK(ranks.run(little).message == "cannot start the ranks: the memory that ranks share is full");
  Forks refusing(size_t(1) << 24);
  refusing.refuses = true;
  Outcome outcome = ranks.run(refusing);
  CHECK(outcome.status == RunStatus::Failed);
  CHECK(outcome.message == "cannot start the ranks: none today");
}

TEST_CASE("a put of the host that finds the shared memory full is an error at the put", "[ranks]") {
  Ranks ranks(R"(
air.channel @c [2]
air.channel @ready [2]
func.func @f(%out: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %word = memref.alloc() : memref<1xi32>
  %zero = arith.constant 0 : i32
  %much = memref.alloc() : memref<4000000xi32>
  linalg.fill ins(%zero : i32) outs(%much : memref<4000000xi32>)
  %started = air.rank async (%r) in (%n = %c2) {
    %z = arith.constant 0 : index
    %id = arith.index_cast %r : index to i32
    %own = memref.alloc() : memref<1xi32>
    memref.store %id, %own[%z] : memref<1xi32>
    air.channel.put @ready[%r] (%own[] [] []) : (memref<1xi32>)
    %got = memref.alloc() : memref<4000000xi32>
    air.channel.get @c[%r] (%got[] [] []) : (memref<4000000xi32>)
  }
  air.channel.get @ready[%c0] (%word[] [] []) : (memref<1xi32>)
  air.channel.put @c[%c0] (%much[] [] []) : (memref<4000000xi32>)
  return
}
)");
  std::string said;
  ranks.context.diagnostics().setHandler([&](const Diagnostic& diagnostic) {
    if (said.empty()) said = diagnostic.message;
  });
  Forks little(size_t(1) << 24);
  CHECK(ranks.run(little).status == RunStatus::Failed);
  CHECK(said == "'air.channel.put' cannot hand over its data: the memory that ranks share is full");
}
