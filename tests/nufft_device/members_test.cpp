// This file checks nonuniform transforms whose members of a batch have points of their own: against
// direct sums in long double, and members against each other.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <imago/imago.hpp>

#include "catalogue/random.hpp"
#include "nufft_device/sums.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/larger.hpp"
#include "support/message.hpp"

using namespace imago;
using namespace imago::test;

namespace {

using Counts = std::vector<std::size_t>;

std::size_t sum_of(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0});
}

/// Numbers at points as a plan has them: complex, or real parts only.
template <class Real>
std::vector<Real> at_points(const std::vector<std::complex<Real>>& numbers, bool real) {
  std::vector<Real> all;
  for (const auto& number : numbers) {
    all.push_back(number.real());
    if (!real) all.push_back(number.imag());
  }
  return all;
}

/// The numbers of a plan with points per member, and its results.
template <class Real>
struct MembersCase {
  MembersCase(const NufftTransform& described, const Counts& of_members, Places places,
              std::uint64_t seed)
      : transform(described),
        counts(of_members),
        count(sum_of(counts)),
        modes(product(transform.modes)),
        points(transform, transform.modes.size(), count, places, seed),
        strengths(numbers<Real>(count, 2)),
        given(numbers<Real>(transform.batch * modes, 3)) {
    transform.batch = counts.size();
    transform.points_per_member = true;
    points.on_device.counts = counts;
    given = numbers<Real>(transform.batch * modes, 3);
    if (transform.real) {
      for (auto& strength : strengths) strength = strength.real();
    }
  }

  void run(NufftPlan& plan, std::size_t count_of_parts = 1) {
    const Device& device = default_device();
    std::vector<NufftPoints> parts(count_of_parts);
    std::vector<Array> from, to;
    std::vector<cl::Buffer> buffers;
    std::vector<std::vector<std::size_t>> indices(count_of_parts);
    // A part has some points of each member.
    for (std::size_t i = 0; i < count_of_parts; ++i) {
      std::size_t first = 0;
      for (const std::size_t own : counts) {
        const std::size_t begin = own * i / count_of_parts, end = own * (i + 1) / count_of_parts;
        for (std::size_t j = begin; j < end; ++j) indices[i].push_back(first + j);
        parts[i].counts.push_back(end - begin);
        first += own;
      }
      parts[i].count = indices[i].size();
    }
    if (count_of_parts == 1) {
      parts[0] = points.on_device;
    } else {
      for (std::size_t i = 0; i < count_of_parts; ++i) {
        for (const auto& axis : points.turns) {
          std::vector<float> own(1);  // an offset
          for (const std::size_t j : indices[i]) own.push_back(static_cast<float>(axis[j] * kTurn));
          buffers.push_back(device.upload(own));
          parts[i].coordinates.emplace_back(buffers.back(), 1);
        }
      }
    }
    for (std::size_t i = 0; i < count_of_parts; ++i) {
      std::vector<std::complex<Real>> own(1);  // an offset
      for (const std::size_t j : indices[i]) own.push_back(strengths[j]);
      buffers.push_back(device.upload(at_points(own, transform.real)));
      from.emplace_back(buffers.back(), 1);
      buffers.push_back(device.allocate((own.size() + 1) * sizeof own[0]));
      to.emplace_back(buffers.back());
    }
    const auto to_modes = device.allocate(plan.modes_bytes()), from_modes = device.upload(given);
    plan.set_points(device.queue, parts);
    CHECK(plan.points() == count);
    CHECK(plan.points_bytes() == count * sizeof(Real) * (transform.real ? 1 : 2));
    plan.type1(device.queue, from, to_modes);
    plan.type2(device.queue, from_modes, to);
    type1 = device.download<std::complex<Real>>(to_modes, transform.batch * modes);
    type2.assign(count, {});
    for (std::size_t i = 0; i < count_of_parts; ++i) {
      if (indices[i].empty()) continue;
      const auto own =
          device.download<Real>(buffers[buffers.size() - 2 * count_of_parts + 2 * i + 1],
                                indices[i].size() * (transform.real ? 1 : 2));
      for (std::size_t j = 0; j < indices[i].size(); ++j)
        type2[indices[i][j]] = transform.real ? std::complex<Real>(own[j])
                                              : std::complex<Real>(own[2 * j], own[2 * j + 1]);
    }
  }

