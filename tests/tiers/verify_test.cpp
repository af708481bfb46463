// This file plants errors between the transform and the comparison: a verifier that misses one
// would pass everything. The host computes with the reference instead of imago, so that all kinds
// of cases are tested.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "catalogue/host_memory.hpp"
#include "catalogue/reference.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace imago;
using namespace imago::catalogue;

namespace {

using Buffers = std::array<cl::Buffer, 2>;
using Place = std::pair<std::size_t, std::uint64_t>;  // part and word

constexpr const char* kCases[] = {
    "64*64-f32-out-forward-none-s1+2-t3+3",
    "8x12*50-f32-out-inverse-backward-real-s3+2-t5:24.2/200",
    "8x12*50-f32-out-forward-ortho-real-s3/40-t0:1.9/100:planar",
    "6x16*3-f32-in-forward-none-real-s6+4",
    "6x16*3-f32-in-inverse-forward-real-s3:11.1/70",
    "4x5x6*7-f32-out-forward-none-axes_cic-s1:1.4.20/130:planar-t2+9",
    "4x5x6*7-f32-in-inverse-none-s1:31.6.1/150:planar",
    "40*50-f32-out-forward-ortho-dct1-s1+2-t3+3",
    "8x8*30-f32-in-inverse-none-axes_C2S3-s1:9.1/80",
    "9x7*30-f64-out-inverse-ortho-axes_S2r-s1+2-t0+3",
    "7x9*30-f32-out-forward-ortho-axes_cC3-s1+2:planar-t0:1.8/75",
    "30*40-f16-out-forward-ortho-s0:40/1-t1+1",
    "4x9*30-f64-out-inverse-ortho-axes_ir-s0:7.1/29:planar-t3+1",
};

template <Precision precision>
class Host {
 public:
  using Wide = typename Stored<precision>::Wide;

  explicit Host(const Case& problem)
      : problem_(problem),
        source_(repeated_side(problem, true, kPooled)),
        target_(repeated_side(problem, false, kPooled)) {}

  /// Computes the transform as imago would.
  void transform(const cl::CommandQueue& queue, const Arrays& arrays) const {
    const auto input = read(queue, arrays.source);
    auto output = read(queue, arrays.target);
    Reference<Wide> reference(problem_);
    for (std::uint64_t member = 0; member < source_.members(); ++member) {
      auto in = reference.input().begin();
      source_.for_each_word(
          member, [&](std::size_t part, std::uint64_t word) { *in++ = input.get(part, word); });
      auto out = reference.run().begin();
      target_.for_each_word(member, [&](std::size_t part, std::uint64_t word) {
        output.set(part, word, *out++ * static_cast<Wide>(problem_.scale()));
      });
    }
    write(queue, arrays.target, output);
  }

  /// Returns numbers of the result: of the first and the last member, from both ends and the
  /// middle.
  std::vector<Place> inside() const {
    std::vector<Place> found;
    for (const std::uint64_t member : {std::uint64_t{0}, target_.members() - 1}) {
      const auto all = words(target_, member);
      for (const std::size_t at : {std::size_t{0}, all.size() / 2, all.size() - 1})
        found.push_back(all[at]);
    }
    return found;
  }
  /// Returns numbers next to the result: from both ends, and the first and the last gap.
  std::vector<Place> outside() const {
    std::set<Place> taken;
    for (const Repeated* side : {&target_, in_place() ? &source_ : nullptr}) {
      for (std::uint64_t member = 0; side != nullptr && member < side->members(); ++member) {
        const auto all = words(*side, member);
        taken.insert(all.begin(), all.end());
      }
    }
    std::vector<Place> found;
    for (std::size_t part = 0; part < target_.parts(); ++part) {
      std::vector<Place> free;
      for (std::uint64_t word = 0; word < target_.words(); ++word) {
        if (taken.count({part, word}) == 0) free.emplace_back(part, word);
      }
      const std::size_t lead = target_.lead * target_.words_per_element(),
                        guard = kGuard * target_.words_per_element();
      REQUIRE(free.size() > lead + guard + 1);
      for (const std::size_t at :
           {std::size_t{0}, lead, free.size() - guard - 1, free.size() - guard, free.size() - 1})
        found.push_back(free[at]);
    }
    return found;
  }
  /// Returns numbers of the source's buffers: data, gaps and ends.
  std::vector<Place> input() const {
    std::vector<Place> found;
    for (std::size_t part = 0; part < source_.parts(); ++part) {
      for (const std::uint64_t word : {std::uint64_t{0}, source_.words() / 2, source_.words() - 1})
        found.emplace_back(part, word);
    }
    return found;
  }
  static void set(const cl::CommandQueue& queue, const Buffers& buffers, Place place, Wide value) {
    const auto word = Stored<precision>::pack(value);
    test::check_call(queue.enqueueWriteBuffer(buffers[place.first], CL_TRUE,
                                              place.second * sizeof word, sizeof word, &word),
                     "clEnqueueWriteBuffer");
  }
  static Wide get(const cl::CommandQueue& queue, const Buffers& buffers, Place place) {
    typename Stored<precision>::Word word;
    test::check_call(queue.enqueueReadBuffer(buffers[place.first], CL_TRUE,
                                             place.second * sizeof word, sizeof word, &word),
                     "clEnqueueReadBuffer");
    return Stored<precision>::unpack(word);
  }
  bool in_place() const { return problem_.placement == Placement::in_place; }

