// This file tests the arithmetic of parts against counting.
#include "shares.hpp"

#include <numeric>

#include <imago/error.hpp>

#include "support/catch.hpp"

namespace imago::mpi {
namespace {

TEST_CASE("shares follow each other, cover all, and differ by one at most") {
  for (const std::size_t n : {0, 1, 5, 12, 127}) {
    for (const std::size_t parts : {1, 2, 3, 7, 12}) {
      std::size_t end = 0;
      for (std::size_t part = 0; part < parts; ++part) {
        const Span span = share(n, parts, part);
        CHECK(span.begin == end);
        CHECK((span.count == n / parts || span.count == n / parts + 1));
        CHECK(span.count <= share(n, parts, 0).count);
        end += span.count;
      }
      CHECK(end == n);
    }
  }
}

TEST_CASE("a place finds each element of a part in a packed array") {
  const Box container{{2, 3}, {0, 4}, {5, 6}}, part{{3, 2}, {1, 2}, {7, 3}};
  const Axes order{1, 0, 2};
  const Place found = place(order, container, part);
  for (std::size_t i = 0; i < 2; ++i)
    for (std::size_t j = 0; j < 2; ++j)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t a = i + 1, b = j + 1, c = k + 2;  // in the container
        const std::size_t at =
            found.offset + i * found.strides[0] + j * found.strides[1] + k * found.strides[2];
        CHECK(at == (b * 3 + a) * 6 + c);
      }
}

TEST_CASE("every element of a distributed array is at one rank") {
  const Lengths lengths{5, 3, 4};
  const Grid grid{{3, 2}};
  std::vector<int> seen(60, 0);
  for (std::size_t rank = 0; rank < grid.size(); ++rank) {
    const Box box = box_of(lengths, {0, 1, kWhole}, grid, rank);
    for (std::size_t i = 0; i < box[0].count; ++i)
      for (std::size_t j = 0; j < box[1].count; ++j)
        for (std::size_t k = 0; k < box[2].count; ++k)
          ++seen[((box[0].begin + i) * 3 + box[1].begin + j) * 4 + k];
  }
  CHECK(seen == std::vector<int>(60, 1));
}

TEST_CASE("grids are as square as the number of ranks allows, or as they are wished") {
  CHECK(grid_of(12, {0, 0}).sides == std::array<std::size_t, 2>{3, 4});
  CHECK(grid_of(7, {0, 0}).sides == std::array<std::size_t, 2>{1, 7});
  CHECK(grid_of(12, {6, 0}).sides == std::array<std::size_t, 2>{6, 2});
  CHECK(grid_of(12, {0, 6}).sides == std::array<std::size_t, 2>{2, 6});
  CHECK_THROWS_AS(grid_of(12, {5, 0}), InvalidArgument);
  CHECK_THROWS_AS(grid_of(12, {3, 3}), InvalidArgument);
}

TEST_CASE("long lines are cut into factors near to each other") {
  CHECK(nearest_factors(1) == std::array<std::size_t, 2>{1, 1});
  CHECK(nearest_factors(13) == std::array<std::size_t, 2>{1, 13});
  CHECK(nearest_factors(1000) == std::array<std::size_t, 2>{25, 40});
  CHECK(nearest_factors(std::size_t{1} << 34) ==
        std::array<std::size_t, 2>{std::size_t{1} << 17, std::size_t{1} << 17});
}

}  // namespace
}  // namespace imago::mpi
