// This file tests MPI's datatypes of parts: their sizes beyond 2^31, and messages that are so long.
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

// About 10 GiB of memory: by hand, on two ranks.
TEST_CASE("a message of more than 2^31 bytes", "[.large]") {
  REQUIRE(world_size() == 2);
  const std::size_t n = (std::size_t{1} << 28) + 5;  // of 8 bytes, to each
  ExchangeShape shape{{0, 1}, 8, {}, {}, static_cast<std::size_t>(world_rank()), 0, 1};
  for (std::size_t rank = 0; rank < 2; ++rank) {
    shape.near.push_back({{rank, 1}, {0, 2 * n}});
    shape.far.push_back({{0, 2}, {rank * n, n}});
  }
  const Communicator world = Communicator::copy_of(MPI_COMM_WORLD);
  const Patience patience(300, shape.me);
  const auto exchange = by_messages(shape, world, patience, "the long exchange");
  std::vector<std::uint64_t> near(2 * n), far(2 * n, 0);
  for (std::size_t i = 0; i < 2 * n; ++i) near[i] = shape.me * 2 * n + i;
  exchange->start(
      Way::forward, 0,
      {reinterpret_cast<std::byte*>(near.data()), reinterpret_cast<std::byte*>(far.data())});
  exchange->wait(0);
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < 2; ++row)
    for (std::size_t i = 0; i < n; ++i)
      wrong += far[row * n + i] == row * 2 * n + shape.me * n + i ? 0 : 1;
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace imago::test
