// This file runs an array through the states of its route.
#include "pipeline.hpp"

#include <sstream>

namespace imago::mpi {

void Pipeline::run(Way way, std::byte* signal, std::byte* spectrum, std::exception_ptr& failure) {
  signal_ = signal, spectrum_ = spectrum;
  SameWay same(ranks_, patience_, way);
  way == Way::forward ? forward(same, failure) : back(same, failure);
}

void Pipeline::compute(std::size_t state, std::size_t piece, Way way, std::exception_ptr& failure) {
  HostCall call;
  call.progress = [this](double) {
    for (Leg& leg : legs_) leg.exchange->poll();
  };
  guarded(failure, [&] { locals_[state].run(way, piece, ends_of(state), call); });
}

void Pipeline::forward(SameWay& same, std::exception_ptr& failure) {
  for (std::size_t state = 0; state < locals_.size(); ++state) {
    const bool last = state == legs_.size();
    for (std::size_t piece = 0; piece < locals_[state].pieces(); ++piece) {
      compute(state, piece, Way::forward, failure);
      if (state == 0 && piece == 0) same.check();
      if (last) continue;
      Leg& leg = legs_[state];
      leg.exchange->start(Way::forward, piece, {memory(leg.near), memory(leg.far)});
    }
    if (last) return;
    for (std::size_t piece = 0; piece < locals_[state].pieces(); ++piece)
      legs_[state].exchange->wait(piece);
  }
}

void Pipeline::back(SameWay& same, std::exception_ptr& failure) {
  same.check();
  for (std::size_t state = locals_.size(); state-- > 0;) {
    const bool last = state == legs_.size();
    const std::size_t pieces = locals_[state].pieces();
    for (std::size_t piece = 0; !last && piece < pieces; ++piece) {
      Leg& leg = legs_[state];
      leg.exchange->start(Way::back, piece, {memory(leg.near), memory(leg.far)});
    }
    for (std::size_t piece = 0; piece < pieces; ++piece) {
      if (!last) legs_[state].exchange->wait(piece);
      compute(state, piece, Way::back, failure);
    }
  }
}

Ends Pipeline::ends_of(std::size_t state) const {
  return {state == 0 ? signal_ : memory(legs_[state - 1].far),
          state == legs_.size() ? spectrum_ : memory(legs_[state].near)};
}

std::byte* Pipeline::memory(Side side) const {
  switch (side) {
    case Side::signal:
      return signal_;
    case Side::spectrum:
      return spectrum_;
    case Side::first:
      return work_[0].data();
    case Side::second:
      return work_[1].data();
    case Side::third:
      return work_[2].data();
  }
  return nullptr;
}

std::size_t Pipeline::workspace_bytes() const {
  std::size_t bytes = 0;
  for (const Memory& memory : work_) bytes += memory.bytes();
  return shared_ ? bytes / ranks_.size() : bytes;
}

std::string Pipeline::describe() const {
  const Grid& grid = task_.route.grid;
  std::ostringstream text;
  text << grid.sides[0] << " x " << grid.sides[1] << " ranks, exchanges "
       << (shared_ ? "in shared memory" : "by messages") << "\n";
  for (std::size_t state = 0; state < locals_.size(); ++state) {
    text << "state " << state << ": axes";
    for (const std::size_t axis : task_.route.states[state].transformed) text << " " << axis;
    text << ", pieces " << locals_[state].pieces() << "\n" << locals_[state].describe();
  }
  return text.str();
}

}  // namespace imago::mpi
