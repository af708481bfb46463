// This file implements Transfer.
#include "host/transfer.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <imago/error.hpp>

namespace imago::host {
namespace {

/// Threads that only enqueue commands.
constexpr std::size_t kDirectThreads = 2;

}  // namespace

Transfer::Transfer(const ActivePass& pass, WorkList& work_list, const DeviceWorker& worker)
    : pass_(pass),
      work_list_(work_list),
      worker_(worker),
      queues_(worker.queues),
      bytes_(bytes_of(pass.pieces())),
      from_(const_cast<char*>(pass.from), pass.pieces(), &Piece::from, worker.pins),
      to_(pass.to, pass.pieces(), &Piece::to, worker.pins) {
  static_assert(kStagingBuffers * PassArray::kPartBytes == kBytesOfThread);
  const Slot::Bytes bytes = pass.pass.in_place ? Slot::Bytes{std::max(bytes_.from, bytes_.to), 0}
                                               : Slot::Bytes{bytes_.from, bytes_.to};
  const std::size_t slots = std::min(pass.pass.slots, pass.pieces().size());
  queues_.add_copy_queues();
  auto& all = queues_.slots(slots, bytes, worker.memory);
  for (std::size_t i = 0; i < slots; ++i) free_.push_back(&all[i]);
}

std::size_t Transfer::threads() const {
  bool direct = true;
  pass_.pieces().for_each_kind(
      [&](const Piece& piece) { direct &= from_.direct(piece.from) && to_.direct(piece.to); });
  if (direct) return kDirectThreads;
  const std::size_t parts = bytes_.all / PassArray::kPartBytes;
  return std::max<std::size_t>(1, parts / kStagingBuffers);
}

void Transfer::work(char* pinned) noexcept {
  std::array<StagingBuffer, kStagingBuffers> buffers;
  for (std::size_t i = 0; i < kStagingBuffers; ++i)
    buffers[i].host = pinned + i * PassArray::kPartBytes;
  try {
    copy(buffers);
  } catch (const DeviceError&) {
    lose(std::current_exception());
  } catch (...) {
    work_list_.fail(std::current_exception());
  }
  // After a failure, no command may use this memory any more.
  for (StagingBuffer& staging : buffers) {
    if (const cl_event event = staging.under_way()) clWaitForEvents(1, &event);
  }
  leave();
}

void Transfer::lose(std::exception_ptr loss) {
  const std::lock_guard lock(mutex_);
  if (!loss_) loss_ = std::move(loss);
  changed_.notify_all();
}

void Transfer::leave() {
  const std::lock_guard lock(mutex_);
  changed_.notify_all();  // wake waiting threads, so that they end
  if (--working_ > 0 || !loss_) return;
  Loss loss{{}, false, loss_};
  for (const Busy& busy : busy_) {
    loss.pieces.push_back(busy.piece);
    loss.overwritten = loss.overwritten || (busy.written && pass_.from == pass_.to);
  }
  work_list_.lose(worker_.number, std::move(loss));
}

/// Never waits for other threads while a copy of its own is under way, because they may wait for
/// that copy.
void Transfer::copy(std::array<StagingBuffer, kStagingBuffers>& buffers) {
  bool up = true;
  for (std::size_t turn = 0;;) {
    StagingBuffer& staging = buffers[turn % kStagingBuffers];
    const bool idle = std::all_of(buffers.begin(), buffers.end(),
                                  [](const StagingBuffer& each) { return !each.under_way(); });
    const Taken taken = take(up, idle);
    if (!taken.part && !taken.later && idle) return;
    finish(staging);
    if (taken.part) {
      begin(staging, *taken.part);
      up = !taken.part->up;
    }
    ++turn;
  }
}

/// Returns the next part, preferably in this direction. If it returns neither a part nor `later`,
/// all is done.
Transfer::Taken Transfer::take(bool up, bool may_wait) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (loss_ || work_list_.over()) return {};
    auto part = up ? next_up() : next_down();
    if (!part) part = up ? next_down() : next_up();
    if (part) return {part, false};
    if (busy_.empty() && no_more_) return {};
    if (!may_wait) return {{}, true};
    changed_.wait(lock);
  }
}

/// Takes a piece and gives it a slot; null if there is none.
Transfer::Busy* Transfer::open() {
  if (free_.empty() || no_more_) return nullptr;
  const auto piece = work_list_.take(worker_.number);
  no_more_ = !piece;
  if (!piece) {
    changed_.notify_all();
    return nullptr;
  }
  Busy& busy = busy_.emplace_back();
  busy.piece = *piece;
  busy.slot = free_.back();
  free_.pop_back();
  const Piece what = pass_.pieces()[*piece];
  busy.down = busy.unfinished = what.to.bytes();
  busy.up = busy.missing = what.from.bytes() + (what.has_gaps ? busy.down : 0);
  return &busy;
}

/// Returns the first part of the remaining range.
Transfer::Part Transfer::next(Busy& busy, const Left& left) const {
  const Piece piece = piece_of(busy);
  const PassArray& side = left.of_target ? to_ : from_;
  const Box& box = left.of_target ? piece.to : piece.from;
  Part part{&busy, busy.piece, left.up, left.of_target, left.begin};
  if (left.up && left.of_target) part.first -= piece.from.bytes();
  part.bytes = side.part_bytes(box, part.first, left.end - left.begin);
  part.direct = side.direct(box);
  return part;
}

