// This file implements routes.
#include "route.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "errors.hpp"

namespace imago::mpi {
namespace {

constexpr std::size_t kMostElements = std::size_t{1} << 48;

bool is_fourier(Kind kind) { return kind == Kind::complex || kind == Kind::real; }

std::string indexed(const char* name, std::size_t i) {
  return std::string(name) + "[" + std::to_string(i) + "]";
}

std::vector<Kind> kinds_of(const Transform& t) {
  if (!t.axes.empty()) {
    if (t.axes.size() != t.lengths.size())
      invalid("the size of axes", std::to_string(t.axes.size()),
              "give one kind per length, or none");
    return t.axes;
  }
  std::vector<Kind> kinds(t.lengths.size(), t.kind == Kind::real ? Kind::complex : t.kind);
  if (t.kind == Kind::real && !kinds.empty()) kinds.back() = Kind::real;
  return kinds;
}

void check(const Transform& t) {
  if (t.lengths.empty()) invalid("the size of lengths", "0", "give one length per dimension");
  std::size_t most = kMostElements;
  for (std::size_t i = 0; i < t.lengths.size(); ++i) {
    if (t.lengths[i] == 0) invalid(indexed("lengths", i), "0", "it must be at least 1");
    if (t.lengths[i] > most)
      invalid(indexed("lengths", i), std::to_string(t.lengths[i]),
              "all ranks together can hold at most 2^48 elements");
    most /= t.lengths[i];
  }
  if (t.batch != 1)
    unsupported("batch is " + std::to_string(t.batch) + ", and it must be 1 over several ranks",
                "call forward() for each batch element, or give each rank a part of the batch");
  if (t.signal != Layout{} || t.spectrum != Layout{})
    unsupported("layouts are not supported over several ranks",
                "use packed parts, as signal() and spectrum() return");
  if (t.on_forward != Hooks{} || t.on_inverse != Hooks{})
    unsupported("hooks are not supported over several ranks",
                "process the parts between the calls");
  if (t.placement != Placement::out_of_place)
    unsupported("placement in place is not supported over several ranks", "give two arrays");
  if (t.precision == Precision::f16)
    unsupported("f16 is not supported over several ranks, because each exchange would round",
                "use f32");
}

Axes all_axes(std::size_t dimensions) {
  Axes axes(dimensions);
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

/// Marks axes as not divided where their side of the grid has one rank.
Distribution effective(Distribution distribution, const Grid& grid) {
  for (std::size_t& side : distribution)
    if (side != kWhole && grid.sides[side] == 1) side = kWhole;
  return distribution;
}

/// Merges consecutive states with the same distribution.
std::vector<State> merged(const std::vector<State>& states, const Grid& grid) {
  std::vector<State> found;
  for (State state : states) {
    state.distribution = effective(state.distribution, grid);
    if (found.empty() || found.back().distribution != state.distribution) {
      found.push_back(state);
      continue;
    }
    Axes& transformed = found.back().transformed;
    transformed.insert(transformed.end(), state.transformed.begin(), state.transformed.end());
    std::sort(transformed.begin(), transformed.end());
  }
  return found;
}

/// Adds the states of slabs and pencils; slabs are pencils on a grid of one column.
void add_states(Route& route, bool transposed) {
  const std::size_t dimensions = route.signal.size();
  const Axes natural = all_axes(dimensions);
  Axes turned = natural;
  std::swap(turned[0], turned[1]);
  Distribution first(dimensions, kWhole), middle = first, last = first;
  first[0] = middle[0] = last[1] = 0;
  first[1] = 1;
  if (dimensions > 2) middle[2] = last[2] = 1;
  Axes local(natural.begin() + 2, natural.end());
  std::vector<State> states = {
      {first, local, natural}, {middle, {1}, natural}, {last, {0}, turned}};
  if (!transposed) {
    states.push_back({middle, {}, natural});
    states.push_back({first, {}, natural});
  }
  route.states = merged(states, route.grid);
  route.spectrum_order = transposed ? turned : natural;
}

/// Adds the states of a line of n0 x n1 points: columns, twiddle factors, rows. X[k0 + n0 k1] ends
/// in row k0, column k1.
void add_line_states(Route& route, bool transposed) {
  const auto factors = nearest_factors(route.signal[0]);
  route.signal = route.spectrum = {factors[0], factors[1]};
  const Distribution rows{0, kWhole}, columns{kWhole, 0};
  const Axes natural{0, 1}, turned{1, 0};
  route.states = {{rows, {}, natural}, {columns, {0}, natural, true}, {rows, {1}, natural}};
  if (!transposed) route.states.push_back({columns, {}, turned});
  route.spectrum_order = transposed ? natural : turned;
}

void check_stages(const Route& route) {
  const auto real = std::find(route.kinds.begin(), route.kinds.end(), Kind::real);
  const auto axis = static_cast<std::size_t>(real - route.kinds.begin());
  const Axes& first = route.states.front().transformed;
  if (real != route.kinds.end() && std::find(first.begin(), first.end(), axis) == first.end())
    unsupported("the real axis, " + indexed("axes", axis) + ", is divided among the ranks",
                "make the last axis the real one");
  for (const State& state : route.states) {
    const bool idle = std::all_of(state.transformed.begin(), state.transformed.end(),
                                  [&](std::size_t d) { return route.kinds[d] == Kind::identity; });
    if (!state.transformed.empty() && idle)
      unsupported(indexed("axes", state.transformed.front()) +
                      " is an identity axis that is divided among the ranks",
                  "put identity axes last");
  }
}

Part part_of(const Box& box, const Axes& order, std::size_t bytes) {
  Part part;
  for (const Span& span : box) {
    part.begin.push_back(span.begin);
    part.lengths.push_back(span.count);
  }
  part.strides = place(order, box, box).strides;
  part.elements = elements(box);
  part.bytes = part.elements * bytes;
  return part;
}

}  // namespace

bool Route::complex_spectrum() const { return std::any_of(kinds.begin(), kinds.end(), is_fourier); }
bool Route::complex_signal() const {
  return complex_spectrum() && std::find(kinds.begin(), kinds.end(), Kind::real) == kinds.end();
}
Box Route::arriving_box(std::size_t state, std::size_t rank) const {
  return box_of(arriving(state), states[state].distribution, grid, rank);
}
Box Route::leaving_box(std::size_t state, std::size_t rank) const {
  return box_of(spectrum, states[state].distribution, grid, rank);
}
Part Route::signal_part(std::size_t rank, Precision precision) const {
  return part_of(arriving_box(0, rank), all_axes(signal.size()),
                 element_bytes(precision, complex_signal()));
}
Part Route::spectrum_part(std::size_t rank, Precision precision) const {
  return part_of(leaving_box(states.size() - 1, rank), spectrum_order,
                 element_bytes(precision, complex_spectrum()));
}

Route route_of(const Transform& t, const Decomposition& decomposition, std::size_t ranks) {
  check(t);
  Route route;
  route.kinds = kinds_of(t);
  route.signal = route.spectrum = t.lengths;
  const bool pencils = decomposition.shape == Shape::pencils;
  if (!pencils && decomposition.shape != Shape::slabs)
    invalid("shape", std::to_string(static_cast<int>(decomposition.shape)),
            "it must be slabs or pencils");
  if (pencils && t.lengths.size() < 3)
    invalid("shape", "pencils",
            "it must be slabs for " + std::to_string(t.lengths.size()) + " axes");
  route.grid = pencils ? grid_of(ranks, decomposition.grid) : Grid{{ranks, 1}};
  if (t.lengths.size() == 1) {
    if (route.kinds[0] != Kind::complex)
      unsupported("a single axis over several ranks must be complex", "use Kind::complex");
    add_line_states(route, decomposition.transposed);
    route.kinds = {Kind::complex, Kind::complex};
    return route;
  }
  for (std::size_t d = 0; d < route.kinds.size(); ++d)
    if (route.kinds[d] == Kind::real) route.spectrum[d] = t.lengths[d] / 2 + 1;
  add_states(route, decomposition.transposed);
  check_stages(route);
  return route;
}

Route shortened(Route route) {
  std::vector<State> kept;
  for (std::size_t i = 0; i < route.states.size(); ++i) {
    const bool end = i == 0 || i + 1 == route.states.size();
    if (end || !route.states[i].transformed.empty()) kept.push_back(route.states[i]);
  }
  route.states = kept;
  return route;
}

std::size_t element_bytes(Precision precision, bool complex) {
  return (precision == Precision::f64 ? 8 : 4) * (complex ? 2 : 1);
}

}  // namespace imago::mpi
