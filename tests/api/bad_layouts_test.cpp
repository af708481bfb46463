// This file checks the arrays of calls with strides, planar or real data. Every buffer that is one
// element too small, has the wrong storage or overlaps another is rejected before anything is
// enqueued.
#include <optional>

#include "api/support.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

using test::ContainsSubstring;

/// Returns four rows of six, three times, with gaps everywhere: signal and spectrum end at 189 and
/// 207.
Transform spaced_rows() {
  Transform t;
  t.lengths = {4, 6};
  t.batch = 3;
  t.signal = {.strides = {10, 1}, .distance = 70, .offset = 13};
  t.spectrum = {.strides = {2, 9}, .distance = 70, .offset = 15};
  return t;
}
constexpr std::size_t kSignalEnd = 13 + 2 * 70 + 3 * 10 + 5 + 1;
constexpr std::size_t kSpectrumEnd = 15 + 2 * 70 + 3 * 2 + 5 * 9 + 1;
constexpr float kFill = 7;

/// A plan, and buffers of numbers (a complex element is two) that a wrong call must not change.
class Bench : public test::Device {
 public:
  /// Does nothing if imago does not support the transform.
  explicit Bench(const Transform& transform) {
    try {
      plan_.emplace(context, device, transform);
    } catch (const Unsupported& error) {
      WARN("nothing to see yet: " << error.what());
    }
  }
  bool ready() const { return plan_.has_value(); }
  const Plan& plan() const { return *plan_; }

  cl::Buffer numbers(std::size_t count) {
    buffers_.push_back(upload(std::vector<float>(count, kFill)));
    return buffers_.back();
  }
  bool untouched() const {
    for (const cl::Buffer& buffer : buffers_) {
      const auto count = buffer.getInfo<CL_MEM_SIZE>() / sizeof(float);
      if (download<float>(buffer, count) != std::vector<float>(count, kFill)) return false;
    }
    return true;
  }
  void refused(const Array& signal, const Array& spectrum, const char* text) const {
    CAPTURE(text);
    CHECK_THROWS_AS(plan_->forward(queue, signal, spectrum), InvalidArgument);
    CHECK_THROWS_WITH(plan_->forward(queue, signal, spectrum), ContainsSubstring(text));
    CHECK_THROWS_AS(plan_->inverse(queue, spectrum, signal), InvalidArgument);
    CHECK(untouched());
  }

 private:
  std::optional<Plan> plan_;
  std::vector<cl::Buffer> buffers_;
};

TEST_CASE("buffers that hold all elements but the last", "[api][bad]") {
  Bench bench(spaced_rows());
  REQUIRE(bench.ready());
  CHECK(bench.plan().signal_bytes() == 8 * kSignalEnd);
  CHECK(bench.plan().spectrum_bytes() == 8 * kSpectrumEnd);
  const auto signal = bench.numbers(2 * kSignalEnd), spectrum = bench.numbers(2 * kSpectrumEnd),
             small_signal = bench.numbers(2 * kSignalEnd - 2),
             small_spectrum = bench.numbers(2 * kSpectrumEnd - 2);
  bench.refused(small_signal, spectrum, "signal is ");
  bench.refused(signal, small_spectrum, "spectrum is ");
  bench.refused({signal, 1}, spectrum, "signal is ");
  bench.refused(signal, {spectrum, 1}, "spectrum is ");
  bench.refused({signal, ~std::size_t{0}}, spectrum, "signal is ");
  bench.refused(signal, {spectrum, ~std::size_t{0} / 8}, "spectrum is ");
  CHECK_NOTHROW(test::forward(bench.plan(), bench.queue, signal, spectrum).wait());
}

TEST_CASE("strided ranges that overlap out of place", "[api][bad]") {
  Bench bench(spaced_rows());
  REQUIRE(bench.ready());
  const auto both = bench.numbers(2 * (kSignalEnd + kSpectrumEnd));
  bench.refused(both, both, "overlap");
  // The spectrum's offset comes before its first element.
  bench.refused(both, {both, kSignalEnd - 15 - 1}, "overlap");
  bench.refused({both, kSpectrumEnd - 13 - 1}, both, "overlap");
  CHECK_NOTHROW(test::forward(bench.plan(), bench.queue, both, {both, kSignalEnd - 15}).wait());
}

TEST_CASE("strided data in place", "[api][bad]") {
  auto t = spaced_rows();
  t.placement = Placement::in_place;
  t.spectrum = t.signal;
  Bench bench(t);
  REQUIRE(bench.ready());
  const auto data = bench.numbers(2 * kSignalEnd), small = bench.numbers(2 * kSignalEnd - 2);
  CHECK_THROWS_AS(bench.plan().forward(bench.queue, small), InvalidArgument);
  CHECK_THROWS_AS(bench.plan().inverse(bench.queue, {data, 1}), InvalidArgument);
  bench.refused(data, small, "place");
  CHECK_THROWS_AS(bench.plan().forward(bench.queue, Array::planar(data, small)), InvalidArgument);
  CHECK(bench.untouched());
}

TEST_CASE("planar arrays for interleaved data", "[api][bad]") {
  Bench bench(spaced_rows());
  REQUIRE(bench.ready());
  const auto one = bench.numbers(2 * kSpectrumEnd), two = bench.numbers(2 * kSpectrumEnd),
             three = bench.numbers(2 * kSpectrumEnd);
  bench.refused(Array::planar(one, two), three, "signal is planar");
  bench.refused(one, Array::planar(two, three), "spectrum is planar");
}

