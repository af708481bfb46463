// This file loses one device of a pool during calls. The others must take its pieces, the result
// must be right, and the pool must leave the device out.
#include <complex>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "faults.hpp"
#include "host/support.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"

namespace imago::faults {
namespace {

using Float = std::complex<float>;
using test::ContainsSubstring;

constexpr int kLost = CL_INVALID_COMMAND_QUEUE;
constexpr int kMostTurns = 50;  // attempts to lose a device that has work

/// The log lines during its lifetime.
class Lines {
 public:
  Lines() {
    set_log([this](LogLevel level, const std::string& text) {
      const std::lock_guard lock(mutex_);
      if (level == LogLevel::warning) text_ += text + "\n";
    });
  }
  ~Lines() { set_log({}); }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
  std::string text() {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

/// One code path for host arrays, with the expected outcome.
struct Way {
  const char* name;
  PoolOptions pool;
  Transform transform;
  std::size_t limit = 0;
  bool pinned = false;  ///< the arrays

  bool in_place() const { return transform.placement == Placement::in_place; }
};

/// A call of a pool of its own. Device `device` is lost at its `at`-th OpenCL call.
class Trial {
 public:
  explicit Trial(const Way& way)
      : way_(way),
        pool_(test::two_or_more(), way.pool),
        plan_(pool_, way.transform, {.memory_limit = way.limit}) {
    std::size_t points = way.transform.batch;
    for (const std::size_t n : way.transform.lengths) points *= n;
    x_ = data_ = y_ = test::random_data<float>(points, 5);
    for (std::vector<Float>* array : {&data_, &y_})
      if (way.pinned) pins_.push_back(pool_.pin({array->data(), points * sizeof(Float)}));
    right_ = call();
  }

  /// Returns true if the device failed while there was work. (It is also waited for at the end.)
  bool lose(std::size_t device, std::uint64_t at, int code = kLost) {
    std::optional<std::vector<Float>> found;
    {
      const Live scope;
      faults::lose(pool_.context(device)(), at, code);
      try {
        found = call();
      } catch (const DeviceError&) {
        disarm();
      }
      disarm();
    }
    const std::string failed = first_failed();
    CAPTURE(way_.name, device, at, failed);
    CHECK((found || way_.in_place()));
    if (found) CHECK(is_right(*found));
    CHECK(is_right(call()));  // with the remaining devices
    const bool lost = failed != "" && failed != "clFinish";
    if (lost && code == kLost) CHECK(!pool_.in_use(device));
    CHECK(pool_.in_use(1 - device));
    return lost;
  }
  const Pool& pool() const { return pool_; }
  std::vector<Float> call() {
    data_ = x_;
    std::fill(y_.begin(), y_.end(), Float(0));
    if (way_.in_place()) {
      plan_.forward(data_);
      return data_;
    }
    plan_.forward(data_, y_);
    return data_ == x_ ? y_ : std::vector<Float>(x_.size(), Float(1e9f));
  }
  bool is_right(const std::vector<Float>& y) const {
    return test::relative_error<float, float>(std::span<const Float>(y), std::span(right_)) < 1e-6;
  }

 private:
  Way way_;
  Pool pool_;
  HostPlan plan_;
  std::vector<Float> x_, right_, data_, y_;  // the arrays of the calls stay at the same place
  std::vector<Pinned> pins_;
};

/// Devices copy the arrays, only the first device copies, or all work on them in place.
enum class Placing { by_copies, first_by_copies, there };

std::vector<Way> ways() {
  // There are many pieces, so that both devices get some.
  const Transform lines{.lengths = {60}, .batch = 900}, plane{.lengths = {480, 40}};
  const auto in_place = [](Transform transform) {
    transform.placement = Placement::in_place;
    return transform;
  };
  // It is large enough that CPUs take slices of it in place.
  const Transform many{.lengths = {1 << 12}, .batch = 500};
  // Pieces return in several parts, so that a device may be lost when half of a piece is
  // overwritten.
  const Transform large{.lengths = {1 << 12}, .batch = 1500};
  std::vector<Way> all;
  const auto add = [&](const char* name, Placing placing, Transform transform,
                       std::size_t limit = 0) {
    all.push_back({name, {.copies = placing != Placing::there}, std::move(transform), limit});
    if (placing == Placing::first_by_copies) all.back().pool.only = {0};
  };
  using enum Placing;
  add("slices by copies", by_copies, lines, 6000);
  add("slices by copies, in place", by_copies, in_place(lines), 6000);
  add("passes", by_copies, plane, 6000);
  add("passes, in place", by_copies, in_place(plane), 6000);
  add("copies and the caller's memory", first_by_copies, lines, 6000);
  add("the whole by copies", by_copies, lines);
  add("the whole by copies, in place", by_copies, in_place(lines));
  add("the whole where it lies", there, lines);
  add("the whole where it lies, in place", there, in_place(lines));
  add("slices where they lie", there, many);
  add("slices where they lie, in place", there, in_place(many));
  add("large slices by copies", by_copies, large);
  add("large slices by copies, in place", by_copies, in_place(large));
  return all;
}

std::vector<Way> pinned_ways() {
  const Transform lines{.lengths = {60}, .batch = 900};
  const Transform rows{.lengths = {32, 16384}};  // rows of 16 KiB and more
  Transform there = lines;
  there.placement = Placement::in_place;
  std::vector<Way> all;
  const auto add = [&](const char* name, Transform transform, std::size_t limit) {
    all.push_back({name, {.copies = true}, std::move(transform), limit, true});
  };
  add("slices that are pinned", lines, 6000);
  add("slices that are pinned, in place", there, 6000);
  add("rows that are pinned", rows, std::size_t{3} << 20);
  return all;
}

TEST_CASE("a device is lost in the middle of a call", "[lost]") {
  auto all = ways();
  for (Way& way : pinned_ways()) all.push_back(std::move(way));
  for (const Way& way : all) {
    std::size_t lost = 0;
    // On a busy machine one device may take all pieces of each of these calls.
    for (int turn = 0; turn < kMostTurns && lost == 0; ++turn) {
      for (const std::size_t device : {0, 1}) {
        for (const std::uint64_t at : {1, 2, 3, 6, 12, 20, 27, 34, 41, 48, 200})
          lost += Trial(way).lose(device, at);
      }
    }
    CAPTURE(way.name);
    CHECK(lost > 0);
  }
}

/// Returns a trial in which device 1 failed at its first call while there was work. Each free
/// device takes the next piece, so on a busy machine device 0 may take all of them before the other
/// thread runs.
std::unique_ptr<Trial> with_device_1_lost(int code = kLost) {
  for (int turn = 0; turn < kMostTurns; ++turn) {
    auto trial = std::make_unique<Trial>(ways().front());
    if (trial->lose(1, 1, code)) return trial;
  }
  FAIL("device 1 had no piece of any call");
  return nullptr;
}

TEST_CASE("the log names a device that is left out", "[lost]") {
  Lines lines;
  with_device_1_lost();
  CHECK_THAT(lines.text(),
             ContainsSubstring("device 1 of a pool of 2 is not used for this call and "
                               "later ones: "));
}

TEST_CASE("a device without memory is left out of one call", "[lost]") {
  Lines lines;
  const auto trial = with_device_1_lost(CL_MEM_OBJECT_ALLOCATION_FAILURE);
  CHECK(trial->pool().in_use(1));
  CHECK_THAT(lines.text(),
             ContainsSubstring("device 1 of a pool of 2 is not used for this call: "));
}

TEST_CASE("a call fails where every device does, and none is left out for it", "[lost]") {
  for (const Way& way : ways()) {
    CAPTURE(way.name);
    Trial trial(way);
    {
      const Live scope;
      arm(1, Extent::all, kLost);
      CHECK_THROWS_AS(trial.call(), DeviceError);
      disarm();
    }
    CHECK(trial.is_right(trial.call()));
    CHECK(trial.pool().in_use(0));
    CHECK(trial.pool().in_use(1));
  }
}

TEST_CASE("a device that a pool has excluded makes no plans and gets no share", "[lost]") {
  const auto trial = with_device_1_lost();
  const Live scope;
  faults::lose(trial->pool().context(1)(), 1, kLost);
  const HostPlan plan(trial->pool(), {.lengths = {30}, .batch = 9});
  CHECK(first_failed() == std::string());
  disarm();
  const MultiDevicePlan dealt(trial->pool(), {.lengths = {30}, .batch = 9});
  CHECK(dealt.shares() == std::vector<std::size_t>{9, 0});
}

}  // namespace
}  // namespace imago::faults
