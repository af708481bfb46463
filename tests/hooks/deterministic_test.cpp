// This file tests that deterministic plans with hooks compute the same bits in every batch.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <imago/imago.hpp>

#include "hooks/trial.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace imago;
using namespace imago::test;

namespace {

constexpr std::size_t kBatch = 35;

/// Returns the first result of a forward transform of the first `batch` batch elements. On CPUs,
/// short transforms run in vectors, and the last ones, which do not fill a vector, one by one.
std::vector<float> transformed(Kind kind, std::size_t n, std::size_t batch, Mapping mapping) {
  const Device& device = default_device();
  const bool complex = kind == Kind::complex;
  Transform t{.kind = kind, .lengths = {n}, .batch = batch, .directions = Directions::forward};
  t.on_forward = {.load = {hook::window(0, "w")},
                  .store = {hook::scale(0.3), hook::window(0, "w"), hook::accumulate()}};
  Options options{.profiles = false, .deterministic = true};
  options.parameters.mapping = mapping;
  const Plan plan(device.context, device.device, t, options);
  const std::size_t each = n * (complex ? 2 : 1);
  std::vector<float> x, w;
  for (const Complex& value : numbers(kBatch * each, 3, true))
    x.push_back(static_cast<float>(value.real()));
  for (const Complex& value : numbers(n + 1, 4, true))
    w.push_back(static_cast<float>(value.real()));
  const auto y = device.upload(x);
  plan.forward(device.queue, device.upload(x), y, {.arguments = {{"w", device.upload(w)}}});
  return device.download<float>(y, each);
}

}  // namespace

TEST_CASE("A batch element has the bits that it has alone, also with hooks", "[long]") {
  for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
    for (const Kind kind : {Kind::complex, Kind::dct2, Kind::dct4, Kind::dst1}) {
      for (const std::size_t n : {6, 21, 64, 1000}) {
        CAPTURE(static_cast<int>(mapping), static_cast<int>(kind), n);
        CHECK((transformed(kind, n, 1, mapping) == transformed(kind, n, kBatch, mapping)));
      }
    }
  }
}
