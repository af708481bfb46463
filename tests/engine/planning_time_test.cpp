// This file plans random transforms and options, including very bad ones, without running them.
// Every plan or rejection must come soon. The limit applies to the thread's CPU time, so that a
// busy machine changes nothing.
#include <ctime>

#include <random>

#include "engine/composition.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

namespace imago {
namespace {

/// 0.2 s and a margin for slow machines and for builds with sanitizers.
constexpr double kMostSeconds = 1;

double thread_seconds() {
  struct timespec now {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double planning_seconds(const Transform& transform, const device::Facts& facts,
                        const Options& options) {
  const double before = thread_seconds();
  try {
    engine::decide(transform, facts, options);
  } catch (const InvalidArgument&) {
  } catch (const Unsupported&) {
  }
  return thread_seconds() - before;
}

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  Transform transform() {
    Transform t;
    t.precision = one_of({Precision::f16, Precision::f32, Precision::f64});
    t.placement = one_of({Placement::out_of_place, Placement::in_place});
    t.norm = one_of({Norm::backward, Norm::ortho});
    t.directions = one_of({Directions::both, Directions::forward, Directions::inverse});
    const std::size_t rank = 1 + below(one_of({1u, 1u, 3u, 6u}));
    t.lengths.resize(rank);
    const bool short_ones = below(2) == 0;
    for (auto& n : t.lengths) n = short_ones ? 1 + below(64) : length(62);
    t.batch = one_of({std::size_t{1}, 1 + below(1000), length(62)});
    if (below(3) == 0) {
      t.axes.resize(rank);
      for (auto& kind : t.axes) kind = any_kind();
    } else {
      t.kind = below(2) == 0 ? Kind::complex : any_kind();
    }
    if (below(4) == 0) t.signal = layout(t);
    if (below(4) == 0) t.spectrum = layout(t);
    fit(t);
    return t;
  }

  Options options() {
    Options options;
    options.profiles = false;
    if (below(4) == 0) options.scratch.limit = length(40);
    auto& p = options.parameters;
    if (below(2) == 0) return options;
    p.mapping = one_of({Mapping::automatic, Mapping::work_group, Mapping::vector});
    p.algorithm = one_of({Algorithm::automatic, Algorithm::single, Algorithm::hierarchy,
                          Algorithm::global, Algorithm::rader, Algorithm::bluestein});
    p.launches = one_of({Launches::automatic, Launches::one, Launches::several});
    p.kernels.resize(below(3) == 0 ? below(4) : 0);
    for (auto& kernel : p.kernels) {
      kernel.length = below(4) == 0 ? 0 : length(one_of({6u, 12u, 62u}));
      if (below(4) == 0) kernel.radices = {static_cast<unsigned>(length(10))};
      if (below(4) == 0) kernel.columns = static_cast<unsigned>(length(32));
      if (below(4) == 0) kernel.items = static_cast<unsigned>(length(32));
      if (below(4) == 0) kernel.lanes = static_cast<unsigned>(length(6));
    }
    return options;
  }

  const device::Facts& facts() {
    static const std::vector<device::Facts> all = [] {
      std::vector<device::Facts> all{test::wide_cpu(), test::large_gpu(), test::small_gpu()};
      all.push_back(test::large_gpu());
      all.back().waiting = "CL2.0";
      return all;
    }();
    return all[below(all.size())];
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  template <class T>
  T one_of(std::initializer_list<T> all) {
    return all.begin()[below(all.size())];
  }
  Kind any_kind() {
    return one_of({Kind::complex, Kind::real, Kind::dct1, Kind::dct2, Kind::dct3, Kind::dct4,
                   Kind::dst1, Kind::dst2, Kind::dst3, Kind::dst4, Kind::identity});
  }
  /// Returns a length of up to `bits` bits: powers, their neighbours, products of small primes, and
  /// primes.
  std::size_t length(unsigned bits) {
    static constexpr std::size_t kNasty[] = {
        31,      127,       8191,      65537,      131071,     1000003,       999999937,
        524287,  7919 * 31, 735134400, 2147483647, 4294967291, 4294967295,    3486784401,
        1048573, 961748941, 999983,    510510,     1073741789, 1000000000039, 2305843009213693951};
    const std::size_t most = std::size_t{1} << (1 + below(bits));
    switch (below(4)) {
      case 0:
        return most;
      case 1:
        return std::max<std::size_t>(1, most + below(3) - 1);
      case 2:
        return 1 + below(most);
      default:
        return kNasty[below(std::size(kNasty))] % (std::size_t{1} << bits) + below(2);
    }
  }
  Layout layout(const Transform& t) {
    Layout layout;
    for (std::size_t i = 0; i < t.lengths.size(); ++i) layout.strides.push_back(length(20));
    if (below(2) == 0) {  // as packed, in another order
      std::size_t next = 1;
      for (std::size_t i = 0; i < t.lengths.size(); ++i) {
        layout.strides[i] = next;
        next *= t.lengths[i] + below(2);
      }
      layout.distance = next;
    } else {
      layout.distance = length(30);
    }
    return layout;
  }
  /// Most transforms are not larger than the memory of real devices.
  void fit(Transform& t) {
    if (below(4) == 0) return;
    for (int turn = 0; turn < 64; ++turn) {
      long double points = static_cast<long double>(t.batch);
      for (const auto n : t.lengths) points *= static_cast<long double>(n);
      if (points < 0x1p58L) return;
      auto& n = below(3) == 0 ? t.batch : t.lengths[below(t.lengths.size())];
      n = 1 + n / (2 + below(2000));
    }
  }

  std::mt19937_64 random_;
};

std::string shown(const Transform& t, const device::Facts& facts, const Options& options) {
  std::string text = facts.name + ", lengths";
  for (const auto n : t.lengths) text += " " + std::to_string(n);
  text += ", batch " + std::to_string(t.batch) + ", kinds";
  for (const auto kind : t.axes) text += " " + std::to_string(static_cast<int>(kind));
  text += " (" + std::to_string(static_cast<int>(t.kind)) + "), precision " +
          std::to_string(static_cast<int>(t.precision)) + ", algorithm " +
          std::to_string(static_cast<int>(options.parameters.algorithm)) + ", kernels";
  for (const auto& kernel : options.parameters.kernels) text += " " + std::to_string(kernel.length);
  return text + ", limit " + std::to_string(options.scratch.limit) +
         (t.signal.strides.empty() && t.spectrum.strides.empty() ? "" : ", strides") +
         (t.placement == Placement::in_place ? ", in place" : "");
}

TEST_CASE("planning takes no longer for a large batch", "[engine][planning]") {
  Transform t;
  t.lengths = {28, 65536, 10};
  t.precision = Precision::f16;
  for (const std::size_t batch : {std::size_t{100000007}, std::size_t{4000000000}}) {
    t.batch = batch;
    for (const auto& facts : {test::wide_cpu(), test::small_gpu(), test::large_gpu()}) {
      CAPTURE(batch, facts.name);
      CHECK(planning_seconds(t, facts, {}) < kMostSeconds);
    }
  }
}

TEST_CASE("Bluestein's algorithm does not take length 1", "[engine][planning]") {
  Transform t;
  t.lengths = {1};
  Options options;
  options.parameters.algorithm = Algorithm::bluestein;
  CHECK_THROWS_AS(engine::decide(t, test::wide_cpu(), options), InvalidArgument);
  CHECK(planning_seconds(t, test::wide_cpu(), options) < kMostSeconds);
}

TEST_CASE("planning takes a moment, whatever is asked for", "[engine][planning]") {
  const char* wish = std::getenv("IMAGO_TEST_PLANS");
  const unsigned plans = wish ? static_cast<unsigned>(std::stoul(wish)) : 1000;
  const char* first = std::getenv("IMAGO_TEST_SEED");
  const unsigned begin = first ? static_cast<unsigned>(std::stoul(first)) : 1;
  for (unsigned seed = begin; seed < begin + plans; ++seed) {
    Draw draw(seed);
    const auto transform = draw.transform();
    const auto options = draw.options();
    const auto& facts = draw.facts();
    INFO("seed " << seed << ": " << shown(transform, facts, options));
    const double seconds = planning_seconds(transform, facts, options);
    if (seconds >= kMostSeconds) CHECK(seconds < kMostSeconds);
    if (wish && seconds > 0.05)
      std::printf("%.3f s, seed %u: %s\n", seconds, seed, shown(transform, facts, options).c_str());
  }
}

}  // namespace
}  // namespace imago
