// This file implements Staging.
#include "staging.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "opencl.hpp"

namespace imago::python {
namespace {

/// Measured on an H200: smaller pieces pay for the driver's commands, larger ones leave the host's
/// cache before they are on their way.
constexpr std::size_t kPieceBytes = std::size_t{2} << 20;
/// Of pinned memory that a thread has: one on its way while the other is filled or emptied.
constexpr std::size_t kSlots = 2;
constexpr std::size_t kMostThreads = 16;

/// What is copied at once, one way.
struct Piece {
  std::size_t slice = 0, begin = 0, bytes = 0;
  bool up = false;
};

std::vector<Piece> pieces_of(const std::vector<Slice>& slices, bool up) {
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const std::size_t begin = up ? slices[i].from : slices[i].to;
    const std::size_t bytes = up ? slices[i].from_bytes : slices[i].to_bytes;
    for (std::size_t at = 0; at < bytes; at += kPieceBytes)
      pieces.push_back({i, begin + at, std::min(kPieceBytes, bytes - at), up});
  }
  return pieces;
}

struct Queues {
  cl_command_queue up, compute, down;
};

/// What one call has under way. Its threads share it.
class Transfer {
 public:
  Transfer(const Queues& queues, const Staged& from, const Staged& to,
           const std::vector<Slice>& slices, const Staging::Compute& compute)
      : queues_(queues),
        from_(from),
        to_(to),
        compute_(compute),
        ups_(pieces_of(slices, true)),
        downs_(pieces_of(slices, false)),
        missing_(slices.size(), 0),
        computed_(slices.size()) {
    for (const Piece& piece : ups_) ++missing_[piece.slice];
  }

  std::size_t pieces() const { return ups_.size() + downs_.size(); }
  /// What one thread does, with its slots of pinned memory.
  void work(char* pinned) noexcept;
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Slot {
    char* host = nullptr;
    Piece piece;
    cl::Event under_way;  ///< null: none
  };

  std::optional<Piece> take(bool up);
  void begin(Slot& slot, const Piece& piece);
  void finish(Slot& slot);
  void sent(std::size_t slice);
  void fail();

  const Queues queues_;
  const Staged &from_, &to_;
  const Staging::Compute& compute_;
  const std::vector<Piece> ups_, downs_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_up_ = 0, next_down_ = 0;
  std::vector<std::size_t> missing_;  ///< pieces of a slice that are not on their way up
  std::vector<cl::Event> computed_;   ///< of a slice; null: not in the queue yet
  std::exception_ptr failure_;
};

void Transfer::work(char* pinned) noexcept {
  std::array<Slot, kSlots> slots;
  for (std::size_t i = 0; i < kSlots; ++i) slots[i].host = pinned + i * kPieceBytes;
  try {
    bool up = true;
    std::size_t turn = 0;
    while (const auto piece = take(up)) {
      Slot& slot = slots[turn++ % kSlots];
      finish(slot);
      begin(slot, *piece);
      up = !piece->up;
    }
    for (Slot& slot : slots) finish(slot);
  } catch (...) {
    fail();
  }
  for (Slot& slot : slots) {  // where it failed: nothing may use this memory any more
    if (const cl_event event = slot.under_way()) clWaitForEvents(1, &event);
  }
}

/// The next piece, of this way if there is one; empty: there is none left.
std::optional<Piece> Transfer::take(bool up) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (failure_) return {};
    const bool ups = next_up_ < ups_.size();
    const bool downs = next_down_ < downs_.size() && computed_[downs_[next_down_].slice]();
    if (ups && (up || !downs)) return ups_[next_up_++];
    if (downs) return downs_[next_down_++];
    if (next_down_ == downs_.size()) return {};
    changed_.wait(lock);
  }
}

void Transfer::begin(Slot& slot, const Piece& piece) {
  slot.piece = piece;
  cl_event event = nullptr;
  if (piece.up) {
    std::memcpy(slot.host, static_cast<const char*>(from_.host) + piece.begin, piece.bytes);
    check(clEnqueueWriteBuffer(queues_.up, from_.device(), CL_FALSE, piece.begin, piece.bytes,
                               slot.host, 0, nullptr, &event),
          "clEnqueueWriteBuffer");
    slot.under_way = cl::Event(event, false);
    check(clFlush(queues_.up), "clFlush");
    sent(piece.slice);
  } else {
    const cl_event before = computed_[piece.slice]();
    check(clEnqueueReadBuffer(queues_.down, to_.device(), CL_FALSE, piece.begin, piece.bytes,
                              slot.host, 1, &before, &event),
          "clEnqueueReadBuffer");
    slot.under_way = cl::Event(event, false);
    check(clFlush(queues_.down), "clFlush");
  }
}

