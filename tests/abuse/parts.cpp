// This file attacks nonuniform transforms whose points come in parts: parts of any size in any
// order, wrong arrays, coordinates that are not finite, and calls after an error.
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "attacks.hpp"

namespace imago::abuse {
namespace {

using catalogue::Random;
using Strengths = std::vector<std::complex<float>>;

/// A plan for points in parts, and one for all points at once.
struct Pair {
  Pair(const test::Device& device, Mapping mapping, std::size_t batch, bool real) {
    NufftTransform transform;
    transform.modes = {14, 11}, transform.tolerance = 1e-4, transform.batch = batch;
    transform.real = real;
    Options options;
    options.parameters.mapping = mapping;
    for (auto* plan : {&parts, &whole})
      *plan = std::make_unique<NufftPlan>(device.context, device.device, transform, options);
  }
  std::unique_ptr<NufftPlan> parts, whole;
};

/// Points, cut into parts.
struct Cut {
  Cut(const test::Device& on, Random& random) : device(on) {
    const std::size_t pieces = 1 + random.below(6);
    for (std::size_t i = 0; i < pieces; ++i) {
      constexpr std::uint64_t kMost[] = {1, 2, 40, 3000};
      counts.push_back(random.below(kMost[random.below(4)] + 1));
      all += counts.back();
    }
    const bool together = random.below(3) == 0;
    for (auto& axis : coordinates) {
      for (std::size_t j = 0; j < all; ++j)
        axis.push_back(
            static_cast<float>(together ? 1 + 1e-3 * random.uniform() : 10 * random.uniform()));
      axis.push_back(0);  // OpenCL has no empty buffers
      buffers.push_back(device.upload(axis));
    }
  }
  NufftPoints points(std::size_t first, std::size_t count) const {
    return {{Array(buffers[0], first), Array(buffers[1], first)}, count};
  }
  std::vector<NufftPoints> parts() const {
    std::vector<NufftPoints> parts;
    for (std::size_t i = 0, first = 0; i < counts.size(); first += counts[i++])
      parts.push_back(points(first, counts[i]));
    return parts;
  }

  const test::Device& device;
  std::vector<std::size_t> counts;
  std::size_t all = 0;
  std::vector<float> coordinates[2];
  std::vector<cl::Buffer> buffers;
};

/// Numbers of all points, member by member, and in an array for each part.
struct Divided {
  Divided(const Cut& cut, std::size_t batch, std::size_t words, Random* random)
      : batch_(batch), words_(words), counts_(cut.counts), all_(cut.all) {
    std::vector<float> numbers(std::max<std::size_t>(1, batch * cut.all * words));
    if (random)
      for (float& number : numbers) number = static_cast<float>(random->uniform());
    whole = cut.device.upload(numbers);
    for (std::size_t i = 0, first = 0; i < counts_.size(); first += counts_[i++]) {
      std::vector<float> own(2 * words);  // an offset
      for (std::size_t member = 0; member < batch; ++member) {
        const float* const begin = numbers.data() + (member * all_ + first) * words;
        own.insert(own.end(), begin, begin + counts_[i] * words);
      }
      buffers.push_back(cut.device.upload(own));
      parts.emplace_back(buffers.back(), 2);
    }
  }
  /// Returns the numbers of the parts in the order of the whole.
  std::vector<float> joined(const test::Device& device) const {
    std::vector<float> numbers(batch_ * all_ * words_);
    for (std::size_t i = 0, first = 0; i < counts_.size(); first += counts_[i++]) {
      const auto own = device.download<float>(buffers[i], (2 + batch_ * counts_[i]) * words_);
      for (std::size_t member = 0; member < batch_; ++member)
        std::copy_n(own.begin() + (2 + member * counts_[i]) * words_, counts_[i] * words_,
                    numbers.begin() + (member * all_ + first) * words_);
    }
    return numbers;
  }

  cl::Buffer whole;
  std::vector<cl::Buffer> buffers;
  std::vector<Array> parts;

