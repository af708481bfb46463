// This file runs transforms whose elements are more than 2^31 apart, on the host interpreter, and
// compares them with packed ones. Only the pages in use have memory.
#include <sys/mman.h>

#include <cmath>
#include <cstring>

#include "plan/cuts.hpp"
#include "plan/make_program.hpp"
#include "problem/make_problem.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/interpreted.hpp"
#include "support/naive.hpp"

using namespace imago;

namespace {

/// Zeros that need no memory until they are written.
class SparseMemory {
 public:
  explicit SparseMemory(std::size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    REQUIRE(data_ != MAP_FAILED);
  }
  ~SparseMemory() { munmap(data_, bytes_); }
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;
  std::span<std::byte> bytes() const { return {static_cast<std::byte*>(data_), bytes_}; }

 private:
  std::size_t bytes_;
  void* data_;
};

/// Calls body(index in real numbers) for every element of a side, members outermost.
template <class Body>
void over_elements(const problem::Side& side, std::uint64_t batch, const Body& body) {
  std::uint64_t count = batch;
  for (const std::uint64_t length : side.lengths) count *= length;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t rest = i, at = side.offset;
    for (std::size_t d = side.lengths.size(); d-- > 0; rest /= side.lengths[d])
      at += rest % side.lengths[d] * side.strides[d];
    body((at + rest * side.distance) * (side.element_bytes / sizeof(float)));
  }
}

/// Returns the results in the order of their indices; the data depend on the indices of the input.
std::vector<float> results(const Transform& t, bool inverse, Mapping mapping, Algorithm algorithm) {
  const auto problem = problem::make_problem(t);
  const auto facts = mapping == Mapping::vector ? test::wide_cpu() : test::large_gpu();
  const Parameters wish{mapping, algorithm, {}};
  kernel::Program program;
  for (const auto& line : plan::lines_of(problem, inverse, wish, facts))
    kernel::append(program, plan::make_program(line, facts, plan::complete(line, facts, wish)));

  const auto& from = inverse ? problem.spectrum : problem.signal;
  const auto& to = inverse ? problem.signal : problem.spectrum;
  const bool in_place = t.placement == Placement::in_place;
  const std::size_t most = std::max(from.bytes(), to.bytes());
  const SparseMemory in(in_place ? most : from.bytes()), out(in_place ? 8 : to.bytes());
  auto* source = reinterpret_cast<float*>(in.bytes().data());
  unsigned number = 0;
  over_elements(from, problem.batch, [&](std::uint64_t at) {
    for (std::size_t part = 0; part < from.element_bytes / sizeof(float); ++part)
      source[at + part] = static_cast<float>(std::sin(1.7 * ++number));
  });
  const auto target = in_place ? in.bytes() : out.bytes();
  test::Interpreted<float>(program).run(
      test::HostMemory{in.bytes(), target, from.offset, to.offset});
  std::vector<float> values;
  over_elements(to, problem.batch, [&](std::uint64_t at) {
    for (std::size_t part = 0; part < to.element_bytes / sizeof(float); ++part)
      values.push_back(reinterpret_cast<const float*>(target.data())[at + part]);
  });
  return values;
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double difference = 0, size = 0;
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::pow(double{a[i]} - double{b[i]}, 2);
    size += std::pow(double{b[i]}, 2);
  }
  return std::sqrt(difference / size);
}

constexpr std::size_t kFar = (std::size_t{1} << 31) + 3;

/// A transform of packed rows and columns, and the layout of its elements.
struct Case {
  std::vector<std::size_t> lengths;
  Kind kind = Kind::complex;
  Algorithm algorithm = Algorithm::automatic;
  Layout signal, spectrum;
};

/// Returns cases with one axis whose last point is far from the first, with two axes far apart, and
/// with members far apart.
std::vector<Case> cases_of(std::size_t n, Kind kind, Algorithm algorithm) {
  const std::size_t step = kFar / (n / 2) + 1, last = (n - 1) * step + 1;
  const Layout line{{step}, last + 5, 2}, inner{{step}, 1, 7}, rows{{kFar, 1}, 2 * n + 3, 1},
      columns{{1, step}, 3 * last, 4}, members{{1}, kFar, 9}, packed;
  std::vector<Case> cases;
  const auto add = [&](std::vector<std::size_t> lengths, const Layout& signal,
                       const Layout& spectrum) {
    cases.push_back({std::move(lengths), kind, algorithm, signal, spectrum});
  };
  add({n}, line, line);
  add({n}, inner, packed);
  add({n}, packed, inner);
  add({n}, members, members);
  add({3, n}, rows, columns);
  add({3, n}, columns, rows);
  return cases;
}

void check(const Case& each, Mapping mapping, Placement placement) {
  Transform packed;
  packed.lengths = each.lengths;
  packed.kind = each.kind;
  packed.batch = 2;
  if (each.lengths.size() > 1) packed.axes = {Kind::identity, each.kind};
  Transform far = packed;
  far.signal = each.signal, far.spectrum = each.spectrum;
  far.placement = placement;
  if (placement == Placement::in_place) far.spectrum = far.signal;
  for (const bool inverse : {false, true}) {
    CAPTURE(inverse, each.lengths, each.signal.strides, each.spectrum.strides);
    CAPTURE(static_cast<int>(mapping), static_cast<int>(each.algorithm));
    CHECK(distance(results(far, inverse, mapping, each.algorithm),
                   results(packed, inverse, mapping, each.algorithm)) < 1e-6);
  }
}

}  // namespace

TEST_CASE("elements that lie more than 2^31 apart") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  for (const std::size_t n : {16, 15, 37}) {
    for (const Case& each : cases_of(n, Kind::complex, Algorithm::automatic))
      check(each, mapping, Placement::out_of_place);
    for (const Case& each : cases_of(n, Kind::real, Algorithm::automatic))
      check(each, mapping, Placement::out_of_place);
  }
  for (const Case& each : cases_of(256, Kind::complex, Algorithm::hierarchy)) {
    check(each, mapping, Placement::out_of_place);
    if (each.signal.distance != 0) check(each, mapping, Placement::in_place);
  }
  for (const Case& each : cases_of(128, Kind::real, Algorithm::hierarchy))
    check(each, mapping, Placement::out_of_place);
  for (const Case& each : cases_of(37, Kind::complex, Algorithm::bluestein))
    check(each, mapping, Placement::out_of_place);
}