TEST_CASE("plans reject arrays that do not fit planar storage", "[api][bad]") {
  auto t = spaced_rows();
  t.signal.storage = t.spectrum.storage = Storage::planar;
  Bench bench(t);
  if (!bench.ready()) return;
  CHECK(bench.plan().signal_bytes() == 4 * kSignalEnd);  // size of each buffer
  const auto re = bench.numbers(kSignalEnd), im = bench.numbers(kSignalEnd),
             out_re = bench.numbers(kSpectrumEnd), out_im = bench.numbers(kSpectrumEnd),
             small = bench.numbers(kSignalEnd - 1), small_out = bench.numbers(kSpectrumEnd - 1),
             large = bench.numbers(2 * kSpectrumEnd);
  const Array in = Array::planar(re, im), out = Array::planar(out_re, out_im);
  bench.refused(large, out, "signal is without a buffer of imaginary parts; it must be planar");
  bench.refused(in, large, "spectrum is without a buffer of imaginary parts");
  bench.refused(Array::planar(re, small), out, "signal.im");
  bench.refused(Array::planar(small, im), out, "signal.re");
  bench.refused(in, Array::planar(out_re, small_out), "spectrum.im");
  bench.refused(in, Array::planar(small_out, out_im), "spectrum.re");
  bench.refused(Array::planar(re, im, 1), out, "signal");
  bench.refused(Array::planar(re, cl::Buffer()), out, "signal");
  bench.refused(Array::planar(cl::Buffer(), im), out, "signal.re is null");
  bench.refused(Array::planar(re, out_im), out, "overlap");
  bench.refused(Array::planar(out_im, im), out, "overlap");
  // One buffer cannot hold both parts of a result.
  CHECK_THROWS_WITH(bench.plan().forward(bench.queue, in, Array::planar(large, large)),
                    ContainsSubstring("spectrum.im is bytes 60 to ") &&
                        ContainsSubstring("must not overlap spectrum.re"));
  const test::Device other;
  const auto foreign = other.upload(std::vector<float>(2 * kSpectrumEnd));
  bench.refused(Array::planar(re, foreign), out, "signal");
  bench.refused(in, Array::planar(out_re, foreign), "spectrum");
  CHECK_NOTHROW(test::forward(bench.plan(), bench.queue, in, out).wait());
}

TEST_CASE("planar parts whose flags do not allow the access", "[api][bad]") {
  auto t = spaced_rows();
  t.spectrum.storage = Storage::planar;
  Bench bench(t);
  if (!bench.ready()) return;
  const auto in = bench.numbers(2 * kSignalEnd), re = bench.numbers(kSpectrumEnd);
  const cl::Buffer only_read(bench.context, CL_MEM_READ_ONLY, 4 * kSpectrumEnd);
  CHECK_THROWS_AS(bench.plan().forward(bench.queue, in, Array::planar(re, only_read)),
                  InvalidArgument);
  CHECK(bench.untouched());
}

TEST_CASE("buffers of real data that are a number too small", "[api][bad]") {
  Transform t;
  t.kind = Kind::real;
  t.lengths = {4, 6};
  t.batch = 3;
  Bench bench(t);
  if (!bench.ready()) return;
  constexpr std::size_t kReals = 3 * 4 * 6, kHalf = 3 * 4 * 4;
  CHECK(bench.plan().signal_bytes() == 4 * kReals);
  CHECK(bench.plan().spectrum_bytes() == 8 * kHalf);
  const auto signal = bench.numbers(kReals), small_signal = bench.numbers(kReals - 1),
             spectrum = bench.numbers(2 * kHalf), small_spectrum = bench.numbers(2 * kHalf - 1);
  bench.refused(small_signal, spectrum, "signal is ");
  bench.refused({signal, 1}, spectrum, "signal is ");
  bench.refused(signal, small_spectrum, "spectrum is ");
  bench.refused(signal, {spectrum, 1}, "spectrum is ");
  bench.refused(signal, Array::planar(spectrum, small_spectrum), "spectrum is planar");
  CHECK_NOTHROW(test::forward(bench.plan(), bench.queue, signal, spectrum).wait());
}

TEST_CASE("buffers of real data in place need the padding", "[api][bad]") {
  Transform t;
  t.kind = Kind::real;
  t.lengths = {4, 6};
  t.placement = Placement::in_place;
  Bench bench(t);
  if (!bench.ready()) return;
  const auto unpadded = bench.numbers(4 * 6), small = bench.numbers(4 * 8 - 1);
  for (const auto& buffer : {unpadded, small}) {
    CHECK_THROWS_AS(bench.plan().forward(bench.queue, buffer), InvalidArgument);
    CHECK_THROWS_AS(bench.plan().inverse(bench.queue, buffer), InvalidArgument);
  }
  CHECK(bench.untouched());
  CHECK(bench.plan().signal_bytes() == 4 * 4 * 8);
  CHECK(bench.plan().spectrum_bytes() == 4 * 4 * 8);
  const auto needed = estimate(bench.device, t);
  CHECK((needed.signal_bytes == 4 * 4 * 8 && needed.spectrum_bytes == 4 * 4 * 8));
  const auto large = bench.allocate(bench.plan().signal_bytes());
  CHECK_NOTHROW(test::forward(bench.plan(), bench.queue, large).wait());
  CHECK_NOTHROW(bench.plan().inverse(bench.queue, large));
  bench.queue.finish();
}

}  // namespace
}  // namespace imago