std::optional<Transfer::Part> Transfer::next_up() {
  Busy* busy = nullptr;
  for (Busy& each : busy_) {
    if (each.up_at < each.up) busy = &each;
  }
  if (!busy) busy = open();
  if (!busy) return {};
  // The contents of `to` follow those of `from`, never in the same part.
  const std::size_t from = piece_of(*busy).from.bytes(), at = busy->up_at;
  const bool of_target = at >= from;
  const Part part = next(*busy, {at, of_target ? busy->up : from, true, of_target});
  busy->up_at += part.bytes;
  return part;
}

std::optional<Transfer::Part> Transfer::next_down() {
  for (Busy& busy : busy_) {
    if (!busy.computed() || busy.down_at == busy.down) continue;
    const Part part = next(busy, {busy.down_at, busy.down, false, true});
    busy.down_at += part.bytes;
    return part;
  }
  return {};
}

void Transfer::begin(StagingBuffer& staging, const Part& part) {
  staging.part = part;
  part.up ? begin_up(staging, part) : begin_down(staging, part);
}

void Transfer::begin_up(StagingBuffer& staging, const Part& part) {
  const PassArray& side = part.of_target ? to_ : from_;
  const BoxPart what = what_of(part);
  const cl_mem buffer = (part.of_target ? target(*part.busy) : part.busy->slot->from.buffer())();
  if (!part.direct) gather(what.box, side.array(), what.first, what.bytes, staging.host);
  {
    const std::lock_guard lock(issuing_);
    if (part.direct) {
      staging.under_way = side.send(queues_.up(), what, buffer);
    } else {
      cl_event event = nullptr;
      runtime::check(clEnqueueWriteBuffer(queues_.up(), buffer, CL_FALSE, what.first, what.bytes,
                                          staging.host, 0, nullptr, &event),
                     "clEnqueueWriteBuffer");
      staging.under_way = cl::Event(event, false);
    }
    runtime::check(clFlush(queues_.up()), "clFlush");
  }
  sent(*part.busy, part.bytes);
}

void Transfer::begin_down(StagingBuffer& staging, const Part& part) {
  if (part.direct && !may_write(*part.busy)) return;
  const cl_event before = part.busy->computed();
  const cl_mem buffer = target(*part.busy)();
  const std::lock_guard lock(issuing_);
  if (part.direct) {
    staging.under_way = to_.fetch(queues_.down(), what_of(part), buffer, before);
  } else {
    cl_event event = nullptr;
    runtime::check(clEnqueueReadBuffer(queues_.down(), buffer, CL_FALSE, part.first, part.bytes,
                                       staging.host, 1, &before, &event),
                   "clEnqueueReadBuffer");
    staging.under_way = cl::Event(event, false);
  }
  runtime::check(clFlush(queues_.down()), "clFlush");
}

void Transfer::finish(StagingBuffer& staging) {
  const cl_event event = staging.under_way();
  if (!event) return;
  runtime::check(clWaitForEvents(1, &event), "clWaitForEvents");
  staging.under_way = {};
  const Part& part = staging.part;
  if (part.up) return work_list_.moved(part.piece, part.bytes);
  if (!part.direct) {
    if (!may_write(*part.busy)) return;
    scatter(piece_of(*part.busy).to, pass_.to, part.first, part.bytes, staging.host);
  }
  work_list_.moved(part.piece, part.bytes);
  received(*part.busy, part.bytes);
}

/// False if the device has failed. In place the other devices then still need the input, which a
/// download would overwrite.
bool Transfer::may_write(Busy& busy) {
  const std::lock_guard lock(mutex_);
  busy.written = busy.written || !loss_;
  return !loss_;
}

/// Records that bytes of this piece are being uploaded; after the last byte the piece is computed.
void Transfer::sent(Busy& busy, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  busy.missing -= bytes;
  if (busy.missing > 0) return;
  const std::lock_guard issuing(issuing_);
  cl_event written = nullptr, event = nullptr;
  const cl_command_queue queue = queues_.queue()();
  runtime::check(clEnqueueMarkerWithWaitList(queues_.up(), 0, nullptr, &written),
                 "clEnqueueMarkerWithWaitList");
  const cl::Event before(written, false);
  runtime::check(clFlush(queues_.up()), "clFlush");
  runtime::check(clEnqueueBarrierWithWaitList(queue, 1, &written, nullptr),
                 "clEnqueueBarrierWithWaitList");
  pass_.compute(worker_.device, piece_of(busy), queues_.queue(), busy.slot->from.buffer(),
                target(busy));
  runtime::check(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event),
                 "clEnqueueMarkerWithWaitList");
  busy.computed = cl::Event(event, false);
  runtime::check(clFlush(queue), "clFlush");
  changed_.notify_all();
}

/// Records that bytes of this piece are downloaded; after the last byte its slot is free.
void Transfer::received(Busy& busy, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  busy.unfinished -= bytes;
  if (busy.unfinished > 0) return;
  work_list_.complete(worker_.number);
  free_.push_back(busy.slot);
  std::erase_if(busy_, [&](const Busy& each) { return &each == &busy; });
  changed_.notify_all();
}

}  // namespace imago::host
