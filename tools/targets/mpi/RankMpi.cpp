// The build with MPI (see RankMpi.hpp).
#include "../run/RankMpi.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <mpi.h>
#include <sys/mman.h>
#include <unistd.h>

namespace airlite::tools {

namespace {

using interp::RankTransport;

/// Addresses that are asked for; memory is taken where it is written.
constexpr size_t kBytes = size_t(1) << 38;

int sizeOf(MPI_Comm all) {
  int size = 0;
  MPI_Comm_size(all, &size);
  return size;
}

/// Open MPI's own shared memory has names in /dev/shm, which stay there when a process is killed. Its
/// messages are few and short here, so they go through the loopback device, unless the user says else.
void passOnMessagesByLoopback() {
  setenv("OMPI_MCA_btl", "self,tcp", 0);
  setenv("OMPI_MCA_btl_tcp_if_include", "lo", 0);
}

class RankMpi : public RankTransport {
 public:
  RankMpi() {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    alike_ = {static_cast<uint32_t>(rank), static_cast<uint32_t>(sizeOf(MPI_COMM_WORLD))};
  }
  ~RankMpi() override {
    forget();
    MPI_Finalize();
  }

  std::optional<Alike> alike() const override { return alike_; }
  void meet() override { MPI_Barrier(MPI_COMM_WORLD); }
  /// What they share has no name: the first one makes it, and the others open its file by number.
  Result<std::span<std::byte>> newSharedMemory() override {
    forget();
    std::array<long, 2> place{getpid(), -1};
    if (alike_.own == 0) place[1] = memfd_create("airlite-ranks", MFD_CLOEXEC);
    MPI_Bcast(place.data(), 2, MPI_LONG, 0, MPI_COMM_WORLD);
    int file = static_cast<int>(place[1]);
    if (alike_.own == 0 && file >= 0 && ftruncate(file, static_cast<off_t>(kBytes)) != 0) file = -1;
    meet();
    if (alike_.own != 0)
      file = open(fmt::format("/proc/{}/fd/{}", place[0], place[1]).c_str(), O_RDWR | O_CLOEXEC);
    void* at = file < 0 ? MAP_FAILED
                        : mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                               file, 0);
    int error = errno, fine = at != MAP_FAILED, allFine = 0;
    MPI_Allreduce(&fine, &allFine, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (file >= 0) close(file);
    if (fine) memory_ = {static_cast<std::byte*>(at), kBytes};
    if (allFine) return memory_;
    return Error{"no memory that all ranks share" +
                 std::string(fine ? "" : std::string(": ") + std::strerror(error))};
  }

  // They run already.
  Result<uint32_t> start(uint32_t, const std::function<int(uint32_t)>&) override {
    return Error{"mpirun starts the ranks"};
  }
  std::optional<interp::RankEnd> ended(uint32_t, bool) override { return std::nullopt; }
  void endAll() override { MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE); }

 private:
  void forget() {
    if (!memory_.empty()) munmap(memory_.data(), memory_.size());
    memory_ = {};
  }

  Alike alike_;
  std::span<std::byte> memory_;
};

}  // namespace

Result<std::unique_ptr<RankTransport>> startMpi(bool tellsNumbers) {
  passOnMessagesByLoopback();
  MPI_Init(nullptr, nullptr);
  MPI_Comm here = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  bool isOneMachine = sizeOf(here) == sizeOf(MPI_COMM_WORLD);
  MPI_Comm_free(&here);
  if (isOneMachine) {
    std::unique_ptr<RankTransport> ranks = std::make_unique<RankMpi>();
    if (tellsNumbers)
      std::cerr << fmt::format("airlite-run: rank {} is process {}\n", ranks->alike()->own,
                               getpid());
    return ranks;
  }
  MPI_Finalize();
  return Error{"--ranks=mpi: not supported: ranks on several machines"};
}

}  // namespace airlite::tools
