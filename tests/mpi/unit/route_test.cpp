// This file tests routes and the shapes of their exchanges, for many ranks, without MPI. It moves
// an array of numbers through all exchanges, rank by rank, as the messages do.
#include "route.hpp"

#include <algorithm>
#include <map>

#include <imago/error.hpp>

#include "exchange.hpp"
#include "local.hpp"
#include "support/catch.hpp"

namespace imago::mpi {
namespace {

using Numbers = std::vector<std::size_t>;  ///< each element is its own index in the whole array

Numbers filled(const Axes& order, const Box& box, const Lengths& lengths) {
  Numbers found(elements(box));
  const Place where = place(order, box, box);
  std::vector<std::size_t> index(lengths.size(), 0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    std::size_t rest = i, at = 0, number = 0;
    for (std::size_t d = lengths.size(); d-- > 0;) {
      index[d] = rest % box[d].count;
      rest /= box[d].count;
    }
    for (std::size_t d = 0; d < lengths.size(); ++d) {
      at += index[d] * where.strides[d];
      number = number * lengths[d] + box[d].begin + index[d];
    }
    found[at] = number;
  }
  return found;
}

std::vector<std::size_t> begins_of(const Strips& strips) {
  std::vector<std::size_t> begins;
  if (strips.bytes != 0) begins.push_back(strips.offset);
  for (const Strips::Loop& loop : strips.loops) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < loop.count; ++i)
      for (const std::size_t begin : begins) all.push_back(begin + i * loop.stride);
    begins = all;
  }
  return begins;
}

Numbers gathered(const Numbers& memory, const Strips& strips) {
  Numbers found;
  for (const std::size_t begin : begins_of(strips))
    for (std::size_t i = 0; i < strips.bytes / sizeof(std::size_t); ++i)
      found.push_back(memory[begin / sizeof(std::size_t) + i]);
  return found;
}

void scatter(const Numbers& message, const Strips& strips, Numbers& memory) {
  std::size_t next = 0;
  for (const std::size_t begin : begins_of(strips))
    for (std::size_t i = 0; i < strips.bytes / sizeof(std::size_t); ++i)
      memory[begin / sizeof(std::size_t) + i] = message.at(next++);
  CHECK(next == message.size());
}

