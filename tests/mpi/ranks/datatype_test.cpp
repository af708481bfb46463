// This file tests MPI's datatypes of parts: sizes beyond 2^31, and messages of such a length.
#include <cstdint>
#include <numeric>

#include "communicator.hpp"
#include "exchange.hpp"
#include "support/catch.hpp"
#include "world.hpp"

namespace imago::test {
namespace {

using namespace imago::mpi;  // NOLINT(google-build-using-namespace)

struct Extent {
  MPI_Count bytes = 0, end = 0;
};
Extent extent_of(const Datatype& type) {
  Extent found;
  MPI_Count begin = 0;
  MPI_Type_size_x(type.get(), &found.bytes);
  MPI_Type_get_true_extent_x(type.get(), &begin, &found.end);
  return found;
}

TEST_CASE("datatypes hold more than an int counts", "[quick]") {
  const std::size_t long_strip = (std::size_t{5} << 30) + 3;
  CHECK(extent_of(Datatype({0, long_strip, {}})).bytes == MPI_Count(long_strip));
  const Datatype strips({64, long_strip, {{3, 2 * long_strip}, {2, 10 * long_strip}}});
  CHECK(strips.offset() == 64);
  CHECK(extent_of(strips).bytes == MPI_Count(6 * long_strip));
  CHECK(extent_of(strips).end == MPI_Count(15 * long_strip));
  CHECK(Datatype(Strips{}).empty());
}

TEST_CASE("datatypes repeat strips more often than an int counts", "[quick]") {
  for (const std::size_t count : {std::size_t{1} << 34, (std::size_t{5} << 30) + 7}) {
    const Datatype strips({0, 8, {{count, 24}, {3, 24 * count}}});
    CHECK(extent_of(strips).bytes == MPI_Count(3 * count * 8));
    CHECK(extent_of(strips).end == MPI_Count((3 * count - 1) * 24 + 8));
  }
}

// This needs more than 4 GiB of memory: run it by hand, on two ranks. The first rank sends all
// elements to the second.
TEST_CASE("a message of more than 2^31 bytes", "[.large]") {
  REQUIRE(world_size() == 2);
  const std::size_t n = (std::size_t{1} << 28) + 5, few = 3;  // numbers of elements of 8 bytes
  ExchangeShape shape{{0, 1}, 8, {}, {}, static_cast<std::size_t>(world_rank()), 0, 1};
  shape.near = {{{0, 1}, {0, few + n}}, {{1, 0}, {0, few + n}}};
  shape.far = {{{0, 1}, {0, few}}, {{0, 1}, {few, n}}};
  const Patience patience(300, shape.me);
  const Communicator world = Communicator::copy_of(MPI_COMM_WORLD, patience);
  const auto exchange = by_messages(shape, world, patience, "the long exchange");
  std::vector<std::uint64_t> near(elements(shape.near[shape.me])),
      far(elements(shape.far[shape.me]), 0);
  std::iota(near.begin(), near.end(), std::uint64_t{0});
  exchange->start(
      Way::forward, 0,
      {reinterpret_cast<std::byte*>(near.data()), reinterpret_cast<std::byte*>(far.data())});
  exchange->wait(0);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < far.size(); ++i)
    wrong += far[i] == shape.far[shape.me][1].begin + i ? 0 : 1;
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace imago::test
