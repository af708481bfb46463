// This file implements Transfer.
#include "host/transfer.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include <imago/error.hpp>

namespace imago::host {
namespace {

/// Nothing is left to do for threads but to put commands into queues.
constexpr std::size_t kDirectThreads = 2;

}  // namespace

Transfer::Transfer(Lane& lane, const Pass& pass, const Place& place)
    : lane_(lane),
      pass_(pass),
      place_(place),
      bytes_(bytes_of(pass.pieces)),
      from_(const_cast<char*>(pass.from), pass.pieces, &Piece::from, place.pins),
      to_(pass.to, pass.pieces, &Piece::to, place.pins) {
  static_assert(kStages * Side::kPartBytes == kBytesOfThread);
  const Slot::Bytes room = pass.in_place ? Slot::Bytes{std::max(bytes_.from, bytes_.to), 0}
                                         : Slot::Bytes{bytes_.from, bytes_.to};
  const std::size_t slots = std::min(pass.slots, pass.pieces.size());
  lane_.add_copy_queues();
  auto& all = lane_.slots(slots, room, place.memory);
  for (std::size_t i = 0; i < slots; ++i) free_.push_back(&all[i]);
}

std::size_t Transfer::threads() const {
  bool direct = true;
  pass_.pieces.for_each_kind(
      [&](const Piece& piece) { direct &= from_.direct(piece.from) && to_.direct(piece.to); });
  if (direct) return kDirectThreads;
  const std::size_t parts = bytes_.all / Side::kPartBytes;
  return std::max<std::size_t>(1, parts / kStages);
}

void Transfer::work(char* pinned) noexcept {
  std::array<Stage, kStages> stages;
  for (std::size_t i = 0; i < kStages; ++i) stages[i].host = pinned + i * Side::kPartBytes;
  try {
    copy(stages);
  } catch (const DeviceError&) {
    lose(std::current_exception());
  } catch (...) {
    place_.deal.fail(std::current_exception());
  }
  for (Stage& stage : stages) {  // where it failed: nothing may use this memory any more
    if (const cl_event event = stage.under_way()) clWaitForEvents(1, &event);
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
  changed_.notify_all();  // who waits shall see that it is over
  if (--working_ > 0 || !loss_) return;
  Loss loss{{}, false, loss_};
  for (const Busy& busy : busy_) {
    loss.pieces.push_back(busy.piece);
    loss.spoilt = loss.spoilt || (busy.written && pass_.from == pass_.to);
  }
  place_.deal.lose(place_.device, std::move(loss));
}

/// Never waits for others with a copy of its own under way: they may wait for that.
void Transfer::copy(std::array<Stage, kStages>& stages) {
  bool up = true;
  for (std::size_t turn = 0;;) {
    Stage& stage = stages[turn % kStages];
    const bool idle = std::all_of(stages.begin(), stages.end(),
                                  [](const Stage& each) { return !each.under_way(); });
    const Taken taken = take(up, idle);
    if (!taken.part && !taken.later && idle) return;
    finish(stage);
    if (taken.part) {
      begin(stage, *taken.part);
      up = !taken.part->up;
    }
    ++turn;
  }
}

/// The next part, of this way if there is one; there is none left where it says neither.
Transfer::Taken Transfer::take(bool up, bool may_wait) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (loss_ || place_.deal.over()) return {};
    auto part = up ? next_up() : next_down();
    if (!part) part = up ? next_down() : next_up();
    if (part) return {part, false};
    if (busy_.empty() && dealt_out_) return {};
    if (!may_wait) return {{}, true};
    changed_.wait(lock);
  }
}

/// A piece that has a slot from now on; null: there is none.
Transfer::Busy* Transfer::open() {
  if (free_.empty() || dealt_out_) return nullptr;
  const auto piece = place_.deal.take(place_.device);
  dealt_out_ = !piece;
  if (!piece) {
    changed_.notify_all();
    return nullptr;
  }
  Busy& busy = busy_.emplace_back();
  busy.piece = *piece;
  busy.slot = free_.back();
  free_.pop_back();
  const Piece what = pass_.pieces[*piece];
  busy.down = busy.unfinished = what.to.bytes();
  busy.up = busy.missing = what.from.bytes() + (what.has_gaps ? busy.down : 0);
  return &busy;
}