 private:
  static std::vector<Place> words(const Repeated& side, std::uint64_t member) {
    std::vector<Place> all;
    side.for_each_word(member,
                       [&](std::size_t part, std::uint64_t word) { all.emplace_back(part, word); });
    return all;
  }
  static Memory<precision> read(const cl::CommandQueue& queue, const Buffers& buffers) {
    const std::size_t bytes = buffers[0].getInfo<CL_MEM_SIZE>();
    Memory<precision> memory(buffers[1]() == nullptr ? 1 : 2,
                             bytes / sizeof(typename Stored<precision>::Word));
    for (std::size_t part = 0; part < memory.parts(); ++part) {
      test::check_call(
          queue.enqueueReadBuffer(buffers[part], CL_TRUE, 0, bytes, memory.words(part).data()),
          "clEnqueueReadBuffer");
    }
    return memory;
  }
  static void write(const cl::CommandQueue& queue, const Buffers& buffers,
                    const Memory<precision>& memory) {
    for (std::size_t part = 0; part < memory.parts(); ++part) {
      const auto& words = memory.words(part);
      test::check_call(queue.enqueueWriteBuffer(buffers[part], CL_TRUE, 0,
                                                words.size() * sizeof(words[0]), words.data()),
                       "clEnqueueWriteBuffer");
    }
  }

  Case problem_;
  Repeated source_, target_;
};

template <Precision precision>
Outcome outcome_of(const Case& problem, const Verifier::Tamper& tamper) {
  const auto& device = test::default_device();
  const Host<precision> host(problem);
  Verifier verifier(device.context, device.device);
  verifier.replace([&](const auto& queue, const auto& arrays) { host.transform(queue, arrays); });
  verifier.tamper(tamper);
  return verifier.verify(problem);
}

/// Calls check(case, Host) with the host of its precision.
template <class Check>
void for_cases(Check check) {
  for (const auto* name : kCases) {
    const Case problem = parse(name);
    CAPTURE(name);
    switch (problem.precision) {
      case Precision::f16:
        check(problem, Host<Precision::f16>(problem));
        break;
      case Precision::f32:
        check(problem, Host<Precision::f32>(problem));
        break;
      case Precision::f64:
        if (test::default_device().f64()) check(problem, Host<Precision::f64>(problem));
        break;
    }
  }
}

/// Returns the verdict on a call that is right except for one number.
template <Precision precision, class Change>
catalogue::Verdict verdict_after(const Case& problem, const Host<precision>&, bool in_source,
                                 Place place, Change change) {
  return outcome_of<precision>(problem,
                               [&](const auto& queue, const Arrays& arrays) {
                                 const auto& buffers = in_source ? arrays.source : arrays.target;
                                 Host<precision>::set(
                                     queue, buffers, place,
                                     change(Host<precision>::get(queue, buffers, place)));
                               })
      .verdict;
}

}  // namespace

TEST_CASE("The verifier passes imago", "[verifier]") {
  const auto& device = test::default_device();
  const auto outcome = Verifier(device.context, device.device).verify(parse(kCases[0]));
  CHECK(outcome.verdict == catalogue::Verdict::passed);
  CHECK(outcome.error > 0);
  CHECK(outcome.detail.empty());
}

TEST_CASE("The verifier passes what is right", "[verifier]") {
  for_cases([]<Precision precision>(const Case& problem, const Host<precision>&) {
    const auto outcome = outcome_of<precision>(problem, {});
    CHECK(outcome.detail == "");
    CHECK(outcome.verdict == catalogue::Verdict::passed);
    CHECK(outcome.error > 0);  // rounded once
    CHECK(outcome.bound > 0);
  });
}