  /// Returns the errors of the worst member, as the promise measures them.
  Errors errors() const {
    Errors worst;
    for (std::size_t member = 0, first = 0; member < counts.size(); first += counts[member++]) {
      const std::size_t own = counts[member];
      std::vector<Long> exact1(modes), exact2(own);
      for (std::size_t j = 0; j < own; ++j) {
        const auto waves = factors(transform, points.turns, first + j);
        for (std::size_t m = 0; m < modes; ++m) {
          exact1[m] += Long(strengths[first + j]) * waves[m];
          exact2[j] += Long(given[member * modes + m]) * std::conj(waves[m]);
        }
        if (transform.real) exact2[j] = exact2[j].real();
      }
      const auto* const c = strengths.data() + first;
      const auto* const f = given.data() + member * modes;
      worst.type1 = larger(worst.type1, error(type1.data() + member * modes, exact1, c, own));
      worst.type2 = larger(worst.type2, error(type2.data() + first, exact2, f, modes));
    }
    return worst;
  }

  double error(const std::complex<Real>* computed, const std::vector<Long>& exact,
               const std::complex<Real>* from, std::size_t size) const {
    if (transform.promise == NufftPromise::norm) {
      const long double norm = norm_of(from, size);
      return error_of(computed, exact,
                      norm == 0 ? 1 : std::sqrt(static_cast<long double>(exact.size())) * norm);
    }
    long double sum = 0, worst = 0;
    for (std::size_t i = 0; i < size; ++i) sum += std::abs(Long(from[i]));
    for (std::size_t i = 0; i < exact.size(); ++i)
      worst = larger(worst, std::abs(Long(computed[i]) - exact[i]));
    return static_cast<double>(sum == 0 ? worst : worst / sum);
  }

  NufftTransform transform;
  Counts counts;
  std::size_t count, modes;
  Points points;
  std::vector<std::complex<Real>> strengths, given, type1, type2;
};

template <class Real>
void check_members(const NufftTransform& transform, const Counts& counts, Places places,
                   const Options& options, std::size_t parts = 1) {
  const Device& device = default_device();
  MembersCase<Real> own(transform, counts, places, counts.size());
  NufftPlan plan(device.context, device.device, own.transform, options);
  own.run(plan, parts);
  const Errors errors = own.errors();
  CHECK(errors.type1 <= transform.tolerance);
  CHECK(errors.type2 <= transform.tolerance);
}

/// Case i of a series that combines all choices.
void check_members_case(std::uint64_t i, FirstCall first_call) {
  catalogue::Random random(100 + i);
  static const std::vector<std::vector<std::size_t>> kModes = {{24},     {300},     {10, 13},
                                                               {40, 36}, {4, 7, 6}, {1}};
  const std::size_t which = i % kModes.size();
  NufftTransform transform;
  transform.modes = kModes[which];
  const bool f64 = random.uniform() < 0 && default_device().f64();
  transform.precision = f64 ? Precision::f64 : Precision::f32;
  static constexpr double kTolerances[] = {1e-2, 1e-4, 1e-5, 1e-9};
  transform.tolerance = kTolerances[random.below(f64 ? 4 : 3)];
  transform.coordinates = static_cast<Coordinates>(random.below(4));
  transform.sign = random.uniform() < 0 ? -1 : 1;
  transform.centred = random.uniform() < 0.5;
  transform.real = random.uniform() < 0;
  // Few numbers are correlated by chance.
  transform.promise =
      which == 5 || random.below(3) == 0 ? NufftPromise::each_value : NufftPromise::norm;
  Counts counts(1 + random.below(which == 3 ? 6 : 20));
  for (std::size_t& count : counts)
    count = random.below(3) == 0 ? random.below(3) : random.below(which == 3 ? 60 : 200);
  transform.points = random.below(2) * sum_of(counts);
  Options options;
  options.parameters.mapping = random.uniform() < 0 ? Mapping::vector : Mapping::work_group;
  options.first_call = first_call;
  options.deterministic = first_call == FirstCall::compile && random.below(3) == 0;
  const Places places = kPlaces[random.below(5)];
  INFO("case " << i << ": " << transform.modes.size() << " axes, f" << (f64 ? 64 : 32)
               << ", tolerance " << transform.tolerance << ", " << counts.size()
               << " members, places " << static_cast<int>(places) << ", promise "
               << static_cast<int>(transform.promise));
  if (f64)
    check_members<double>(transform, counts, places, options);
  else
    check_members<float>(transform, counts, places, options);
}

}  // namespace

