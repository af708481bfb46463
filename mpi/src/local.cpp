// This file implements the work of one rank in one state.
#include "local.hpp"

#include <algorithm>
#include <utility>

namespace imago::mpi {
namespace {

bool has(const Axes& axes, std::size_t axis) {
  return std::find(axes.begin(), axes.end(), axis) != axes.end();
}
bool is_trigonometric(Kind kind) {
  return kind != Kind::complex && kind != Kind::real && kind != Kind::identity;
}

/// Treats the real and imaginary parts as two real arrays, on which cosine and sine transforms act.
void take_parts_apart(Transform& t) {
  for (Layout* layout : {&t.signal, &t.spectrum}) {
    for (std::size_t& stride : layout->strides) stride *= 2;
    layout->strides.push_back(1);
  }
  t.axes.push_back(Kind::identity);
  t.lengths.push_back(2);
}

/// Keeps the caller's scaling in the last transform of the route only.
void set_scale(Transform& t, const Route& route, std::size_t state) {
  if (!t.scale) return;
  std::size_t last = 0;
  for (std::size_t i = 0; i < route.states.size(); ++i)
    if (!route.states[i].transformed.empty()) last = i;
  if (state != last) t.scale = Scale{};
}

/// Adds hooks that multiply point (k0, j1) of n0 x n1 by exp(-2 pi i k0 j1 / n). j1 counts over all
/// ranks, so it starts at `first_column`.
void set_twiddles(Transform& t, const Route& route, std::size_t first_column) {
  hook::LineTwiddle twiddle{
      .along = 0, .column = 1, .points = route.signal[0] * route.signal[1], .first = first_column};
  t.on_forward.store = {twiddle};
  twiddle.conjugate = true;
  t.on_inverse.load = {twiddle};
}

}  // namespace

Transform local_transform(const Transform& whole, const Route& route, std::size_t state,
                          const LocalWork& work) {
  const State& here = route.states[state];
  Transform t = whole;
  t.axes.clear();
  t.lengths.clear();
  for (std::size_t axis = 0; axis < work.box.size(); ++axis) {
    t.axes.push_back(has(here.transformed, axis) ? route.kinds[axis] : Kind::identity);
    t.lengths.push_back(work.box[axis].count);
  }
  t.signal = {.strides = work.from.strides};
  t.spectrum = {.strides = work.to.strides};
  set_scale(t, route, state);
  const bool complex_here = state == 0 ? route.complex_signal() : route.complex_spectrum();
  const bool only_parts = std::all_of(t.axes.begin(), t.axes.end(), [](Kind kind) {
    return is_trigonometric(kind) || kind == Kind::identity;
  });
  if (complex_here && only_parts) take_parts_apart(t);
  if (here.twiddled) set_twiddles(t, route, work.box[1].begin);
  return t;
}

Local::Local(const Setting& setting, const Place& from, const Exchange* to,
             const ExchangeShape* shape)
    : whole_(setting.transform),
      route_(setting.route),
      state_(setting.state),
      copy_threads_(setting.copy_threads),
      near_bytes_(element_bytes(whole_.precision,
                                state_ == 0 ? route_.complex_signal() : route_.complex_spectrum())),
      far_bytes_(element_bytes(whole_.precision, route_.complex_spectrum())) {
  const Box all = route_.arriving_box(state_, setting.rank);
  const Box left = route_.leaving_box(state_, setting.rank);
  if (!to) {
    pieces_ = {{all, from, place(route_.spectrum_order, left, left)}};
    return;
  }
  for (std::size_t piece = 0; piece < shape->pieces; ++piece) {
    Box box = all;
    box[shape->join] = shape->piece(shape->me, piece)[shape->join];
    Place part = from;
    part.offset += (box[shape->join].begin - all[shape->join].begin) * from.strides[shape->join];
    pieces_.push_back({box, part, to->near_place(piece)});
  }
}

void Local::build(const Pool& pool, const HostOptions& options) {
  if (route_.states[state_].transformed.empty()) return;
  for (Piece& piece : pieces_) {
    if (elements(piece.box) == 0) continue;
    const Transform t = local_transform(whole_, route_, state_, {piece.box, piece.from, piece.to});
    for (const Piece& other : pieces_)
      if (other.plan && other.plan->transform() == t) piece.plan = other.plan;
    if (!piece.plan) piece.plan = std::make_shared<const HostPlan>(pool, t, options);
  }
}

void Local::copy(Way way, const Piece& piece, const Ends& ends) const {
  if (ends.near == ends.far) return;
  const CopyEnd near{ends.near, piece.from}, far{ends.far, piece.to};
  const bool forward = way == Way::forward;
  const BoxOrder what{route_.states[state_].order, piece.box, far_bytes_};
  copy_box(what, forward ? near : far, forward ? far : near, copy_threads_);
}

void Local::run(Way way, std::size_t piece, const Ends& ends, const HostCall& call) const {
  const Piece& own = pieces_[piece];
  if (elements(own.box) == 0) return;
  if (!own.plan) return copy(way, own, ends);
  const HostArray near(ends.near + own.from.offset * near_bytes_, own.plan->signal_bytes());
  const HostArray far(ends.far + own.to.offset * far_bytes_, own.plan->spectrum_bytes());
  if (way == Way::forward)
    own.plan->forward(near, far, call);
  else
    own.plan->inverse(far, near, call);
}

std::string Local::describe() const {
  for (const Piece& piece : pieces_)
    if (piece.plan) return piece.plan->describe();
  return {};
}

}  // namespace imago::mpi