/// The part that begins where what is left does.
Transfer::Part Transfer::next(Busy& busy, const Left& left) const {
  const Piece piece = piece_of(busy);
  const Side& side = left.of_target ? to_ : from_;
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
  // What `to` holds comes behind `from`, never in one part with it.
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

void Transfer::begin(Stage& stage, const Part& part) {
  stage.part = part;
  part.up ? begin_up(stage, part) : begin_down(stage, part);
}

void Transfer::begin_up(Stage& stage, const Part& part) {
  const Side& side = part.of_target ? to_ : from_;
  const BoxPart what = what_of(part);
  const cl_mem buffer = (part.of_target ? target(*part.busy) : part.busy->slot->from.buffer())();
  if (!part.direct) gather(what.box, side.array(), what.first, what.bytes, stage.host);
  {
    const std::lock_guard lock(issuing_);
    if (part.direct) {
      stage.under_way = side.send(lane_.up(), what, buffer);
    } else {
      cl_event event = nullptr;
      runtime::check(clEnqueueWriteBuffer(lane_.up(), buffer, CL_FALSE, what.first, what.bytes,
                                          stage.host, 0, nullptr, &event),
                     "clEnqueueWriteBuffer");
      stage.under_way = cl::Event(event, false);
    }
    runtime::check(clFlush(lane_.up()), "clFlush");
  }
  sent(*part.busy, part.bytes);
}

void Transfer::begin_down(Stage& stage, const Part& part) {
  if (part.direct && !may_write(*part.busy)) return;
  const cl_event before = part.busy->computed();
  const cl_mem buffer = target(*part.busy)();
  const std::lock_guard lock(issuing_);
  if (part.direct) {
    stage.under_way = to_.fetch(lane_.down(), what_of(part), buffer, before);
  } else {
    cl_event event = nullptr;
    runtime::check(clEnqueueReadBuffer(lane_.down(), buffer, CL_FALSE, part.first, part.bytes,
                                       stage.host, 1, &before, &event),
                   "clEnqueueReadBuffer");
    stage.under_way = cl::Event(event, false);
  }
  runtime::check(clFlush(lane_.down()), "clFlush");
}

void Transfer::finish(Stage& stage) {
  const cl_event event = stage.under_way();
  if (!event) return;
  runtime::check(clWaitForEvents(1, &event), "clWaitForEvents");
  stage.under_way = {};
  const Part& part = stage.part;
  if (part.up) return place_.deal.moved(part.piece, part.bytes);
  if (!part.direct) {
    if (!may_write(*part.busy)) return;
    scatter(piece_of(*part.busy).to, pass_.to, part.first, part.bytes, stage.host);
  }
  place_.deal.moved(part.piece, part.bytes);
  received(*part.busy, part.bytes);
}

/// Not where the device is lost: in place the others need what is there.
bool Transfer::may_write(Busy& busy) {
  const std::lock_guard lock(mutex_);
  busy.written = busy.written || !loss_;
  return !loss_;
}

/// Bytes of this piece are on their way up; behind the last of them it is computed.
void Transfer::sent(Busy& busy, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  busy.missing -= bytes;
  if (busy.missing > 0) return;
  const std::lock_guard issuing(issuing_);
  cl_event written = nullptr, event = nullptr;
  const cl_command_queue queue = lane_.queue()();
  runtime::check(clEnqueueMarkerWithWaitList(lane_.up(), 0, nullptr, &written),
                 "clEnqueueMarkerWithWaitList");
  const cl::Event before(written, false);
  runtime::check(clFlush(lane_.up()), "clFlush");
  runtime::check(clEnqueueBarrierWithWaitList(queue, 1, &written, nullptr),
                 "clEnqueueBarrierWithWaitList");
  place_.compute(piece_of(busy), lane_.queue(), busy.slot->from.buffer(), target(busy));
  runtime::check(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event),
                 "clEnqueueMarkerWithWaitList");
  busy.computed = cl::Event(event, false);
  runtime::check(clFlush(queue), "clFlush");
  changed_.notify_all();
}

/// Bytes of this piece are back; behind the last of them its slot is free.
void Transfer::received(Busy& busy, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  busy.unfinished -= bytes;
  if (busy.unfinished > 0) return;
  place_.deal.complete(place_.device);
  free_.push_back(busy.slot);
  std::erase_if(busy_, [&](const Busy& each) { return &each == &busy; });
  changed_.notify_all();
}

}  // namespace imago::host
