// This file implements MPI's handles.
#include "communicator.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <thread>

namespace imago::mpi {
namespace {

bool is_over() {
  int over = 0;
  MPI_Finalized(&over);
  return over != 0;
}

/// Returns a type of `bytes` bytes. MPI counts in int, so larger sizes are composed of chunks.
MPI_Datatype dense(std::size_t bytes) {
  constexpr std::size_t kChunk = std::size_t{1} << 30;
  MPI_Datatype made = MPI_DATATYPE_NULL;
  if (bytes <= kChunk) {
    MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &made);
    return made;
  }
  std::array<MPI_Datatype, 2> parts{dense(kChunk), MPI_DATATYPE_NULL};
  const std::size_t chunks = bytes / kChunk, rest = bytes % kChunk;
  MPI_Datatype all = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(chunks), parts[0], &all);
  MPI_Type_free(&parts[0]);
  if (rest == 0) return all;
  parts = {all, dense(rest)};
  const std::array<int, 2> counts{1, 1};
  const std::array<MPI_Aint, 2> begins{0, static_cast<MPI_Aint>(chunks * kChunk)};
  MPI_Type_create_struct(2, counts.data(), begins.data(), parts.data(), &made);
  for (MPI_Datatype& part : parts) MPI_Type_free(&part);
  return made;
}

/// Returns `count` times a type, `stride` bytes from one to the next. MPI counts in int, so larger
/// counts are composed of blocks.
MPI_Datatype repeated(std::size_t count, std::size_t stride, MPI_Datatype type) {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  MPI_Datatype made = MPI_DATATYPE_NULL;
  if (count <= kMost) {
    MPI_Type_create_hvector(static_cast<int>(count), 1, static_cast<MPI_Aint>(stride), type, &made);
    return made;
  }
  const std::size_t blocks = count / kMost, rest = count % kMost;
  MPI_Datatype block = repeated(kMost, stride, type);
  MPI_Datatype all = repeated(blocks, kMost * stride, block);
  MPI_Type_free(&block);
  if (rest == 0) return all;
  std::array<MPI_Datatype, 2> parts{all, repeated(rest, stride, type)};
  const std::array<int, 2> counts{1, 1};
  const std::array<MPI_Aint, 2> begins{0, static_cast<MPI_Aint>(blocks * kMost * stride)};
  MPI_Type_create_struct(2, counts.data(), begins.data(), parts.data(), &made);
  for (MPI_Datatype& part : parts) MPI_Type_free(&part);
  return made;
}

}  // namespace

void require(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  std::fprintf(stderr, "imago::mpi: %s failed: %.*s\n", call, length, text.data());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

Communicator::~Communicator() {
  if (made_ != MPI_COMM_NULL && !is_over()) MPI_Comm_free(&made_);
}

Communicator Communicator::copy_of(MPI_Comm communicator, const Patience& patience) {
  patience.barrier(communicator, "the creation of a communicator");
  MPI_Comm made = MPI_COMM_NULL;
  require(MPI_Comm_dup(communicator, &made), "MPI_Comm_dup");
  return Communicator(made);
}

Communicator Communicator::split(std::size_t color) const {
  MPI_Comm made = MPI_COMM_NULL;
  require(MPI_Comm_split(made_, static_cast<int>(color), static_cast<int>(rank()), &made),
          "MPI_Comm_split");
  return Communicator(made);
}

Communicator Communicator::split_by_memory() const {
  MPI_Comm made = MPI_COMM_NULL;
  require(MPI_Comm_split_type(made_, MPI_COMM_TYPE_SHARED, static_cast<int>(rank()), MPI_INFO_NULL,
                              &made),
          "MPI_Comm_split_type");
  return Communicator(made);
}

std::size_t Communicator::rank() const {
  int rank = 0;
  MPI_Comm_rank(made_, &rank);
  return static_cast<std::size_t>(rank);
}

std::size_t Communicator::size() const {
  int size = 0;
  MPI_Comm_size(made_, &size);
  return static_cast<std::size_t>(size);
}

Datatype::Datatype(const Strips& strips) : offset_(strips.offset) {
  if (strips.bytes == 0) return;
  made_ = dense(strips.bytes);
  for (const Strips::Loop& loop : strips.loops) {
    MPI_Datatype inner = made_;
    made_ = repeated(loop.count, loop.stride, inner);
    MPI_Type_free(&inner);
  }
  require(MPI_Type_commit(&made_), "MPI_Type_commit");
}

Datatype::~Datatype() {
  if (made_ != MPI_DATATYPE_NULL && !is_over()) MPI_Type_free(&made_);
}

void Patience::wait(std::vector<MPI_Request>& requests, const std::string& what) const {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  while (true) {
    int done = 0;
    require(
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE),
        "MPI_Testall");
    if (done != 0) return;
    const std::chrono::duration<double> waited = Clock::now() - begin;
    // A rank that only yields is scheduled again at once if ranks share cores; sleeping frees the
    // core.
    if (waited.count() < 50e-6)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(5));
    if (seconds_ == 0 || waited.count() < seconds_) continue;
    std::fprintf(
        stderr,
        "imago::mpi: rank %zu waited %.0f s during %s for other ranks; aborting the program\n",
        rank_, waited.count(), what.c_str());
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

void Patience::wait(MPI_Request request, const std::string& what) const {
  std::vector requests{request};
  wait(requests, what);
}

void Patience::barrier(MPI_Comm ranks, const std::string& what) const {
  MPI_Request request = MPI_REQUEST_NULL;
  require(MPI_Ibarrier(ranks, &request), "MPI_Ibarrier");
  wait(request, what);
}

}  // namespace imago::mpi