TEST_CASE("members with points of their own keep the tolerance", "[nufft][nufft_members]") {
  for (std::uint64_t i = 0; i < 12; ++i) check_members_case(i, FirstCall::compile);
}
TEST_CASE("members with points of their own keep the tolerance in many cases",
          "[nufft][nufft_members][long]") {
  for (std::uint64_t i = 12; i < 60; ++i) check_members_case(i, FirstCall::compile);
}
TEST_CASE("members with points of their own keep the tolerance on generic kernels",
          "[nufft][nufft_members][nufft_generic]") {
  for (std::uint64_t i = 0; i < 40; ++i) check_members_case(i, FirstCall::generic);
}

TEST_CASE("members without points have no modes and no values", "[nufft][nufft_members]") {
  const NufftTransform transform{.modes = {12, 10}, .tolerance = 1e-4};
  for (const Counts& counts : {Counts{0}, {0, 0, 0}, {5, 0, 0, 7, 0}, {0, 1}, {0, 0, 3}})
    check_members<float>(transform, counts, Places::uniform, {});
}

TEST_CASE("members with points of their own have them in parts", "[nufft][nufft_members]") {
  const NufftTransform transform{.modes = {40, 36}, .tolerance = 1e-4};
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    Options options;
    options.parameters.mapping = mapping;
    check_members<float>(transform, {100, 0, 3, 1, 77}, Places::uniform, options, 3);
  }
}

TEST_CASE("members in rounds whose grids fit into caches", "[nufft][nufft_members]") {
  // On a CPU, a round has 2 MiB of grids for each compute unit: 16 members.
  Counts counts(192);
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] = i / 32 == 2 ? 0 : i % 4;
  check_members<float>({.modes = {64, 64}, .tolerance = 1e-4}, counts, Places::uniform, {});
}

TEST_CASE("bins of members with many points are divided into parts",
          "[nufft][nufft_members][long]") {
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    for (const NufftPromise promise : {NufftPromise::norm, NufftPromise::each_value}) {
      for (const FirstCall first_call : {FirstCall::compile, FirstCall::generic}) {
        Options options;
        options.parameters.mapping = mapping;
        options.first_call = first_call;
        const NufftTransform transform{.modes = {12, 10}, .tolerance = 1e-4, .promise = promise};
        check_members<float>(transform, {20000, 5, 0, 40000, 3000}, Places::crowd, options);
      }
    }
  }
}