TEST_CASE("The verifier finds one wrong number in the result", "[verifier]") {
  for_cases([]<Precision precision>(const Case& problem, const Host<precision>& host) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const Place& place : host.inside()) {
      CAPTURE(place.first, place.second);

      CHECK(verdict_after(problem, host, false, place, [](auto x) { return x + 1; }) ==
            catalogue::Verdict::failed);
      CHECK(verdict_after(problem, host, false, place, [=](auto) { return nan; }) ==
            catalogue::Verdict::failed);
    }
  });
}

TEST_CASE("The verifier finds a wrong factor", "[verifier]") {
  for_cases([]<Precision precision>(const Case& problem, const Host<precision>&) {
    Case scaled = problem;  // another factor
    scaled.norm = problem.norm == Norm::ortho ? Norm::none : Norm::ortho;
    const Host<precision> wrong(scaled);
    const auto& device = test::default_device();
    Verifier verifier(device.context, device.device);
    verifier.replace(
        [&](const auto& queue, const auto& arrays) { wrong.transform(queue, arrays); });
    CHECK(verifier.verify(problem).verdict == catalogue::Verdict::failed);
  });
}

TEST_CASE("The verifier finds what is written beside the result", "[verifier]") {
  for_cases([]<Precision precision>(const Case& problem, const Host<precision>& host) {
    for (const Place& place : host.outside()) {
      CAPTURE(place.first, place.second);
      CHECK(verdict_after(problem, host, false, place, [](auto) { return 0; }) ==
            catalogue::Verdict::failed);
    }
  });
}

TEST_CASE("The verifier finds a changed input", "[verifier]") {
  for_cases([]<Precision precision>(const Case& problem, const Host<precision>& host) {
    if (host.in_place()) return;
    for (const Place& place : host.input()) {
      CAPTURE(place.first, place.second);
      CHECK(verdict_after(problem, host, true, place, [](auto) { return 2; }) ==
            catalogue::Verdict::failed);
    }
  });
}

TEST_CASE("The verifier finds an imaginary part where symmetry makes a result real", "[verifier]") {
  const auto after = [](const char* name, std::uint64_t element) {
    const Case problem = parse(name);
    const std::uint64_t first = repeated_side(problem, false, kPooled).start(0);
    return verdict_after(problem, Host<Precision::f32>(problem), false,
                         {0, 2 * (first + element) + 1},
                         [](auto x) { return x == 0 ? 1e-30 : x * (1 + 1e-7); });
  };
  using catalogue::Verdict;
  CHECK(after("40*50-f32-out-forward-none-real", 0) == Verdict::failed);
  CHECK(after("40*50-f32-out-forward-none-real", 20) == Verdict::failed);
  CHECK(after("40*50-f32-out-forward-none-real", 19) == Verdict::passed);
  CHECK(after("2x15*50-f32-in-forward-none-axes_ir", 7) == Verdict::passed);
  CHECK(after("2x15*50-f32-in-forward-none-axes_ir", 8) == Verdict::failed);
  CHECK(after("2x16*50-f32-out-forward-none-real", 0) == Verdict::passed);
}

TEST_CASE("In place the padding of a real result may hold anything", "[verifier]") {
  const Case problem = parse("6x16*3-f32-in-inverse-forward-real-s3:11.1/70");
  const Host<Precision::f32> host(problem);
  const Place padding{0, 6 + 16};  // after the first row
  CHECK(verdict_after(problem, host, false, padding, [](auto) { return 2; }) ==
        catalogue::Verdict::passed);
  const Place gap{0, 6 + 18};  // beyond its 2(n/2+1) numbers
  CHECK(verdict_after(problem, host, false, gap, [](auto) { return 2; }) ==
        catalogue::Verdict::failed);
}

