// This file checks transforms that devices compute in pieces: batches divided into members and,
// with a memory limit, single transforms out of core, down to one row.
#include "host/support.hpp"
#include "support/catch.hpp"
#include "support/naive.hpp"
#include "support/variable.hpp"

namespace imago {
namespace {

using catalogue::Verdict;
using test::verify_on_host;

Pool copying() {
  return Pool(test::default_device().context, test::default_device().device, {.copies = true});
}

/// Checks the case with a memory limit in bytes. The description of its plan must contain `says`.
void check(const std::string& name, std::size_t limit, const std::string& says = {}) {
  const test::HostWay way{copying(), {.memory_limit = limit}};
  const auto outcome = verify_on_host(name, way);
  const HostPlan plan(way.pool, catalogue::parse(name).transform(), way.options);
  INFO(name << ", " << limit << " bytes: " << outcome.detail << "\n" << plan.describe());
  CHECK(outcome.verdict == Verdict::passed);
  CHECK(plan.describe().find(says) != std::string::npos);
}

TEST_CASE("a batch goes through a device that holds some of its members", "[host][pieces]") {
  check("60*37-f32-out-forward-none", 8 * 60 * 2 * 3 * 5, "pass 1 of 1: ");
  check("60*37-f64-in-inverse-backward", 16 * 60 * 3 * 5);
  check("12x10*9-f32-out-forward-ortho-real", 6000);
  check("12x10*9-f32-in-inverse-backward-real", 6000);
  check("12x10*9-f32-in-forward-none-real", 6000);
  check("64*30-f16-out-forward-ortho", 1600);
  check("16x6*9-f32-out-forward-none-s3+2-t5+7", 8000);  // gaps are left untouched
  check("64*30-f16-out-forward-ortho-t5+7", 3000);       // also where they are copied
  check("24*50-f32-out-forward-none-s0:50/1-t0:50/1", 8 * 24 * 40, "pass 1 of 1: ");
}

TEST_CASE("planning a batch takes as long whatever its size", "[host][pieces]") {
  // A piece per member would take minutes and all memory.
  constexpr std::size_t kMembers = (std::size_t{1} << 36) + 1;
  const auto has_pieces = [](const Transform& transform, const HostOptions& options,
                             const std::string& front, std::size_t count) {
    const HostPlan plan(copying(), transform, options);
    INFO(plan.describe());
    CHECK(plan.describe().find(front + std::to_string(count) + " pieces of shape") !=
          std::string::npos);
  };
  Transform t{.lengths = {48, 64}, .batch = kMembers, .directions = Directions::forward};
  has_pieces(t, {.memory_limit = 8 * 8 * 48 * 64}, "pass 1 of 1: ", kMembers);
  has_pieces(t, {.memory_limit = 40000}, "pass 1 of 2: ", 5 * kMembers);
  t.signal = t.spectrum = {.strides = {70, 1}, .distance = 48 * 70};
  has_pieces(t, {.memory_limit = 8 * 8 * 48 * 64, .leave_gaps = true}, "pass 1 of 1: ", kMembers);
}

TEST_CASE("hooks see pieces as they see the whole", "[host][pieces]") {
  Transform transform{.lengths = {40}, .batch = 30};
  transform.on_forward.load = {hook::zero_outside(0, 3, 30)};
  const auto text = [](const char* factor) {
    return std::string("float2 f(float2 x, const imago_at* at) { return x * (float)(") + factor +
           "); }";
  };
  for (const char* factor : {"at->index[0] + 1", "at->member + 1"}) {
    transform.on_forward.store = {hook::zero_outside(0, 5, 20), hook::code(text(factor), "f")};
    const HostPlan whole(Pool(test::default_device().context, test::default_device().device),
                         transform);
    const bool alike = std::string(factor).find("member") == std::string::npos;
    const HostPlan pieces(copying(), transform, {.memory_limit = alike ? 6000u : 20000u});
    CAPTURE(factor, pieces.describe());
    CHECK((pieces.describe().find("pass 1 of 1: ") != std::string::npos) == alike);
    const auto x = test::random_data<float>(40 * 30, 3);
    std::vector<std::complex<float>> expected(x.size(), 7.0f), found(x.size(), 7.0f);
    whole.forward(x, expected);
    pieces.forward(x, found);
    CHECK(found == expected);
  }
}

TEST_CASE("a transform goes through a device that holds a part of it", "[host][pieces][long]") {
  check("24x20*1-f32-out-forward-none", 2400, "pass 2 of 2: ");
  check("24x20*3-f32-out-inverse-backward", 2400, "pass 2 of 2: ");
  check("24x20*1-f64-in-forward-ortho", 4800, "pass 2 of 2: ");
  check("16x12x20*1-f32-out-forward-none", 8 * 12 * 20 * 5, "pass 2 of 2: ");
  check("16x12x20*1-f32-in-inverse-none", 8 * 20 * 5, "pass 3 of 3: ");
  check("7x9x5x6*1-f32-out-forward-none", 2000);
  check("24x20*1-f32-out-forward-none-s5:44.2/1100-t7:1.31/900", 2400);
}

TEST_CASE("real and cosine axes go out of core", "[host][pieces][long]") {
  for (const char* end :
       {"out-forward-none", "in-forward-ortho", "out-inverse-backward", "in-inverse-none"}) {
    check("24x20*2-f32-" + std::string(end) + "-real", 1600, "pass 2 of 2: ");
    check("9x12x15*1-f64-" + std::string(end) + "-real", 5000);
    check("20x24*2-f32-" + std::string(end) + "-dct2", 1600, "pass 2 of 2: ");
    check("20x24*1-f32-" + std::string(end) + "-axes_C2r", 1600);
    check("12x10x8*1-f32-" + std::string(end) + "-axes_cC4i", 1200);
    check("16x10x8*1-f32-" + std::string(end) + "-axes_S1C3i", 800);
  }
}

TEST_CASE("a long line is computed as columns and rows", "[host][pieces][long]") {
  for (const char* end :
       {"out-forward-none", "in-forward-ortho", "out-inverse-backward", "in-inverse-none"}) {
    check("4096*1-f32-" + std::string(end), 8192, "pass 2 of 2: ");
    check("3600*3-f64-" + std::string(end), 12000, "pass 2 of 2: ");
    check("2000x3*1-f32-" + std::string(end), 6000);
  }
  check("65536*1-f32-out-forward-none", 1 << 16, "pass 2 of 2: ");
  check("15625*1-f64-out-inverse-ortho", 1 << 16, "pass 2 of 2: ");
}

TEST_CASE("so is one of f64 in pairs of f32", "[host][pieces][pairs]") {
  const test::Variable pairs("IMAGO_F64", "pairs");
  for (const char* end : {"out-forward-none", "in-inverse-ortho"})
    check("3600*3-f64-" + std::string(end), 12000, "pass 2 of 2: ");
}

TEST_CASE("a transform that cannot be computed out of core is rejected with the reason",
          "[host][pieces]") {
  const auto refused = [](Transform transform, std::size_t limit) {
    try {
      const HostPlan plan(copying(), transform, {.memory_limit = limit});
      return std::string("computed");
    } catch (const Unsupported& error) {
      return std::string(error.what());
    }
  };
  using test::ContainsSubstring;
  Transform hooked{.lengths = {1000}};
  hooked.on_forward.load = {hook::scale(2)};
  CHECK_THAT(refused(hooked, 2000), ContainsSubstring("hooks"));
  Transform moving{.kind = Kind::real, .lengths = {12}, .batch = 9};
  moving.placement = Placement::in_place;
  moving.spectrum = {.strides = {1},
                     .distance = 16};  // a member overlaps the place that another one had before
  CHECK_THAT(refused(moving, 1000), ContainsSubstring("layouts differ"));
  CHECK_THAT(refused({.precision = Precision::f16, .lengths = {1000}}, 2000),
             ContainsSubstring("f16"));
  CHECK_THAT(refused({.lengths = {1009}}, 2000), ContainsSubstring("2000 bytes"));
  CHECK_THAT(refused({.kind = Kind::real, .lengths = {4096}}, 8192), ContainsSubstring("8192"));
}

}  // namespace
}  // namespace imago
