// Runs workgroups one after the other on one OS thread: a fiber per work-item, rounds between
// barriers.
#pragma once

#include "ItemContext.hpp"
#include "MatrixRuntime.hpp"
#include "StackPool.hpp"
#include "airlite/gpu/jit/HostJit.hpp"

#include <boost/context/detail/fcontext.hpp>

#include <memory>
#include <random>
#include <string>
#include <vector>

namespace airlite::gpu {

/// One kernel launch, shared by all runners. The references outlive the launch.
struct Launch {
  const HostKernel& kernel;
  ItemEntry entry;
  Dim3 grid;
  Dim3 block;
  unsigned waveSize;
  const std::byte* kernargs;
  const std::vector<std::string>& barrierSites;  ///< by site number, for messages
  RunOrder order;
  std::uint64_t seed;

  std::uint64_t groupCount() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
  std::uint32_t itemCount() const { return block[0] * block[1] * block[2]; }
};

/// Index in x-fastest order to coordinates.
Dim3 unflatten(std::uint64_t index, const Dim3& sizes);

/// One thread's worker. Not movable: fibers point into it. One class: the work-items, whose turn it is
/// and what they wait for (barriers, matrix instructions) change together.
class GroupRunner {
 public:
  GroupRunner(const Launch& launch, StackPool& pool);
  ~GroupRunner();
  GroupRunner(const GroupRunner&) = delete;
  GroupRunner& operator=(const GroupRunner&) = delete;

  /// Runs one workgroup to its end. After an error the runner can still be used.
  Result<void> run(std::uint64_t group);

  std::uint64_t barriers() const { return barriers_; }

  /// A barrier in generated code: parks the work-item until the scheduler resumes it.
  static void barrier(ItemContext* item, std::uint32_t site);
  /// The same until all lanes of its wave have come.
  static void waveBarrier(ItemContext* item, std::uint32_t site);
  /// A matrix instruction in generated code: parks the work-item until its whole wave has come and
  /// `sum` is the result.
  static void matrix(ItemContext* item, std::uint32_t site, std::uint32_t row, const void* a,
                     const void* b, void* sum);
  /// The number that lane `fourTimesLane / 4` of the wave brings, when all its lanes have come.
  static std::uint32_t permute(ItemContext* item, std::uint32_t site, std::uint32_t fourTimesLane,
                               std::uint32_t number);

 private:
  enum class State : std::uint8_t { Waiting, InMatrix, InPermute, InWave, Finished };

  // boost::context::detail is used because boost::context::fiber unwinds a fiber that it drops by
  // throwing through it, and generated code has no unwind tables. Here a dropped fiber is dropped.
  using Fiber = boost::context::detail::fcontext_t;
  using Transfer = boost::context::detail::transfer_t;

  struct Item {
    ItemContext context;  ///< first: generated code holds a pointer to it
    GroupRunner* runner = nullptr;
    Fiber fiber = nullptr;  ///< where it was parked
    State state = State::Waiting;
    std::uint32_t site = 0;
    std::uint32_t row = 0;     ///< of the table of matrix instructions, or four times a lane
    std::uint32_t number = 0;  ///< brought to a permutation, then taken from it
  };

  static void fiberMain(Transfer transfer);
  static void waitAs(State state, ItemContext* item, std::uint32_t site);
  void leave(Item* item);
  void arrive(Transfer transfer);

  void describeItem(std::uint32_t index);
  void beginGroup(std::uint64_t group);
  void poisonLds();
  void runWithoutFibers();
  Result<void> runRounds();
  void startFibers();
  void runRound();
  void runAll();
  void arrange();
  bool completeWaves();
  void completeWave(std::size_t first);
  bool isWholeWave(std::size_t first) const;
  bool allFinished() const;
  Result<void> checkAllWait() const;
  Result<void> checkLdsEnd() const;
  std::string place(const Item& item) const;
  std::string doing(const Item& item) const;
  std::string inGroup() const;

  const Launch& launch_;
  StackPool& pool_;
  std::unique_ptr<StackArena> stacks_;
  std::vector<std::uint64_t> ldsMemory_;
  std::uint64_t* lds_;  ///< aligned, in ldsMemory_
  std::vector<Item> items_;
  std::vector<MatrixOperands> operands_;  ///< parallel to items_
  std::vector<std::uint32_t> order_;      ///< of all work-items
  std::vector<std::uint32_t> round_;      ///< who runs in this round
  std::size_t next_ = 0;       ///< position in round_ of the next work-item of this round
  Item* leaving_ = nullptr;    ///< who gave up the thread last; null for run() itself
  Fiber scheduler_ = nullptr;  ///< run(), parked while work-items run
  std::mt19937_64 random_;
  std::uint64_t barriers_ = 0;
};

}  // namespace airlite::gpu