namespace {

/// Returns the verdict on a call that is right, except that `change` was applied to a number of one
/// transform. `second`: in the call that has NaN and infinity.
template <Precision precision, class Change>
catalogue::Verdict verdict_after_change(const Case& problem, bool second, std::uint64_t transform,
                                        Change change) {
  const Repeated target = repeated_side(problem, false, kPooled);
  const Strangers strangers(problem, target);
  std::vector<Place> places;
  strangers.for_each_word(target, transform / strangers.of_member(),
                          [&](std::uint64_t i, std::size_t part, std::uint64_t word) {
                            if (i == transform) places.emplace_back(part, word);
                          });
  std::size_t calls = 0;
  return outcome_of<precision>(problem,
                               [&](const auto& queue, const Arrays& arrays) {
                                 if (++calls != (second ? 2 : 1)) return;
                                 const Place place = places[places.size() / 2];
                                 Host<precision>::set(
                                     queue, arrays.target, place,
                                     change(Host<precision>::get(queue, arrays.target, place)));
                               })
      .verdict;
}

/// Calls check(case, Host) with the cases whose transforms differ.
template <class Check>
void for_different(Check check) {
  for_cases([&](const Case& problem, const auto& host) {
    if (can_differ(problem, repeated_side(problem, true, kPooled))) check(problem, host);
  });
}

/// Returns the smallest and the largest transform of a case's first call.
std::pair<std::uint64_t, std::uint64_t> extremes(const Case& problem) {
  const Repeated source = repeated_side(problem, true, kPooled);
  const auto sizes = exponents(problem, source);
  const auto end =
      sizes.begin() + static_cast<std::ptrdiff_t>(Strangers(problem, source).of_call());
  const auto [low, high] = std::minmax_element(sizes.begin(), end);
  return {low - sizes.begin(), high - sizes.begin()};
}

}  // namespace

TEST_CASE("The transforms of a batch differ by 10^6 and 10^12") {
  for_different([]<Precision precision>(const Case& problem, const Host<precision>&) {
    const auto [low, high] = extremes(problem);
    const auto sizes = exponents(problem, repeated_side(problem, true, kPooled));
    const double wanted = precision == Precision::f16   ? 1e2
                          : precision == Precision::f32 ? 1e6
                                                        : 1e12;
    CHECK(std::exp2(sizes[high] - sizes[low]) >= wanted);
  });
}

TEST_CASE("The verifier finds what a larger transform leaves in a smaller one", "[verifier]") {
  for_different([]<Precision precision>(const Case& problem, const Host<precision>&) {
    const auto [low, high] = extremes(problem);
    const auto sizes = exponents(problem, repeated_side(problem, true, kPooled));
    // A rounding of the larger one.
    const int digits = precision == Precision::f16 ? 8 : precision == Precision::f32 ? 20 : 50;
    const double rounding = std::exp2(sizes[high] - digits) * problem.scale();
    CHECK(verdict_after_change<precision>(problem, false, low, [&](auto x) {
            return x + rounding;
          }) == catalogue::Verdict::failed);
    if (precision == Precision::f16) return;
    CHECK(verdict_after_change<precision>(problem, false, high, [&](auto x) {
            return x + rounding;
          }) == catalogue::Verdict::passed);
  });
}

TEST_CASE("The verifier finds NaN that crosses over, and NaN that is hidden", "[verifier]") {
  for_different([]<Precision precision>(const Case& problem, const Host<precision>&) {
    const Repeated source = repeated_side(problem, true, kPooled);
    std::vector<bool> ill(Strangers(problem, source).all());
    for (const Poison& each : poisons(problem, source)) ill[each.transform] = true;
    const auto first = [&](bool wanted) {
      return static_cast<std::uint64_t>(std::find(ill.begin(), ill.end(), wanted) - ill.begin());
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(verdict_after_change<precision>(problem, true, first(false), [=](auto) { return nan; }) ==
          catalogue::Verdict::failed);
    CHECK(verdict_after_change<precision>(problem, true, first(true), [=](auto) { return nan; }) ==
          catalogue::Verdict::passed);
    if (problem.kind == Kind::dct1) return;  // its numbers need not depend on all elements
    CHECK(verdict_after_change<precision>(problem, true, first(true), [](auto) { return 1; }) ==
          catalogue::Verdict::failed);
  });
}

TEST_CASE("Cases that imago does not support neither pass nor fail", "[verifier]") {
  const auto& device = test::default_device();
  Verifier verifier(device.context, device.device);
  verifier.replace([](const auto&, const auto&) { throw Unsupported("not yet"); });
  const auto outcome = verifier.verify(parse(kCases[0]));
  CHECK(outcome.verdict == catalogue::Verdict::unsupported);
  CHECK(outcome.detail == "not yet");
  verifier.replace([](const auto&, const auto&) { throw InvalidArgument("wrong"); });
  CHECK(verifier.verify(parse(kCases[0])).verdict == catalogue::Verdict::failed);
}
