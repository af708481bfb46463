// This file counts compilations. Batches, offsets and the values of distances and norms are
// arguments of a kernel, so other values compile nothing.
#include <atomic>
#include <deque>

#include "support/catch.hpp"
#include "support/device.hpp"

using namespace imago;
using imago::test::default_device;

namespace {

constexpr std::size_t kPrograms = 4;  // programs of a length over all batches

/// Counts every compilation during its lifetime.
class Compilations {
 public:
  Compilations() {
    release_memory();
    set_log([this](LogLevel, const std::string& line) {
      if (line.rfind("compiled ", 0) == 0) ++count_;
    });
  }
  ~Compilations() { set_log({}); }
  std::size_t count() const { return count_; }

 private:
  std::atomic<std::size_t> count_{0};
};

Plan make_plan(std::size_t n, std::size_t batch, std::size_t offset, std::size_t gap,
               const Options& options) {
  Transform transform;
  transform.lengths = {n};
  transform.batch = batch;
  transform.directions = Directions::forward;
  transform.signal.offset = offset;
  transform.spectrum.offset = (offset * 3 + batch) % 8;
  if (gap != 0) transform.signal.distance = transform.spectrum.distance = n + gap;
  return {default_device().context, default_device().device, transform, options};
}

Options uncached(Mapping mapping) {
  Options options;
  options.parameters.mapping = mapping;
  options.disk_cache = false;
  options.trust_device = true;  // the self-test compiles kernels of its own
  return options;
}

}  // namespace

TEST_CASE("batches 1 to 1000 and offsets 0 to 7 compile a handful of kernels") {
  const auto mapping = GENERATE(Mapping::vector, Mapping::work_group);
  const std::size_t n = GENERATE(48u, 20000u);
  CAPTURE(n, static_cast<int>(mapping));
  Compilations compilations;
  const auto options = uncached(mapping);
  std::deque<Plan> kept;  // live programs need not be loaded again
  for (std::size_t batch = 1; batch <= 1000; ++batch) {
    const auto before = compilations.count();
    auto plan = make_plan(n, batch, 0, 0, options);
    if (compilations.count() != before) kept.push_back(std::move(plan));
  }
  // The planner may choose by batch: one kernel for less than a vector's lanes, one for less than
  // the device's compute units.
  CHECK(compilations.count() >= 1);
  CHECK(compilations.count() <= kPrograms);
  const auto all = compilations.count();
  for (std::size_t batch = 1; batch <= 1000; ++batch)
    make_plan(n, batch, 1 + batch % 7, 0, options);
  for (const std::size_t batch : {1, 2, 17}) {
    for (std::size_t offset = 0; offset < 8; ++offset) make_plan(n, batch, offset, 0, options);
  }
  CHECK(compilations.count() == all);
}

TEST_CASE("every distance beyond packed is the same kernel") {
  const auto mapping = GENERATE(Mapping::vector, Mapping::work_group);
  CAPTURE(static_cast<int>(mapping));
  Compilations compilations;
  const auto options = uncached(mapping);
  const auto first = make_plan(48, 5, 1, 1, options);
  const auto kernels = compilations.count();
  for (std::size_t gap = 2; gap < 50; ++gap) make_plan(48, 5, 0, gap, options);
  CHECK(compilations.count() == kernels);
}