/// Returns the contents of a rank's memory of pieces.
Numbers pieces_of(const ExchangeShape& shape, std::size_t rank, const Lengths& lengths) {
  Numbers all;
  for (std::size_t piece = 0; piece < shape.pieces; ++piece) {
    const Numbers one = filled(shape.order, shape.piece(rank, piece), lengths);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

void check_exchange(const Route& route, std::size_t state, std::size_t pieces) {
  const State &near = route.states[state], &far = route.states[state + 1];
  std::size_t join = 0;
  while (near.distribution[join] == kWhole || near.distribution[join] == far.distribution[join])
    ++join;
  ExchangeShape shape{far.order, sizeof(std::size_t), {}, {}, 0, join, pieces};
  const std::size_t ranks = route.grid.size();
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    shape.near.push_back(route.leaving_box(state, rank));
    shape.far.push_back(route.arriving_box(state + 1, rank));
  }
  for (std::size_t to = 0; to < ranks; ++to) {
    Numbers arrived(elements(shape.far[to]), ~std::size_t{0});
    for (std::size_t from = 0; from < ranks; ++from) {
      shape.me = from;
      const Numbers sent = pieces_of(shape, from, route.spectrum);
      for (std::size_t piece = 0; piece < pieces; ++piece) {
        shape.me = from;
        const Numbers message = gathered(sent, shape.near_strips(to, piece));
        shape.me = to;
        scatter(message, shape.far_strips(from, piece), arrived);
      }
    }
    CHECK(arrived == filled(far.order, shape.far[to], route.spectrum));
  }
}

void check_route(const Transform& transform, const Decomposition& decomposition,
                 std::size_t ranks) {
  CAPTURE(transform.lengths, ranks, decomposition.transposed);
  const Route route = route_of(transform, decomposition, ranks);
  std::vector<int> transformed(route.signal.size(), 0);
  for (const State& state : route.states)
    for (const std::size_t axis : state.transformed) {
      ++transformed[axis];
      CHECK(state.distribution[axis] == kWhole);
    }
  CHECK(transformed == std::vector<int>(route.signal.size(), 1));
  for (std::size_t state = 0; state + 1 < route.states.size(); ++state)
    for (const std::size_t pieces : {1, 3}) check_exchange(route, state, pieces);
}

TEST_CASE("arrays arrive whole, for any lengths, ranks and pieces") {
  for (const bool transposed : {false, true})
    for (const std::size_t ranks : {1, 2, 3, 4, 6, 7, 12}) {
      check_route({.lengths = {7, 5, 4}}, {.transposed = transposed}, ranks);
      check_route({.kind = Kind::real, .lengths = {3, 8, 6}}, {.transposed = transposed}, ranks);
      check_route({.lengths = {9, 4}}, {.transposed = transposed}, ranks);
      check_route({.lengths = {60}}, {.transposed = transposed}, ranks);
      check_route({.lengths = {7, 5, 4}}, {.shape = Shape::pencils, .transposed = transposed},
                  ranks);
      check_route({.lengths = {3, 4, 5, 2}}, {.shape = Shape::pencils, .transposed = transposed},
                  ranks);
    }
}

TEST_CASE("slabs take one exchange to a transposed spectrum, pencils two; back as many") {
  const auto states = [](Shape shape, bool transposed, std::size_t ranks) {
    return route_of({.lengths = {8, 8, 8}}, {.shape = shape, .transposed = transposed}, ranks)
        .states.size();
  };
  CHECK(states(Shape::slabs, true, 4) == 2);
  CHECK(states(Shape::slabs, false, 4) == 3);
  CHECK(states(Shape::pencils, true, 4) == 3);
  CHECK(states(Shape::pencils, false, 4) == 5);
  CHECK(states(Shape::slabs, false, 1) == 1);
  CHECK(shortened(route_of({.lengths = {8, 8, 8}}, {.shape = Shape::pencils}, 4)).states.size() ==
        4);
}

TEST_CASE("the spectrum is divided along axis 1 where it is transposed") {
  const Route route = route_of({.lengths = {8, 6, 5}}, {.transposed = true}, 3);
  const Part part = route.spectrum_part(1, Precision::f32);
  CHECK(part.begin == std::vector<std::size_t>{0, 2, 0});
  CHECK(part.lengths == std::vector<std::size_t>{8, 2, 5});
  CHECK(part.strides == std::vector<std::size_t>{5, 40, 1});
  CHECK(part.bytes == 8 * 8 * 2 * 5);
  const Part signal = route.signal_part(2, Precision::f32);
  CHECK(signal.begin == std::vector<std::size_t>{6, 0, 0});
  CHECK(signal.lengths == std::vector<std::size_t>{2, 6, 5});
}

TEST_CASE("transforms that ranks cannot compute together are rejected") {
  const auto made = [](const Transform& transform, Shape shape = Shape::slabs) {
    route_of(transform, {.shape = shape}, 4);
  };
  CHECK_THROWS_AS(made({.lengths = {}}), InvalidArgument);
  CHECK_THROWS_AS(made({.lengths = {4, 0}}), InvalidArgument);
  CHECK_THROWS_AS(made({.axes = {Kind::complex}, .lengths = {4, 4}}), InvalidArgument);
  CHECK_THROWS_AS(made({.lengths = {4, 4}}, Shape::pencils), InvalidArgument);
  CHECK_THROWS_AS(made({.lengths = {4, 4}}, Shape{7}), InvalidArgument);
  for (const Lengths& large :
       {Lengths{~std::size_t{0}}, Lengths{1 << 25, 1 << 25}, Lengths{std::size_t{1} << 48, 2}})
    CHECK_THROWS_AS(made({.lengths = large}), InvalidArgument);
  CHECK_NOTHROW(made({.lengths = {1 << 24, 1 << 24}}));
  CHECK_THROWS_AS(made({.lengths = {4, 4}, .batch = 2}), Unsupported);
  CHECK_THROWS_AS(made({.precision = Precision::f16, .lengths = {4, 4}}), Unsupported);
  CHECK_THROWS_AS(made({.lengths = {4, 4}, .placement = Placement::in_place}), Unsupported);
  CHECK_THROWS_AS(made({.lengths = {4, 4}, .signal = {.strides = {4, 1}}}), Unsupported);
  CHECK_THROWS_AS(made({.lengths = {4, 4}, .on_forward = {.load = {hook::scale(2)}}}), Unsupported);
  CHECK_THROWS_AS(made({.axes = {Kind::real, Kind::complex}, .lengths = {4, 4}}), Unsupported);
  CHECK_THROWS_AS(made({.axes = {Kind::identity, Kind::complex}, .lengths = {4, 4}}), Unsupported);
  CHECK_THROWS_AS(made({.kind = Kind::real, .lengths = {16}}), Unsupported);
  CHECK_NOTHROW(
      made({.axes = {Kind::complex, Kind::complex, Kind::identity}, .lengths = {4, 4, 3}}));
}

TEST_CASE("cosines of complex numbers act on their parts; the last transform has the factors") {
  const Transform whole{
      .axes = {Kind::dct2, Kind::complex}, .lengths = {8, 6}, .scale = Scale{3, 5}};
  const Route route = route_of(whole, {.transposed = true}, 2);
  const Box box = route.arriving_box(1, 0);
  const Transform last = local_transform(whole, route, 1, {box, {{3, 1}, 0}, {{1, 8}, 0}});
  CHECK(last.axes == std::vector{Kind::dct2, Kind::identity, Kind::identity});
  CHECK(last.lengths == std::vector<std::size_t>{8, 3, 2});
  CHECK(last.signal.strides == std::vector<std::size_t>{6, 2, 1});
  CHECK(last.spectrum.strides == std::vector<std::size_t>{2, 16, 1});
  CHECK(last.scale == Scale{3, 5});
  const Transform first =
      local_transform(whole, route, 0, {route.arriving_box(0, 0), {{6, 1}, 0}, {{1, 4}, 0}});
  CHECK(first.scale == Scale{1, 1});
  CHECK(first.lengths == std::vector<std::size_t>{4, 6});
}

}  // namespace
}  // namespace imago::mpi
