// This file checks pinned arrays: the parts that a device copies directly, and transforms of pinned
// arrays.
#include <numeric>

#include "host/pass_array.hpp"
#include "host/pins.hpp"
#include "host/support.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"

namespace imago::host {
namespace {

using test::ContainsSubstring;

TEST_CASE("rows of a box are put together where they lie at equal distances", "[host][box]") {
  const Box box{5, 3, {{2, 50}, {4, 10}}};
  CHECK(rows_of(box, 0, 24) == std::vector<Rows>{{5, 0, 3, 4, 10}, {55, 12, 3, 4, 10}});
  CHECK(rows_of(box, 3, 6) == std::vector<Rows>{{15, 0, 3, 2, 10}});
  CHECK(rows_of(box, 2, 5) == std::vector<Rows>{{7, 0, 1}, {15, 1, 3}, {25, 4, 1}});
  // No copy crosses a break, and no copy has rows on both sides of one.
  CHECK(rows_of(box, 0, 12, {16, 25}) ==
        std::vector<Rows>{{5, 0, 3}, {15, 3, 1}, {16, 4, 2}, {25, 6, 3, 2, 10}});
  CHECK(rows_of(box, 0, 24, {40}).size() == 2);
  CHECK(rows_of({0, 100}, 10, 50, {20, 30}) ==
        std::vector<Rows>{{10, 0, 10}, {20, 10, 10}, {30, 20, 30}});
  // Slower dimensions may step backwards.
  const Box back{0, 2, {{2, 4}, {2, 20}}};
  CHECK(rows_of(back, 0, 8, {21}) ==
        std::vector<Rows>{{0, 0, 2}, {20, 2, 1}, {21, 3, 1}, {4, 4, 2}, {24, 6, 2}});
}

/// 40 rows of 20000 bytes, 24000 apart, in an array that is pinned in ranges of 64 KiB.
struct Forty {
  static constexpr std::size_t kRow = 20000, kPitch = 24000, kRows = 40, kBegin = 100;
  Forty() : array(kBegin + kRows * kPitch) {
    std::iota(array.begin(), array.end(), char{0});
    pieces.push_back({{kBegin, kRow, {{kRows, kPitch}}}, {kBegin, kRow, {{kRows, kPitch}}}});
    pieces.push_back({{kBegin, 10, {{kRows, kPitch}}}, {kBegin, kRow}});
  }
  std::vector<char> array;
  std::vector<Piece> pieces;
};

TEST_CASE("a device copies what is pinned", "[host][pins]") {
  const test::Device& device = test::default_device();
  Forty rows;
  Pins pins;
  CHECK(!PassArray(rows.array.data(), rows.pieces, &Piece::from, pins).direct(rows.pieces[0].from));
  const auto key = pins.add(device.context(), {rows.array.data(), rows.array.size()}, 65536);
  const PassArray side(rows.array.data(), rows.pieces, &Piece::from, pins);
  const Box& box = rows.pieces[0].from;
  CHECK(side.direct(box));
  CHECK(!side.direct(rows.pieces[1].from));  // its rows are short
  CHECK(side.direct(rows.pieces[1].to));
  CHECK(side.part_bytes(box, 0, box.bytes()) == box.bytes());

  const cl::CommandQueue queue = device.make_queue();
  const cl::Buffer buffer(device.context, CL_MEM_READ_WRITE, box.bytes());
  side.send(queue(), {box, 0, 7 * Forty::kRow}, buffer());
  side.send(queue(), {box, 7 * Forty::kRow, box.bytes() - 7 * Forty::kRow}, buffer());
  std::vector<char> packed(box.bytes()), expected(box.bytes());
  queue.enqueueReadBuffer(buffer, CL_TRUE, 0, packed.size(), packed.data());
  gather(box, rows.array.data(), 0, box.bytes(), expected.data());
  CHECK(packed == expected);

  std::vector<char> before = rows.array;
  for (std::size_t r = 0; r < Forty::kRows; ++r)
    std::fill_n(&rows.array[Forty::kBegin + r * Forty::kPitch], Forty::kRow, char{77});
  const cl::UserEvent go(device.context);
  const cl::Event done = side.fetch(queue(), {box, 0, box.bytes()}, buffer(), go());
  queue.flush();
  const_cast<cl::UserEvent&>(go).setStatus(CL_COMPLETE);
  done.wait();
  queue.finish();
  CHECK(rows.array == before);
  pins.remove(key);
  CHECK(!pins.breaks(rows.array.data(), 1));
}

TEST_CASE("a pinned range is known from its first byte to its last", "[host][pins]") {
  std::vector<char> array(100000);
  Pins pins;
  const auto key = pins.add(test::default_device().context(), {&array[1000], 50000}, 16384);
  const std::size_t into_page = reinterpret_cast<std::size_t>(&array[1000]) % 4096;
  CHECK(pins.breaks(&array[1000], 50000)->size() == (into_page + 50000 - 1) / 16384);
  CHECK(!pins.breaks(&array[999], 2));
  CHECK(!pins.breaks(&array[50999], 2));
  CHECK(pins.breaks(&array[50999], 1)->empty());
  const auto breaks = *pins.breaks(&array[3000], 40000);
  for (const std::size_t place : breaks) {
    CHECK((place > 0 && place < 40000));
    CHECK(reinterpret_cast<std::size_t>(&array[3000 + place]) % 4096 == 0);
  }
  pins.remove(key);
}

/// Checks the case with pinned arrays and a memory limit in bytes.
void check(const std::string& name, std::size_t limit) {
  const Pool pool(test::default_device().context, test::default_device().device, {.copies = true});
  const auto outcome = test::verify_on_host(name, {pool, {.memory_limit = limit}, {}, true});
  INFO(name << ", " << limit << " bytes: " << outcome.detail);
  CHECK(outcome.verdict == catalogue::Verdict::passed);
}

TEST_CASE("pinned arrays are transformed", "[host][pins]") {
  check("512*1500-f32-out-forward-none", 0);                       // spans, 24 MiB there and back
  check("32x16384*1-f32-in-forward-ortho", std::size_t{3} << 20);  // rows of 16 KiB and more
  check("32x16384*1-f32-out-inverse-none", std::size_t{3} << 20);
  check("24x20*3-f32-out-inverse-backward", 2400);       // short rows, copied by threads
  check("16x6*9-f32-out-forward-none-s3+2-t5+7", 8000);  // gaps are left untouched
  check("3000*9-f32-out-forward-none-t5+4000", 100000);  // also if rows are long
}

TEST_CASE("gaps are left alone while others write there", "[host][pieces]") {
  const Pool pool(test::default_device().context, test::default_device().device, {.copies = true});
  // The plan transforms the left half of 6 x 9 elements; another plan would write the right half.
  Transform left{.lengths = {6, 4}, .directions = Directions::forward};
  left.spectrum = {.strides = {9, 1}};
  const HostPlan plan(pool, left, {.leave_gaps = true});
  const auto x = test::random_data<float>(24, 3);
  const HostPlan packed(pool, {.lengths = {6, 4}});
  std::vector<std::complex<float>> expected(24), found(54, 7);
  packed.forward(x, expected);
  plan.forward(x, found);
  for (std::size_t i = 0; i < 54; ++i) {
    const bool mine = i % 9 < 4;
    CHECK(std::abs(found[i] - (mine ? expected[i / 9 * 4 + i % 9] : 7)) < 1e-5f);
  }
  // The device reads and writes no gap, so no piece contains one.
  CHECK(plan.describe().find("pass 1 of 1: ") != std::string::npos);
  CHECK(HostPlan(pool, left).describe().find("pass") == std::string::npos);
  left.on_forward.store = {hook::scale(2)};
  CHECK_THROWS_WITH(HostPlan(pool, left, {.leave_gaps = true}), ContainsSubstring("leave_gaps"));
}

TEST_CASE("nothing is pinned if a device works in the caller's memory", "[host][pins]") {
  const Pool pool(test::default_device().context, test::default_device().device);
  std::vector<float> array(1000);
  Pinned pinned = pool.pin({array.data(), 4000});
  pinned = pool.pin({nullptr, 0});
  const Pinned moved = std::move(pinned);
  CHECK_THROWS_WITH(pool.pin({nullptr, 8}), ContainsSubstring("memory.data is null"));
  for (const std::size_t bytes : {~std::size_t{0}, std::size_t{1} << 60})
    CHECK_THROWS_WITH(pool.pin({array.data(), bytes}), ContainsSubstring("no memory is mapped"));
}

}  // namespace
}  // namespace imago::host