void Transfer::finish(Slot& slot) {
  const cl_event event = slot.under_way();
  if (!event) return;
  check(clWaitForEvents(1, &event), "clWaitForEvents");
  slot.under_way = {};
  if (!slot.piece.up)
    std::memcpy(static_cast<char*>(to_.host) + slot.piece.begin, slot.host, slot.piece.bytes);
}

/// A piece of this slice is on its way up; behind the last of them the slice is computed.
void Transfer::sent(std::size_t slice) {
  const std::lock_guard lock(mutex_);
  if (--missing_[slice] > 0) return;
  cl_event written = nullptr, event = nullptr;
  check(clEnqueueMarkerWithWaitList(queues_.up, 0, nullptr, &written),
        "clEnqueueMarkerWithWaitList");
  const cl::Event before(written, false);
  check(clFlush(queues_.up), "clFlush");
  check(clEnqueueBarrierWithWaitList(queues_.compute, 1, &written, nullptr),
        "clEnqueueBarrierWithWaitList");
  compute_(slice);
  check(clEnqueueMarkerWithWaitList(queues_.compute, 0, nullptr, &event),
        "clEnqueueMarkerWithWaitList");
  computed_[slice] = cl::Event(event, false);
  check(clFlush(queues_.compute), "clFlush");
  changed_.notify_all();
}

void Transfer::fail() {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = std::current_exception();
  changed_.notify_all();
}

cl::CommandQueue queue_beside(const cl::CommandQueue& other) {
  cl_context context = nullptr;
  cl_device_id device = nullptr;
  check(clGetCommandQueueInfo(other(), CL_QUEUE_CONTEXT, sizeof context, &context, nullptr),
        "clGetCommandQueueInfo");
  check(clGetCommandQueueInfo(other(), CL_QUEUE_DEVICE, sizeof device, &device, nullptr),
        "clGetCommandQueueInfo");
  cl_int code = CL_SUCCESS;
  cl::CommandQueue queue(cl::Context(context, true), cl::Device(device, true),
                         cl_command_queue_properties{0}, &code);
  check(code, "clCreateCommandQueue");
  return queue;
}

}  // namespace

Staging::~Staging() {
  if (!host_) return;
  clEnqueueUnmapMemObject(queue_(), pinned_(), host_, 0, nullptr, nullptr);
  clFinish(queue_());
}

void Staging::prepare(std::size_t bytes) {
  if (pinned_bytes_ >= bytes) return;
  if (host_) {
    check(clEnqueueUnmapMemObject(queue_(), pinned_(), host_, 0, nullptr, nullptr),
          "clEnqueueUnmapMemObject");
    host_ = nullptr;
    pinned_bytes_ = 0;
    check(clFinish(queue_()), "clFinish");
  }
  cl_int code = CL_SUCCESS;
  pinned_ = cl::Buffer(
      clCreateBuffer(context_(), CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, nullptr, &code),
      false);
  check(code, "clCreateBuffer");
  host_ = static_cast<char*>(clEnqueueMapBuffer(queue_(), pinned_(), CL_TRUE,
                                                CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, nullptr,
                                                nullptr, &code));
  check(code, "clEnqueueMapBuffer");
  pinned_bytes_ = bytes;
}

void Staging::run(const Staged& from, const Staged& to, const std::vector<Slice>& slices,
                  const Compute& compute) {
  constexpr std::size_t kBytesOfThread = kSlots * kPieceBytes;
  if (!upwards_()) upwards_ = queue_beside(queue_);
  if (!downwards_()) downwards_ = queue_beside(queue_);
  Transfer transfer({upwards_(), queue_(), downwards_()}, from, to, slices, compute);
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t threads =
      std::clamp<std::size_t>(transfer.pieces() / kSlots, 1, std::min(cores, kMostThreads));
  prepare(threads * kBytesOfThread);
  {
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i)
      others.emplace_back([&, i] { transfer.work(host_ + i * kBytesOfThread); });
    transfer.work(host_);
  }
  transfer.rethrow();
}

}  // namespace imago::python
