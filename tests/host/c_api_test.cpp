// This file checks imago.h beyond the C program (tests/capi): layouts and kinds against the C++
// API, each status, structs of other versions, threads.
#include <imago/imago.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>

#include "api/support.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

using test::ContainsSubstring;

struct Destroy {
  void operator()(imago_plan* plan) const { imago_plan_destroy(plan); }
};
using PlanOfC = std::unique_ptr<imago_plan, Destroy>;

PlanOfC plan_of(const imago_transform& transform) {
  imago_plan* plan = nullptr;
  INFO(imago_last_error());
  CHECK(imago_plan_create(&transform, nullptr, &plan) == IMAGO_SUCCESS);
  return PlanOfC(plan);
}

TEST_CASE("in place either size is the array's", "[host][c]") {
  constexpr std::size_t kLength = 50;
  imago_transform t = imago_transform_of(1, &kLength);
  t.kind = IMAGO_REAL;
  t.placement = IMAGO_IN_PLACE;
  const auto plan = plan_of(t);
  CHECK(imago_signal_bytes(plan.get()) == 208);
  CHECK(imago_spectrum_bytes(plan.get()) == 208);
  const HostPlan same(Pool({find_device()}),
                      {.kind = Kind::real, .lengths = {kLength}, .placement = Placement::in_place});
  CHECK((same.signal_bytes() == 208 && same.spectrum_bytes() == 208));
  std::vector<float> x(imago_signal_bytes(plan.get()) / sizeof(float), 1.0f);
  CHECK(imago_execute_forward(plan.get(), x.data(), x.data()) == IMAGO_SUCCESS);
  CHECK(x[0] == 50.0f);
}

/// Checks that an impossible transform is rejected.
void check_refused(const imago_transform& transform, imago_status status, const std::string& text,
                   const imago_options* options = nullptr) {
  int anything = 0;
  auto* plan = reinterpret_cast<imago_plan*>(&anything);
  CHECK(imago_plan_create(&transform, options, &plan) == status);
  CHECK(plan == nullptr);
  CHECK_THAT(imago_last_error(), ContainsSubstring(text));
}

constexpr std::size_t kLengths[] = {6, 4};
constexpr auto kNan = std::numeric_limits<double>::quiet_NaN();

TEST_CASE("a transform of C is the one of C++", "[host][c]") {
  // Rows of 7 and of 9 real numbers, with gaps between members and an offset.
  const imago_kind kinds[] = {IMAGO_DCT2, IMAGO_DST3};
  const std::size_t from_strides[] = {7, 1}, to_strides[] = {9, 2};
  imago_transform t = imago_transform_of(2, kLengths);
  t.axes = kinds;
  t.batch = 3;
  t.norm = IMAGO_ORTHO;
  t.precision = IMAGO_F64;
  t.signal = {from_strides, 50, 2};
  t.spectrum = {to_strides, 60, 3};
  Transform same{.axes = {Kind::dct2, Kind::dst3}, .precision = Precision::f64};
  same.lengths = {6, 4};
  same.batch = 3;
  same.norm = Norm::ortho;
  same.signal = {{7, 1}, 50, 2};
  same.spectrum = {{9, 2}, 60, 3};
  const auto plan = plan_of(t);
  const HostPlan other(Pool({find_device()}), same);
  REQUIRE(imago_signal_bytes(plan.get()) == other.signal_bytes());
  REQUIRE(imago_spectrum_bytes(plan.get()) == other.spectrum_bytes());
  std::vector<double> x(other.signal_bytes() / 8), y(other.spectrum_bytes() / 8, 7), z = y;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i * i));
  CHECK(imago_execute_forward(plan.get(), x.data(), y.data()) == IMAGO_SUCCESS);
  other.forward(x, z);
  CHECK(y == z);
  CHECK(y[4] == 7);  // between elements
  std::vector<double> back = x;
  CHECK(imago_execute_inverse(plan.get(), y.data(), back.data()) == IMAGO_SUCCESS);
  CHECK(test::distance(back, x) < 1e-14);
}

TEST_CASE("factors, directions and the device of a transform of C", "[host][c]") {
  imago_transform t = imago_transform_of(1, kLengths);
  t.forward_scale = 10, t.inverse_scale = 1;
  t.directions = IMAGO_ONLY_FORWARD;
  imago_options options = imago_default_options();
  options.device = "0";
  options.memory_limit = std::size_t{1} << 20;
  options.deterministic = 1;
  imago_plan* made = nullptr;
  REQUIRE(imago_plan_create(&t, &options, &made) == IMAGO_SUCCESS);
  const PlanOfC plan(made);
  std::vector<std::complex<float>> x(6, 1.0f), y(6);
  CHECK(imago_execute_forward(plan.get(), x.data(), y.data()) == IMAGO_SUCCESS);
  CHECK(y[0] == 60.0f);
  CHECK(imago_execute_inverse(plan.get(), y.data(), x.data()) == IMAGO_INVALID_ARGUMENT);
  CHECK_THAT(imago_last_error(), ContainsSubstring("inverse() was not compiled"));
  CHECK(imago_execute_forward(plan.get(), x.data(), x.data()) == IMAGO_INVALID_ARGUMENT);
  CHECK_THAT(imago_last_error(), ContainsSubstring("must not overlap"));
  options.device = "no such device";
  check_refused(t, IMAGO_INVALID_ARGUMENT, "no such device", &options);
  const std::string endless(10'000'000, 'x');
  options.device = endless.c_str();
  check_refused(t, IMAGO_INVALID_ARGUMENT, "xxxx", &options);
  CHECK(std::strlen(imago_last_error()) < 5000);
}

