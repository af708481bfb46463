// This file tests both kernels of rows, of vectors and of work-items, on oclgrind's device.
// PoCL 3.1 compiles that of work-items for more than five minutes.
#include <cmath>
#include <complex>
#include <cstddef>
#include <vector>

#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "engine/proof.hpp"
#include "problem/kinds.hpp"
#include "problem/reference.hpp"
#include "runtime/facts.hpp"
#include "runtime/memory.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace imago;

namespace {

/// Returns a device that is never released: oclgrind's library may end before static objects.
const test::Device& simulated() {
  static const test::Device& device = *new test::Device;
  return device;
}

std::vector<float> ragged_signal(std::size_t count) {
  std::vector<float> signal(count);
  for (std::size_t i = 0; i < count; ++i)
    signal[i] = static_cast<float>(std::sin(1.0 + 0.7 * static_cast<double>(i * i % 1009)));
  return signal;
}

std::vector<float> computed_rows(const engine::Engine& engine, bool inverse,
                                 const std::vector<float>& from) {
  const auto& device = simulated();
  const auto& problem = engine.blueprint.problem;
  const std::size_t bytes = problem.bytes(!inverse);
  const auto in =
      runtime::allocate_copy(device.context(), from.size() * sizeof from[0], from.data());
  const auto out = runtime::allocate_zeros(device.context(), bytes);
  const auto scratch =
      runtime::allocate(device.context(), std::max<std::size_t>(engine.scratch_bytes(), 1));
  engine.of(inverse)->enqueue({.queue = device.queue(),
                               .input = {in.get(), nullptr, 0},
                               .output = {out.get(), nullptr, 0},
                               .scratch = {scratch.get(), nullptr},
                               .waits = {},
                               .hooks = {},
                               .sizes = {}});
  std::vector<float> found(bytes / sizeof(float));
  runtime::check(clEnqueueReadBuffer(device.queue(), out.get(), CL_TRUE, 0, bytes, found.data(), 0,
                                     nullptr, nullptr),
                 "clEnqueueReadBuffer");
  return found;
}

/// Returns a row of a field of packed numbers as complex ones, with the number of its first.
std::vector<std::complex<double>> row_of(const std::vector<float>& numbers, std::size_t first,
                                         std::size_t count, bool real) {
  std::vector<std::complex<double>> row(count);
  for (std::size_t j = 0; j < count; ++j)
    row[j] = real ? std::complex<double>(numbers[first + j])
                  : std::complex<double>(numbers[2 * (first + j)], numbers[2 * (first + j) + 1]);
  return row;
}

double difference(const std::vector<std::complex<double>>& a,
                  const std::vector<std::complex<double>>& b) {
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    error += std::norm(a[i] - b[i]), norm += std::norm(b[i]);
  return std::sqrt(error / norm);
}

/// Compares rows on the kernels of a device with the definitions, in both directions.
void check_rows(const device::Facts& facts, const RaggedTransform& t) {
  const auto& device = simulated();
  const auto target = engine::make_target(device.context(), device.device());
  const engine::Engine engine(target, engine::decide(problem::make_rows(t), facts, {}), facts.type,
                              {});
  const bool on_items = facts.type != device::Type::cpu;
  REQUIRE((engine.blueprint.forward->program.steps[0].work_group_size() > 1) == on_items);
  const Kind kind = t.kind;
  const bool real = kind != Kind::complex, real_spectrum = real && kind != Kind::real;
  const bool last = t.signal.stride > 1;
  const auto entries_of = [&](std::size_t n) { return kind == Kind::real ? n / 2 + 1 : n; };
  std::size_t elements = 0, entries = 0;
  for (const std::size_t n : t.lengths) elements += n, entries += entries_of(n);
  const auto signal = ragged_signal(elements * t.batch * (real ? 1 : 2));
  const auto spectrum = computed_rows(engine, false, signal);
  const auto back = computed_rows(engine, true, spectrum);
  const auto at = [&](const std::vector<float>& numbers, std::size_t first, std::size_t count,
                      std::size_t all, std::size_t field, bool are_real) {
    if (!last) return row_of(numbers, field * all + first, count, are_real);
    std::vector<std::complex<double>> row;
    for (std::size_t j = 0; j < count; ++j)
      row.push_back(row_of(numbers, (first + j) * t.batch + field, 1, are_real)[0]);
    return row;
  };
  std::size_t first = 0, first_entry = 0;
  for (const std::size_t n : t.lengths) {
    for (std::size_t field = 0; field < t.batch; ++field) {
      const auto x = at(signal, first, n, elements, field, real);
      auto want = problem::reference(kind, {n}, x);
      want.resize(entries_of(n));
      INFO("kind " << static_cast<int>(kind) << ", " << n << ", field " << field << " of "
                   << t.batch << ", last " << last);
      const auto found = at(spectrum, first_entry, entries_of(n), entries, field, real_spectrum);
      REQUIRE(difference(found, want) < 2e-6);
      REQUIRE(difference(at(back, first, n, elements, field, real), x) < 4e-6);
    }
    first += n, first_entry += entries_of(n);
  }
}

}  // namespace

TEST_CASE("rows under oclgrind", "[.][oclgrind]") {
  auto facts = runtime::reported_facts(simulated().device());
  for (const auto type : {device::Type::cpu, device::Type::gpu}) {
    facts.type = type;
    for (const Kind kind : {Kind::complex, Kind::real, Kind::dct1, Kind::dct3, Kind::dst4}) {
      RaggedTransform t{.kind = kind, .lengths = {12, 5, 44, 2, 37, 131}, .batch = 3};
      check_rows(facts, t);
      t.signal = t.spectrum = {.offsets = {}, .stride = 3, .distance = 1};
      check_rows(facts, t);
    }
  }
}
