// This file tests strips against the elements that they represent.
#include "strips.hpp"

#include <numeric>

#include "support/catch.hpp"

namespace imago::mpi {
namespace {

/// Returns the bytes that strips cover, in their order.
std::vector<std::size_t> bytes_of(const Strips& strips) {
  std::vector<std::size_t> begins;
  if (strips.bytes != 0) begins.push_back(strips.offset);
  for (const Strips::Loop& loop : strips.loops) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < loop.count; ++i)
      for (const std::size_t begin : begins) all.push_back(begin + i * loop.stride);
    begins = all;
  }
  std::vector<std::size_t> bytes;
  for (const std::size_t begin : begins)
    for (std::size_t byte = 0; byte < strips.bytes; ++byte) bytes.push_back(begin + byte);
  return bytes;
}

std::vector<std::size_t> expected(const Axes& order, const Box& container, const Box& part,
                                  std::size_t element_bytes) {
  const Place where = place(order, container, part);
  std::vector<std::size_t> bytes;
  const Span &slow = part[order[0]], &middle = part[order[1]], &fast = part[order[2]];
  for (std::size_t i = 0; i < slow.count; ++i)
    for (std::size_t j = 0; j < middle.count; ++j)
      for (std::size_t k = 0; k < fast.count; ++k) {
        const std::size_t at = where.offset + i * where.strides[order[0]] +
                               j * where.strides[order[1]] + k * where.strides[order[2]];
        for (std::size_t byte = 0; byte < element_bytes; ++byte)
          bytes.push_back(at * element_bytes + byte);
      }
  return bytes;
}

TEST_CASE("strips are the elements of a part, in order of memory") {
  const Box container{{2, 4}, {1, 3}, {0, 5}};
  for (const Axes& order : {Axes{0, 1, 2}, Axes{1, 0, 2}, Axes{2, 0, 1}})
    for (const Box& part :
         {Box{{2, 4}, {1, 3}, {0, 5}}, Box{{3, 2}, {1, 3}, {0, 5}}, Box{{2, 4}, {2, 2}, {0, 5}},
          Box{{3, 3}, {1, 2}, {2, 2}}, Box{{3, 1}, {1, 3}, {1, 1}}, Box{{2, 4}, {1, 0}, {0, 5}}})
      CHECK(bytes_of(strips(order, container, part, 8)) == expected(order, container, part, 8));
}

TEST_CASE("data without gaps are one strip, whatever their size") {
  const std::size_t large = std::size_t{1} << 20;
  const Box container{{0, large}, {0, large}, {0, 3}}, rows{{5, 4}, {0, large}, {0, 3}};
  const Strips found = strips({0, 1, 2}, container, rows, 16);
  CHECK(found.loops.empty());
  CHECK(found.bytes == 4 * large * 3 * 16);
  CHECK(found.offset == 5 * large * 3 * 16);
}

TEST_CASE("a box is copied between two memories of one order") {
  const Box from{{0, 3}, {0, 4}, {0, 5}}, part{{1, 2}, {0, 4}, {2, 3}};
  std::vector<float> a(60);
  std::iota(a.begin(), a.end(), 0.0f);
  const Axes order{1, 0, 2};
  for (const std::size_t threads : {1, 3, 8, 11}) {  // there are 8 rows
    std::vector<float> b(24, -1);
    copy_box({order, part, sizeof(float)},
             {reinterpret_cast<std::byte*>(a.data()), place(order, from, part)},
             {reinterpret_cast<std::byte*>(b.data()), place(order, part, part)}, threads);
    for (std::size_t j = 0; j < 4; ++j)
      for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t k = 0; k < 3; ++k)
          CHECK(b[(j * 2 + i) * 3 + k] == a[(j * 3 + i + 1) * 5 + k + 2]);
  }
}

}  // namespace
}  // namespace imago::mpi