 private:
  std::size_t batch_, words_;
  std::vector<std::size_t> counts_;
  std::size_t all_;
};

/// Returns the difference relative to the norm; NaN if one is NaN.
double distance_of(const std::vector<float>& a, const std::vector<float>& b) {
  double error = 0, size = 1e-30;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
    size += std::pow(static_cast<double>(b[i]), 2);
  }
  return std::sqrt(error / size);
}

/// Returns true if the call throws the exception.
template <class Exception, class Call>
bool throws(const Call& call) {
  try {
    call();
  } catch (const Exception&) {
    return true;
  }
  return false;
}

/// Wrong calls of a plan that has the points of `cut`.
std::string refused(NufftPlan& plan, const Cut& cut, const Divided& numbers,
                    const cl::Buffer& modes, Random& random) {
  const cl::CommandQueue& queue = cut.device.queue;
  auto arrays = numbers.parts;
  switch (random.below(5)) {
    case 0:
      arrays.push_back(arrays.back());
      return throws<InvalidArgument>([&] { plan.type1(queue, arrays, modes); })
                 ? ""
                 : "one array too many";
    case 1: {
      arrays.pop_back();
      return throws<InvalidArgument>([&] { plan.type2(queue, modes, arrays); })
                 ? ""
                 : "one array too few";
    }
    case 2: {
      const std::size_t i = random.below(arrays.size());
      if (cut.counts[i] == 0) return "";
      arrays[i] = Array(numbers.buffers[i], 3);  // it ends behind the buffer
      return throws<InvalidArgument>([&] { plan.type1(queue, arrays, modes); }) ? ""
                                                                                : "a short array";
    }
    case 3: {
      auto parts = cut.parts();
      parts.back().count = std::size_t{1} << (31 + random.below(33));
      return throws<Error>([&] { plan.set_points(queue, parts); }) ? "" : "too many points";
    }
    default: {
      auto parts = cut.parts();
      const auto bad = cut.device.upload(std::vector<float>{
          0, random.below(2) == 0 ? std::nanf("") : std::numeric_limits<float>::infinity()});
      parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(random.below(parts.size() + 1)),
                   NufftPoints{{Array(bad), Array(bad)}, 2});
      if (!throws<InvalidArgument>([&] { plan.set_points(queue, parts); }))
        return "a coordinate that is not finite";
      return throws<InvalidArgument>([&] { plan.type1(queue, arrays, modes); })
                 ? ""
                 : "points of a call that failed";
    }
  }
}

std::string parts_of(const test::Device& device, Pair& plans, std::size_t batch, bool real,
                     Random& random) {
  const Cut cut(device, random);
  const std::size_t words = real ? 1 : 2, modes = 2 * batch * 14 * 11;
  std::vector<float> numbers(modes);
  for (float& number : numbers) number = static_cast<float>(random.uniform());
  const auto given = device.upload(numbers), sums = device.allocate(4 * modes),
             sums_of_parts = device.allocate(4 * modes);
  const Divided strengths(cut, batch, words, &random), values(cut, batch, words, nullptr);
  const auto check = [&]() -> std::string {
    plans.parts->set_points(device.queue, cut.parts());
    if (plans.parts->points() != cut.all) return "another number of points";
    plans.parts->type1(device.queue, strengths.parts, sums_of_parts);
    plans.parts->type2(device.queue, given, values.parts);
    const double first = distance_of(device.download<float>(sums_of_parts, modes),
                                     device.download<float>(sums, modes));
    if (!(first < 1e-5)) return "type 1 differs by " + std::to_string(first);
    if (cut.all == 0) return {};
    const auto joined = values.joined(device);
    const double second = distance_of(joined, device.download<float>(values.whole, joined.size()));
    if (!(second < 1e-5)) return "type 2 differs by " + std::to_string(second);
    return {};
  };
  plans.whole->set_points(device.queue, cut.points(0, cut.all));
  plans.whole->type1(device.queue, strengths.whole, sums);
  plans.whole->type2(device.queue, given, values.whole);
  auto wrong = check();
  if (wrong.empty()) wrong = refused(*plans.parts, cut, strengths, given, random);
  if (wrong.empty()) wrong = check();
  return wrong;
}

}  // namespace

Attack attack_parts(const test::Device& device) {
  return {"parts", [&device, made = std::vector<std::shared_ptr<Pair>>(4)](Random& random) mutable {
            const std::size_t which = random.below(4), batch = 1 + which % 2;
            const bool real = which == 2;
            auto& plans = made[which];
            if (!plans)
              plans = std::make_shared<Pair>(
                  device, which < 2 ? Mapping::vector : Mapping::work_group, batch, real);
            return parts_of(device, *plans, batch, real, random);
          }};
}

}  // namespace imago::abuse
