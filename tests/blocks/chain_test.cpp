// This file runs chains of launches on the host interpreter, which finds work-groups that use the
// results of others, and compares them bitwise with the same kernels in separate launches.
#include <algorithm>
#include <string>
#include <vector>

#include "blocks/programs.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace imago;

namespace {

/// Returns the facts of a CPU whose few cores make short batches long enough for chains.
device::Facts two_cores() {
  auto facts = test::wide_cpu();
  facts.compute_units = 2;
  return facts;
}

/// Returns the number of kernel launches and the number of launches that they run.
std::pair<std::size_t, std::size_t> counts_of(const kernel::Program& program) {
  return {kernel::commands_of(program).size(), program.launches.size()};
}

template <class Real>
void check_bits(const catalogue::Case& problem, const kernel::Program& chained,
                const kernel::Program& several) {
  CHECK(test::result_of<Real>(chained, problem) == test::result_of<Real>(several, problem));
}

/// Checks that a case has this number of kernel launches, of `launches` that separate kernels need.
void check(const std::string& name, std::size_t commands, std::size_t launches) {
  CAPTURE(name);
  const auto problem = catalogue::parse(name);
  const auto chained = test::program_of(problem, two_cores(), Launches::chained);
  const auto several = test::program_of(problem, two_cores(), Launches::several);
  CHECK(counts_of(several) == std::pair(launches, launches));
  CHECK(counts_of(chained) == std::pair(commands, launches));
  CHECK(kernel::kernels_of(chained).size() == commands);
  if (problem.precision == Precision::f64)
    check_bits<double>(problem, chained, several);
  else
    check_bits<float>(problem, chained, several);
}

/// A case with the algorithm that makes each axis a line of its own.
std::string by_axes(const std::string& name, const std::string& kernels) {
  return name + "-vector-hierarchy" + kernels;
}

}  // namespace

TEST_CASE("images of a batch and planes of a volume are chained") {
  check(by_axes("16x40*6-f32-out-forward-none", "-k40-k16"), 1, 2);
  check(by_axes("16x40*6-f64-in-inverse-ortho", "-k40-k16"), 1, 2);
  // Seven images for two cores: four for one, three for the other.
  check(by_axes("16x40*7-f32-in-forward-none", "-k40-k16"), 1, 2);
  // Planes, then columns along the slowest axis.
  check(by_axes("16x20x40*1-f32-out-forward-none", "-k40-k20-k16"), 2, 3);
  // Whole volumes.
  check(by_axes("12x10x40*4-f32-in-forward-none", "-k40-k10-k12"), 1, 3);
}

TEST_CASE("small images share a work-group, and a part has whole tiles") {
  // 16 rows of 8 points are a tile, so at least two images of 8 rows are a part.
  check(by_axes("8x8*64-f32-out-forward-none", "-k8-k8"), 1, 2);
  // The last part is not full.
  check(by_axes("8x8*1111-f32-in-forward-none", "-k8-k8"), 1, 2);
}

TEST_CASE("real and cosine axes are chained") {
  check("16x40*6-f32-out-forward-none-real-vector-hierarchy-k40-k16", 1, 2);
  check("16x40*6-f32-in-forward-none-real-vector-hierarchy-k40-k16", 1, 2);
  check("16x40*6-f32-in-inverse-backward-real-vector-hierarchy-k40-k16", 1, 2);
  check("128x160*4-f32-out-forward-none-dct2-vector", 1, 2);
}

TEST_CASE("kernels of one long line are chained") {
  check("4096*4-f32-out-forward-none-vector-hierarchy-k64-k64", 1, 2);
  check("4096*4-f64-in-inverse-ortho-vector-hierarchy-k64-k64", 1, 2);
}

TEST_CASE("launches whose parts would overlap or divide memory differently stay separate") {
  // Batch elements interleave.
  check("16x40*6-f32-out-forward-none-t0:240.6/1-vector-hierarchy-k40-k16", 2, 2);
  // One image: no part per core.
  check(by_axes("16x40*1-f32-out-forward-none", "-k40-k16"), 2, 2);
  // Three images would keep the second of two cores idle half of the time.
  check(by_axes("16x40*3-f32-out-forward-none", "-k40-k16"), 2, 2);
}
