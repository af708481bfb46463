// This file generates subjects: cases of the catalogue's generator, with extreme numbers and
// invalid enumerators, and devices that do not exist.
#include "subject.hpp"

#include <imago/error.hpp>

#include <algorithm>
#include <limits>
#include <sstream>

#include "catalogue/random.hpp"
#include "catalogue/shapes.hpp"
#include "engine/composition.hpp"
#include "naive.hpp"
#include "support/facts.hpp"

namespace imago::abuse {
namespace {

using catalogue::Random;

bool chance(Random& random, unsigned of) { return random.below(of) == 0; }

/// Returns a number that may break things: near zero, near a power of two, or any.
std::uint64_t extreme(Random& random) {
  switch (random.below(6)) {
    case 0:
      return random.below(4);
    case 1:
      return (std::uint64_t{1} << random.below(64)) - 1 + random.below(3);
    case 2:
      return std::numeric_limits<std::uint64_t>::max() - random.below(3);
    case 3:
      return random.bits() >> random.below(64);
    case 4:
      return 65537 + random.below(7);
    default:
      return random.below(5000);
  }
}

device::Facts make_facts(Random& random) {
  device::Facts facts = test::wide_cpu();
  if (chance(random, 2)) facts = chance(random, 2) ? test::large_gpu() : test::small_gpu();
  facts.f64.native = facts.f64.native || chance(random, 3);
  facts.compute_units = 1u << random.below(8);
  facts.max_work_group = std::max(facts.max_work_group >> random.below(5), 1u);
  facts.simd = 1u << random.below(7);
  facts.vector_f32 = 1u << random.below(5);
  facts.vector_f64 = facts.f64.native ? 1u << random.below(4) : 0;
  if (chance(random, 3)) facts.local_bytes >>= random.below(6);
  if (chance(random, 4)) facts.memory.largest_buffer >>= random.below(20);
  if (chance(random, 2)) facts.waiting = "CL3.0";
  return facts;
}

KernelParameters make_kernel(Random& random) {
  KernelParameters kernel;
  if (chance(random, 2)) kernel.length = 1 + random.below(80);
  if (chance(random, 4)) kernel.items = static_cast<unsigned>(1 + random.below(40));
  if (chance(random, 3)) kernel.columns = static_cast<unsigned>(1 + random.below(12));
  if (chance(random, 3)) kernel.lanes = 1u << random.below(6);
  if (chance(random, 4)) kernel.axis = static_cast<LaneAxis>(random.below(3));
  if (chance(random, 3)) kernel.exchange = static_cast<Exchange>(random.below(3));
  if (chance(random, 3)) kernel.twiddles = static_cast<Twiddles>(random.below(4));
  if (chance(random, 3)) kernel.four_step = static_cast<Twiddles>(random.below(4));
  while (chance(random, 3)) kernel.radices.push_back(static_cast<unsigned>(random.below(34)));
  return kernel;
}

void spoil(Random& random, KernelParameters& kernel) {
  switch (random.below(6)) {
    case 0:
      kernel.length = extreme(random);
      break;
    case 1:
      kernel.items = static_cast<unsigned>(extreme(random));
      break;
    case 2:
      kernel.columns = static_cast<unsigned>(extreme(random));
      break;
    case 3:
      kernel.lanes = static_cast<unsigned>(extreme(random));
      break;
    case 4:
      kernel.radices.assign(random.below(70), static_cast<unsigned>(extreme(random)));
      break;
    default:
      kernel.exchange = static_cast<Exchange>(extreme(random));
      break;
  }
}

/// Returns parameters set by hand, of which some are legal.
Parameters make_parameters(Random& random, bool wild) {
  Parameters parameters;
  parameters.mapping = static_cast<Mapping>(random.below(3));
  if (chance(random, 2)) parameters.algorithm = static_cast<Algorithm>(random.below(6));
  if (chance(random, 3)) parameters.launches = static_cast<Launches>(random.below(3));
  while (chance(random, 2)) parameters.kernels.push_back(make_kernel(random));
  if (!wild) return parameters;
  if (chance(random, 8)) parameters.mapping = static_cast<Mapping>(extreme(random));
  if (chance(random, 8)) parameters.algorithm = static_cast<Algorithm>(extreme(random));
  if (!parameters.kernels.empty() && chance(random, 2)) spoil(random, parameters.kernels[0]);
  return parameters;
}

void spoil(Random& random, Layout& layout, std::size_t rank) {
  switch (random.below(5)) {
    case 0:
      layout.offset = extreme(random);
      break;
    case 1:
      layout.distance = extreme(random);
      break;
    case 2:
      layout.strides.assign(rank + random.below(2), extreme(random));
      break;
    case 3:
      if (!layout.strides.empty())
        layout.strides[random.below(layout.strides.size())] = extreme(random);
      break;
    default:
      layout.storage = static_cast<Storage>(random.below(4));
      break;
  }
}

void spoil(Random& random, Transform& t) {
  switch (random.below(9)) {
    case 0:  // there may be none, so it is spoiled twice
      if (!t.lengths.empty()) t.lengths[random.below(t.lengths.size())] = extreme(random);
      break;
    case 1:
      t.batch = extreme(random);
      break;
    case 2:
      t.kind = static_cast<Kind>(extreme(random));
      break;
    case 3:
      t.axes.assign(random.below(4), static_cast<Kind>(random.below(14)));
      break;
    case 4:
      t.precision = static_cast<Precision>(random.below(5));
      break;
    case 5:
      t.norm = static_cast<Norm>(extreme(random));
      break;
    case 6:
      t.lengths.assign(random.below(40), 1 + random.below(3));
      break;
    case 7:
      spoil(random, t.signal, t.lengths.size());
      break;
    default:
      spoil(random, t.spectrum, t.lengths.size());
      break;
  }
}

/// Returns parameters that the planner chose, as a caller may pass them, with one changed.
Parameters changed(Random& random, const Subject& subject) {
  try {
    const auto blueprint = engine::decide(subject.transform, subject.facts, subject.options);
    auto parameters = blueprint.first().parameters();
    if (parameters.kernels.empty()) return parameters;
    auto& kernel = parameters.kernels[random.below(parameters.kernels.size())];
    const auto other = make_kernel(random);
    if (other.items) kernel.items = other.items;
    if (other.columns) kernel.columns = other.columns;
    if (other.lanes) kernel.lanes = other.lanes;
    kernel.exchange = other.exchange, kernel.twiddles = other.twiddles;
    return parameters;
  } catch (const Error&) {
    return {};
  }
}

catalogue::Case small_case(Random& random) {
  constexpr double kCost = 3e6;
  for (;;) {
    auto problem = catalogue::make_case(catalogue::random_traits(random), random);
    problem.parameters = {};
    if (chance(random, 2)) {  // any lengths of that many dimensions, packed
      const std::uint64_t longest = problem.lengths.size() == 1 ? 700 : 30;
      for (auto& length : problem.lengths) length = 2 + random.below(longest);
      problem.source = {.storage = problem.source.storage};
      problem.target = {.storage = problem.target.storage};
    }
    if (naive_cost(problem) < kCost) return problem;
  }
}

}  // namespace

Subject make_subject(std::uint64_t seed) {
  Random random(seed);
  Subject subject;
  subject.facts = make_facts(random);
  subject.problem = small_case(random);
  subject.transform = subject.problem.transform();
  subject.options.profiles = false;
  subject.options.disk_cache = false;
  subject.wild = chance(random, 3);
  if (chance(random, 4)) subject.options.scratch.limit = extreme(random) % (1 << 20);
  if (subject.wild) {
    spoil(random, subject.transform);
    if (chance(random, 2)) spoil(random, subject.transform);
  }
  if (const auto way = random.below(4); way == 0) {
    subject.options.parameters = make_parameters(random, subject.wild);
  } else if (way == 1 && !subject.wild) {
    subject.options.parameters = changed(random, subject);
  } else {
    subject.options.parameters.mapping = static_cast<Mapping>(random.below(3));
  }
  subject.problem.parameters = subject.options.parameters;
  using Order = interpreter::Schedule::Order;
  subject.schedule = {static_cast<Order>(random.below(3)), 1 + random.below(12), random.bits()};
  return subject;
}

std::string Subject::describe() const {
  std::ostringstream text;
  const auto list = [&](const char* name, const auto& values) {
    text << ", " << name << " {";
    for (std::size_t i = 0; i < values.size(); ++i)
      text << (i ? "," : "") << static_cast<std::uint64_t>(values[i]);
    text << "}";
  };
  const auto side = [&](const char* name, const Layout& layout) {
    list(name, layout.strides);
    text << " distance " << layout.distance << " offset " << layout.offset << " storage "
         << static_cast<int>(layout.storage);
  };
  const Transform& t = transform;
  text << "kind " << static_cast<int>(t.kind) << " precision " << static_cast<int>(t.precision)
       << " batch " << t.batch << " placement " << static_cast<int>(t.placement) << " directions "
       << static_cast<int>(t.directions) << " norm " << static_cast<int>(t.norm);
  list("lengths", t.lengths);
  list("axes", t.axes);
  side("signal", t.signal);
  side("spectrum", t.spectrum);
  text << "; limit " << options.scratch.limit;
  const Parameters& p = options.parameters;
  text << "; mapping " << static_cast<int>(p.mapping) << " algorithm "
       << static_cast<int>(p.algorithm) << " launches " << static_cast<int>(p.launches);
  for (const auto& kernel : p.kernels) {
    text << "; kernel length " << kernel.length << " items " << kernel.items << " columns "
         << kernel.columns << " lanes " << kernel.lanes << " axis " << static_cast<int>(kernel.axis)
         << " exchange " << static_cast<int>(kernel.exchange) << " twiddles "
         << static_cast<int>(kernel.twiddles) << " " << static_cast<int>(kernel.four_step);
    list("radices", kernel.radices);
  }
  text << "; device " << facts.name << (wild ? ", wild" : "");
  return text.str();
}

}  // namespace imago::abuse