TEST_CASE("members in several rounds keep the tolerance", "[nufft][nufft_members][long]") {
  // Grids of all members would be larger than those that are computed at a time (256 MiB).
  const Device& device = default_device();
  const std::size_t members = 48, n = 1 << 20;
  NufftTransform transform{.modes = {n}, .tolerance = 1e-2, .batch = members};
  transform.coordinates = Coordinates::fractions_i32;
  transform.points_per_member = true;
  Counts counts(members, 1);
  counts[7] = 0, counts[40] = 2;
  std::vector<std::uint32_t> x;
  for (std::size_t j = 0; j <= members; ++j)
    x.push_back(static_cast<std::uint32_t>(j * 2654435761U));
  const auto c = numbers<float>(x.size() - 1, 2);
  // Member m has one mode, of frequency 1000 m - 20000.
  std::vector<std::complex<float>> f(members * n);
  const auto frequency = [](std::size_t member) { return 1000 * double(member) - 20000; };
  const auto place = [&](std::size_t member) {
    return member * n + n / 2 + static_cast<std::size_t>(1000 * member) - 20000;
  };
  for (std::size_t member = 0; member < members; ++member) f[place(member)] = 1;
  const auto wave = [&](std::size_t j, double k) {
    const double turns = k * std::ldexp(x[j], -32);
    return std::polar(1.0, double(kTurn) * (turns - std::floor(turns)));
  };
  NufftPlan plan(device.context, device.device, transform);
  const auto points = device.upload(x), from = device.upload(c), given = device.upload(f),
             to_modes = device.allocate(plan.modes_bytes()), to = device.allocate(8 * members);
  plan.set_points(device.queue, {{points}, members, counts});
  plan.type1(device.queue, from, to_modes);
  plan.type2(device.queue, given, to);
  const auto found = device.download<std::complex<float>>(to_modes, members * n);
  const auto values = device.download<std::complex<float>>(to, members);
  double worst1 = 0, worst2 = 0;
  for (std::size_t member = 0, j = 0; member < members; j += counts[member++]) {
    std::complex<double> sum = 0;
    for (std::size_t i = j; i < j + counts[member]; ++i) {
      sum += std::complex<double>(c[i]) * wave(i, frequency(member));
      worst2 = larger(worst2, std::abs(std::complex<double>(values[i]) -
                                       std::conj(wave(i, frequency(member)))));
    }
    worst1 = larger(worst1, std::abs(std::complex<double>(found[place(member)]) - sum));
  }
  CHECK(worst1 <= 2 * transform.tolerance);
  CHECK(worst2 <= transform.tolerance);
  const std::string text = plan.describe();
  CHECK(text.find("48 points of 48 members") != std::string::npos);
  CHECK(text.find("batch 48") == std::string::npos);  // the grids are not those of all members
}

TEST_CASE("a member's result has the same bits whatever the others hold",
          "[nufft][nufft_members]") {
  const Device& device = default_device();
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    for (const std::vector<std::size_t>& modes :
         {std::vector<std::size_t>{200}, {12, 10}, {60, 50}}) {
      Options options;
      options.parameters.mapping = mapping;
      options.deterministic = true;
      const NufftTransform transform{.modes = modes, .tolerance = 1e-5};
      // The points of the second member are the same; others are few, or in one place.
      MembersCase<float> few(transform, {3, 700, 0, 2}, Places::cluster, 5),
          many(transform, {40000, 700, 60, 9000}, Places::one_place, 5);
      std::vector<std::vector<float>> all;
      for (std::size_t axis = 0; axis < modes.size(); ++axis) {
        auto own = device.download<float>(many.points.buffers[axis], many.count);
        const auto of_few = device.download<float>(few.points.buffers[axis], few.count);
        std::copy_n(of_few.begin() + 3, 700, own.begin() + 40000);
        many.points.buffers[axis] = device.upload(own);
        many.points.on_device.coordinates[axis] = many.points.buffers[axis];
      }
      std::copy_n(few.strengths.begin() + 3, 700, many.strengths.begin() + 40000);
      many.strengths[5] = std::numeric_limits<float>::quiet_NaN();
      many.given[0] = many.given[3 * many.modes] = std::numeric_limits<float>::infinity();
      std::copy_n(few.given.begin() + few.modes, few.modes, many.given.begin() + few.modes);
      NufftPlan plan(device.context, device.device, few.transform, options);
      few.run(plan);
      many.run(plan);
      const std::size_t n = few.modes;
      INFO(plan.describe());
      CHECK(std::equal(few.type1.begin() + n, few.type1.begin() + 2 * n, many.type1.begin() + n));
      CHECK(std::equal(few.type2.begin() + 3, few.type2.begin() + 703, many.type2.begin() + 40000));
    }
  }
}