TEST_CASE("each mistake in a transform of C has its status and its text", "[host][c]") {
  const auto with = [](const auto& change) {
    imago_transform t = imago_transform_of(2, kLengths);
    change(t);
    return t;
  };
  const auto refused = [&](const auto& change, const std::string& text) {
    check_refused(with(change), IMAGO_INVALID_ARGUMENT, text);
  };
  const auto number = [](auto& field, int value) { std::memcpy(&field, &value, sizeof value); };
  refused([](auto& t) { t.size = 8; },
          "transform.size is 8; it must be at least sizeof(imago_transform)");
  refused([](auto& t) { t.lengths = nullptr; }, "lengths is null; give a pointer");
  refused([](auto& t) { t.dimensions = 0; }, "the size of lengths is 0");
  refused([](auto& t) { t.dimensions = SIZE_MAX; },
          "dimensions is 18446744073709551615; it must be at most 64");
  refused([&](auto& t) { number(t.kind, 11); },
          "kind is 11; it must be one of 0 (complex), 1 (real), 2 (dct1)");
  refused([&](auto& t) { number(t.precision, 3); },
          "precision is 3; it must be one of 0 (f32), 1 (f64), 2 (f16)");
  refused([&](auto& t) { number(t.placement, 2); },
          "placement is 2; it must be one of 0 (out_of_place), 1 (in_place)");
  refused([&](auto& t) { number(t.directions, 3); },
          "directions is 3; it must be one of 0 (both), 1 (forward)");
  refused([&](auto& t) { number(t.norm, 4); },
          "norm is 4; it must be one of 0 (backward), 1 (ortho), 2 (forward), 3 (none)");
  refused([](auto& t) { t.inverse_scale = kNan; }, "scale.forward is 0");
  refused([](auto& t) { t.batch = SIZE_MAX / 2; }, "must fit 64-bit addresses");
  check_refused(with([](auto& t) { t.signal.strides = kLengths; }), IMAGO_INVALID_ARGUMENT,
                "results would overlap");
  imago_options old = imago_default_options();
  old.size = 0;
  check_refused(with([](auto&) {}), IMAGO_INVALID_ARGUMENT, "options.size is 0", &old);
}

TEST_CASE("null pointers are refused", "[host][c]") {
  const imago_transform t = imago_transform_of(1, kLengths);
  imago_plan* made = nullptr;
  CHECK(imago_plan_create(nullptr, nullptr, &made) == IMAGO_INVALID_ARGUMENT);
  CHECK_THAT(imago_last_error(), ContainsSubstring("transform is null"));
  CHECK(imago_plan_create(&t, nullptr, nullptr) == IMAGO_INVALID_ARGUMENT);
  CHECK(imago_signal_bytes(nullptr) + imago_spectrum_bytes(nullptr) == 0);
  const auto plan = plan_of(t);
  float x[12] = {};
  CHECK(imago_execute_forward(nullptr, x, x) == IMAGO_INVALID_ARGUMENT);
  CHECK(imago_execute_forward(plan.get(), x, nullptr) == IMAGO_INVALID_ARGUMENT);
  CHECK(imago_execute_inverse(plan.get(), nullptr, x) == IMAGO_INVALID_ARGUMENT);
  imago_layout layout;
  CHECK(imago_plan_layout(nullptr, IMAGO_SIGNAL, &layout) == IMAGO_INVALID_ARGUMENT);
  CHECK(imago_plan_layout(plan.get(), IMAGO_SIGNAL, nullptr) == IMAGO_INVALID_ARGUMENT);
}

TEST_CASE("a later version's struct is taken while its new fields are 0", "[host][c]") {
  struct Later {
    imago_transform transform;
    std::size_t new_field;
  } later{imago_transform_of(1, kLengths), 0};
  later.transform.size = sizeof later;
  CHECK(plan_of(later.transform) != nullptr);
  later.new_field = 1;
  check_refused(later.transform, IMAGO_UNSUPPORTED, "does not know");
}

TEST_CASE("each thread has its own last error, and shares plans", "[host][c][threads]") {
  const auto plan = plan_of(imago_transform_of(1, kLengths));
  check_refused(imago_transform_of(0, nullptr), IMAGO_INVALID_ARGUMENT, "lengths");
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      std::string before = imago_last_error();
      std::vector<std::complex<float>> x(6, 1.0f), y(6);
      bool right = true;
      for (int round = 0; round < 20; ++round)
        right = right && imago_execute_forward(plan.get(), x.data(), y.data()) == IMAGO_SUCCESS &&
                y[0] == 6.0f;
      right = right && imago_execute_forward(nullptr, x.data(), y.data()) != IMAGO_SUCCESS;
      const bool said = std::string(imago_last_error()).find("plan is null") == 0;
      static std::mutex catch_is_for_one_thread;
      const std::lock_guard lock(catch_is_for_one_thread);
      CHECK(before.empty());
      CHECK(right);
      CHECK(said);
    });
  threads.clear();
  CHECK_THAT(imago_last_error(), ContainsSubstring("lengths"));
}

}  // namespace
}  // namespace imago