TEST_CASE("members with points of their own refuse what they cannot do", "[nufft][nufft_members]") {
  const Device& device = default_device();
  NufftTransform transform{.modes = {16}, .batch = 3};
  transform.points_per_member = true;
  const auto x = device.upload(std::vector<float>(10, 1));
  NufftPlan plan(device.context, device.device, transform);
  const auto refused = [&](NufftPlan& by, std::size_t count, const Counts& counts) {
    return message_of([&] { by.set_points(device.queue, {{x}, count, counts}); });
  };
  CHECK(refused(plan, 10, {}) ==
        "the size of counts is 0; give a number of points for each of the 3 members of the batch");
  CHECK(refused(plan, 10, {5, 5}) ==
        "the size of counts is 2; give a number of points for each of the 3 members of the batch");
  const std::string sum = "count is 10; with points_per_member it must be the sum of counts";
  CHECK(refused(plan, 10, {5, 4, 0}) == sum);
  CHECK(refused(plan, 10, {5, 5, 1}) == sum);
  CHECK(refused(plan, 10, {std::numeric_limits<std::size_t>::max() - 3, 7, 7}) == sum);
  CHECK(plan.points() == 0);
  transform.points_per_member = false;
  NufftPlan shared(device.context, device.device, transform);
  CHECK(refused(shared, 10, {3, 3, 4}) ==
        "the size of counts is 3; it must be 0 without NufftTransform::points_per_member");
  NufftTransform type3{.axes = 1, .batch = 3, .types = NufftTypes::type3};
  type3.points_per_member = true;
  CHECK(message_of([&] { NufftPlan(device.context, device.device, type3); }) ==
        "type 3 has no points_per_member, because its grid depends on the points; make a plan for "
        "each member");

  std::vector<float> bad(10, 1);
  bad[7] = std::numeric_limits<float>::quiet_NaN();
  const auto bad_x = device.upload(bad);
  CHECK(message_of([&] {
          plan.set_points(device.queue, {{bad_x}, 10, {5, 0, 5}});
        }) == "a coordinate of point 7 is not finite; give finite numbers");
  CHECK_THROWS_AS(plan.type1(device.queue, x, device.allocate(plan.modes_bytes())),
                  InvalidArgument);
}

TEST_CASE("members with points of their own need few launches", "[nufft][nufft_members]") {
  const Device& device = default_device();
  NufftTransform transform{.modes = {32, 32}, .batch = 1000, .points = 1000 * 500};
  transform.points_per_member = true;
  const NufftEstimate estimate = NufftPlan::estimate(device.device, transform);
  CHECK(estimate.points == 500000);
  CHECK(estimate.points_bytes == 500000 * 8);
  CHECK(estimate.bins == 1000);
  transform.batch = 1;
  transform.points = 500;
  const NufftEstimate of_one = NufftPlan::estimate(device.device, transform);
  // On GPUs one launch of each kernel; on CPUs one in each round, whose grids stay in the caches.
  const bool cpu = device.device.getInfo<CL_DEVICE_TYPE>() == CL_DEVICE_TYPE_CPU;
  CHECK(estimate.type2.kernels % of_one.type2.kernels == 0);
  const std::size_t rounds = estimate.type2.kernels / of_one.type2.kernels;
  CHECK(rounds <= (cpu ? 20 : 1));
  CHECK(estimate.set_points.kernels <= rounds * of_one.set_points.kernels);
  CHECK(estimate.type1.kernels <= rounds * of_one.type1.kernels);
}
