// This file runs whole programs on the host interpreter, for devices that this machine need not
// have, and compares them with FFTW. The interpreter finds races, unwritten values and invalid
// addresses; marks around the result show writes outside it.
#include <cmath>
#include <limits>
#include <type_traits>

#include "base/integers.hpp"
#include "catalogue/planned_lengths.hpp"
#include "catalogue/reference.hpp"
#include "catalogue/request.hpp"
#include "catalogue/variants.hpp"
#include "kernel/radices.hpp"
#include "plan/describe.hpp"
#include "plan/make_program.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/interpreted.hpp"
#include "support/lines.hpp"
#include "support/naive.hpp"

using namespace imago;
using catalogue::Case;

namespace {

constexpr std::uint64_t kOffset = 3, kGuard = 8;

/// Returns the gap between batch members; every other case is packed.
std::uint64_t gap_of(const Case& problem) { return (problem.lengths[0] + problem.batch) % 2 * 2; }

template <class Real>
test::HostArrays<Real> arrays_of(const Case& problem) {
  const std::uint64_t length = problem.lengths[0];
  const std::size_t count = kOffset + problem.batch * (length + gap_of(problem)) + kGuard;
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  test::HostArrays<Real> arrays;
  arrays.in.assign(count, {nan, nan});
  if (problem.placement == Placement::out_of_place) arrays.out = arrays.in;
  arrays.in_offset = arrays.out_offset = kOffset;
  const auto data =
      test::random_data<Real>(problem.batch * length, catalogue::hash(problem.name()));
  for (std::size_t i = 0; i < data.size(); ++i)
    arrays.in[kOffset + i / length * (length + gap_of(problem)) + i % length] = data[i];
  return arrays;
}

/// Returns the pooled relative error. A lost mark or an element that is not written makes it
/// infinite or NaN.
template <class Real>
double error_of(const Case& problem, const std::vector<std::complex<Real>>& in,
                const std::vector<std::complex<Real>>& out) {
  using Wide = std::conditional_t<std::is_same_v<Real, float>, double, long double>;
  const std::uint64_t length = problem.lengths[0];
  catalogue::Reference<Wide> reference(problem);
  std::vector<std::complex<Real>> results;
  std::vector<std::complex<Wide>> expected;
  const auto scale = static_cast<Wide>(problem.scale());
  for (std::uint64_t member = 0; member < problem.batch; ++member) {
    const std::size_t first = kOffset + member * (length + gap_of(problem));
    for (std::size_t i = 0; i < length; ++i) {
      reference.input()[2 * i] = in[first + i].real();
      reference.input()[2 * i + 1] = in[first + i].imag();
      results.push_back(out[first + i]);
    }
    const auto spectrum = reference.run();
    for (std::size_t i = 0; i < length; ++i)
      expected.emplace_back(scale * spectrum[2 * i], scale * spectrum[2 * i + 1]);
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t at = i - kOffset, member = at / (length + gap_of(problem));
    const bool inside =
        i >= kOffset && member < problem.batch && at % (length + gap_of(problem)) < length;
    if (!inside && !std::isnan(out[i].real())) return std::numeric_limits<double>::infinity();
  }
  return test::relative_error<Real, Wide>(results, expected);
}

/// Returns true if a kernel divides a value that differs between the work-items of a group. PoCL
/// 5.0 miscompiles such kernels (Builder::quotient_by_multiplication).
bool divides_by_work_item(const ir::Kernel& kernel) {
  std::vector<bool> varies(kernel.code.size());
  for (std::size_t i = 0; i < kernel.code.size(); ++i) {
    const ir::Instruction& x = kernel.code[i];
    varies[i] = x.op == ir::Op::local_id;
    for (const auto argument : x.args)
      varies[i] = varies[i] || (argument != ir::kNone && varies[argument]);
    if (varies[i] && (x.op == ir::Op::div || x.op == ir::Op::mod)) return true;
  }
  return false;
}

template <class Real, Precision precision>
void check(const Case& problem, const device::Facts& facts) {
  CAPTURE(problem.name(), facts.name);
  auto request = catalogue::request_of(problem);
  request.in.distance = request.out.distance = problem.lengths[0] + gap_of(problem);
  const auto program =
      plan::make_program(request, facts, plan::complete(request, facts, problem.parameters));
  for (const auto& step : program.steps) REQUIRE(!divides_by_work_item(blocks::emit(step)));
  auto arrays = arrays_of<Real>(problem);
  std::vector<std::complex<Real>> input;
  test::Interpreted<Real> interpreted(program);
  if constexpr (precision == Precision::f16) {
    auto halves = test::halved(arrays);
    input = test::widened(halves).in;
    REQUIRE_NOTHROW(interpreted.run(halves));
    arrays = test::widened(halves);
  } else {
    input = arrays.in;
    REQUIRE_NOTHROW(interpreted.run(arrays));
  }
  // One short transform may exceed the pooled bound; the limit is twice the bound, as for the worst
  // member.
  const double bound = 2 * catalogue::error_bound(problem);
  REQUIRE(error_of(problem, input, arrays.out.empty() ? arrays.in : arrays.out) < bound);
}

void check(const Case& problem, const device::Facts& facts) {
  if (problem.precision == Precision::f16) {
    check<float, Precision::f16>(problem, facts);
  } else if (problem.precision == Precision::f32) {
    check<float, Precision::f32>(problem, facts);
  } else if (facts.f64.native) {
    check<double, Precision::f64>(problem, facts);
  }
}

/// Returns a case whose combination of properties depends on `turn`.
Case rotated(std::uint64_t length, const Parameters& parameters, std::uint64_t turn) {
  constexpr std::uint64_t kBatches[] = {1, 2, 3, 17, 33};
  Case problem;
  problem.lengths = {length};
  problem.batch = length <= 256 ? kBatches[turn % 5] : 1 + turn % 2;
  problem.precision = turn / 2 % 2 == 0 ? Precision::f32 : Precision::f64;
  problem.placement = turn % 2 == 0 ? Placement::out_of_place : Placement::in_place;
  problem.direction =
      turn / 4 % 2 == 0 ? catalogue::Direction::forward : catalogue::Direction::inverse;
  problem.norm = turn / 8 % 2 == 0 ? Norm::none : Norm::ortho;
  problem.parameters = parameters;
  return problem;
}

}  // namespace

TEST_CASE("every short length, both mappings, on the interpreter") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const auto facts = GENERATE(test::wide_cpu(), test::large_gpu(), test::small_gpu());
  Parameters parameters;
  parameters.mapping = mapping;
  std::uint64_t turn = 0;
  for (const auto length : catalogue::planned_lengths(200)) {
    for (int i = 0; i < 3; ++i) check(rotated(length, parameters, turn++), facts);
  }
}

TEST_CASE("longer lengths on the interpreter") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const auto facts = GENERATE(test::wide_cpu(), test::large_gpu(), test::small_gpu());
  Parameters parameters;
  parameters.mapping = mapping;
  std::uint64_t turn = 0;
  for (const std::uint64_t length : {256, 512, 1000, 1001, 2048, 4096, 6561, 8192}) {
    check(rotated(length, parameters, 5 * turn++), facts);
  }
}

TEST_CASE("forced algorithms on the interpreter") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const auto algorithm = GENERATE(Algorithm::hierarchy, Algorithm::global);
  const auto facts = GENERATE(test::wide_cpu(), test::small_gpu());
  Parameters parameters;
  parameters.mapping = mapping;
  parameters.algorithm = algorithm;
  std::uint64_t turn = 0;
  for (const std::uint64_t length : {16, 36, 60, 64, 143, 210, 1000, 1024, 2401}) {
    check(rotated(length, parameters, 5 * turn++), facts);
  }
}

TEST_CASE("half precision on the interpreter") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const auto algorithm = GENERATE(Algorithm::automatic, Algorithm::hierarchy, Algorithm::global,
                                  Algorithm::rader, Algorithm::bluestein);
  const auto facts = GENERATE(test::wide_cpu(), test::small_gpu());
  Parameters parameters;
  parameters.mapping = mapping;
  parameters.algorithm = algorithm;
  const bool prime = algorithm == Algorithm::rader;
  std::uint64_t turn = 0;
  for (const std::uint64_t length :
       {prime ? 13 : 15, prime ? 17 : 16, prime ? 31 : 60, prime ? 37 : 128, prime ? 101 : 210}) {
    for (int i = 0; i < 4; ++i) {
      Case problem = rotated(length, parameters, 3 * turn++);
      problem.precision = Precision::f16;
      check(problem, facts);
    }
  }
}

TEST_CASE("three kernels on the interpreter") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  Parameters parameters;
  parameters.mapping = mapping;
  parameters.algorithm = Algorithm::hierarchy;
  parameters.kernels.resize(3);
  parameters.kernels[0].length = 12;
  parameters.kernels[1].length = 8;
  parameters.kernels[2].length = 10;
  for (std::uint64_t turn = 0; turn < 16; ++turn)
    check(rotated(960, parameters, turn), test::wide_cpu());
}

TEST_CASE("every short length as a convolution, on the interpreter") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const auto algorithm = GENERATE(Algorithm::rader, Algorithm::bluestein);
  const auto facts = GENERATE(test::wide_cpu(), test::small_gpu());
  Parameters parameters;
  parameters.mapping = mapping;
  parameters.algorithm = algorithm;
  std::uint64_t turn = 0;
  for (std::uint64_t length = 2; length <= 64; ++length) {
    if (algorithm == Algorithm::rader && (length == 2 || !base::is_prime(length))) continue;
    check(rotated(length, parameters, 3 * turn++), facts);
  }
}

TEST_CASE("two transforms abreast, in batches that leave one and without a gap or with") {
  struct Shape {
    std::vector<unsigned> radices;
    unsigned lanes;
  };
  const auto shape = GENERATE(Shape{{8, 8}, 16}, Shape{{16, 8}, 16}, Shape{{8, 16}, 16},
                              Shape{{3, 8, 8}, 16}, Shape{{4, 4}, 8}, Shape{{2, 2}, 4});
  const auto twiddles = GENERATE(Twiddles::table, Twiddles::product, Twiddles::polynomial);
  KernelParameters kernel{.length = 1, .radices = shape.radices, .lanes = shape.lanes};
  for (const unsigned radix : shape.radices) kernel.length *= radix;
  kernel.axis = LaneAxis::points, kernel.twiddles = twiddles, kernel.columns = 2;
  Parameters parameters;
  parameters.mapping = Mapping::vector;
  parameters.kernels = {kernel};
  const auto request = catalogue::request_of(rotated(kernel.length, parameters, 0));
  const auto facts = test::wide_cpu();
  const auto program =
      plan::make_program(request, facts, plan::complete(request, facts, parameters));
  REQUIRE(program.steps.at(0).vectors().abreast == 2);
  for (std::uint64_t turn = 0; turn < 20; ++turn)
    check(rotated(kernel.length, parameters, turn), facts);
}

TEST_CASE("convolutions in lanes along columns and along points") {
  const auto axis = GENERATE(LaneAxis::columns, LaneAxis::points);
  const auto algorithm = GENERATE(Algorithm::rader, Algorithm::bluestein);
  Parameters parameters;
  parameters.mapping = Mapping::vector;
  parameters.algorithm = algorithm;
  parameters.kernels = {{.axis = axis}};
  std::uint64_t turn = 0;
  for (const std::uint64_t length : {3, 5, 11, 17, 37, 43, 101, 127})
    for (int i = 0; i < 4; ++i) check(rotated(length, parameters, 3 * turn++), test::wide_cpu());
}

TEST_CASE("longer convolutions on the interpreter") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const auto facts = GENERATE(test::wide_cpu(), test::large_gpu(), test::small_gpu());
  Parameters parameters;
  parameters.mapping = mapping;
  std::uint64_t turn = 0;
  for (const std::uint64_t length : {94, 257, 263, 509, 1009, 1019, 2038})
    check(rotated(length, parameters, 5 * turn++), facts);
}

TEST_CASE("Rader's convolution, padded") {
  Parameters parameters;
  parameters.mapping = GENERATE(Mapping::work_group, Mapping::vector);
  parameters.algorithm = Algorithm::rader;
  std::uint64_t turn = 0;
  for (const std::uint64_t length : {13, 83, 167, 263}) {
    parameters.kernels = {{.length = length == 83 ? 165u : 2 * length}};
    check(rotated(length, parameters, 5 * turn++), test::small_gpu());
  }
}

TEST_CASE("convolutions over several kernels on the interpreter") {
  const auto mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const auto kernels = GENERATE(std::vector<std::size_t>{16, 24}, std::vector<std::size_t>{20, 18},
                                std::vector<std::size_t>{8, 7, 6});
  Parameters parameters;
  parameters.mapping = mapping;
  parameters.algorithm = Algorithm::bluestein;
  std::uint64_t chain = 1;
  for (const auto length : kernels) {
    parameters.kernels.push_back({.length = length});
    chain *= length;
  }
  std::uint64_t turn = 0;
  for (const std::uint64_t length : {(chain + 1) / 2, chain / 2 - 3, chain / 3}) {
    for (const auto& facts : {test::wide_cpu(), test::small_gpu()})
      for (int i = 0; i < 2; ++i) check(rotated(length, parameters, 3 * turn++), facts);
  }
}

namespace {

/// Compares every line of the request with FFTW, with marks in the gaps.
void check_lines(const lines::Request& request, const device::Facts& facts,
                 const Parameters& parameters, std::size_t in_size, std::size_t out_size) {
  const auto program =
      plan::make_program(request, facts, plan::complete(request, facts, parameters));
  CAPTURE(facts.name, request.length, plan::describe(program, request));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  test::HostArrays<float> arrays;
  arrays.in = test::random_data<float>(in_size, request.length);
  if (request.placement == Placement::out_of_place) arrays.out.assign(out_size, {nan, nan});
  const auto input = arrays.in;
  test::Interpreted<float> interpreted(program);
  REQUIRE_NOTHROW(interpreted.run(arrays));
  const auto& output = arrays.out.empty() ? arrays.in : arrays.out;
  std::vector<std::complex<float>> results;
  std::vector<std::complex<double>> expected;
  for (std::uint64_t i = 0; i < request.lines() * request.batch; ++i) {
    std::vector<std::complex<float>> line(request.length);
    for (std::uint64_t n = 0; n < request.length; ++n) {
      line[n] = input[test::line_start(request, i, true) + n * request.in.stride];
      results.push_back(output[test::line_start(request, i, false) + n * request.out.stride]);
    }
    test::append_spectrum(line, line.size(), expected);
  }
  const double error = test::relative_error<float, double>(results, expected);
  CHECK(error < 6 * catalogue::error_bound(Precision::f32, 8 * request.length));
}

}  // namespace

TEST_CASE("convolved lines with strides and neighbours on the interpreter") {
  const auto facts = GENERATE(test::wide_cpu(), test::small_gpu());
  Parameters parameters;
  parameters.mapping = GENERATE(Mapping::work_group, Mapping::vector);
  for (const std::uint64_t n : {37, 46, 74, 167, 1009}) {
    lines::Request request;
    request.length = n;
    request.batch = 2;
    SECTION("columns of an array " + std::to_string(n)) {  // a row has 19 lines
      request.in.stride = request.out.stride = 19;
      request.loops = {{19, 1, 1}};
      request.in.distance = request.out.distance = 19 * n;
      request.placement = Placement::in_place;
      check_lines(request, facts, parameters, 2 * 19 * n, 0);
    }
    SECTION("points and rows with gaps " + std::to_string(n)) {
      request.in.stride = 3, request.out.stride = 2;
      request.loops = {{5, 3 * n + 1, 2 * n}};
      request.in.distance = 5 * (3 * n + 1), request.out.distance = 10 * n + 7;
      check_lines(request, facts, parameters, 10 * (3 * n + 1), 2 * (10 * n + 7));
    }
    SECTION("from columns to rows " + std::to_string(n)) {
      request.in.stride = 17, request.out.stride = 1;
      request.loops = {{17, 1, n}};
      request.in.distance = request.out.distance = 17 * n;
      check_lines(request, facts, parameters, 2 * 17 * n, 2 * 17 * n);
    }
    SECTION("columns over several kernels " + std::to_string(n)) {
      request.in.stride = request.out.stride = 19;
      request.loops = {{19, 1, 1}};
      request.in.distance = request.out.distance = 19 * n;
      parameters.algorithm = Algorithm::bluestein;
      const std::uint64_t other = (2 * n + 15) / 16;
      parameters.kernels = {{.length = 16}, {.length = other % 2 == 0 ? other : other + 1}};
      while (!kernel::has_radices(parameters.kernels[1].length)) ++parameters.kernels[1].length;
      check_lines(request, facts, parameters, 2 * 19 * n, 2 * 19 * n);
    }
  }
}

TEST_CASE("convolved real lines on the interpreter") {
  const auto facts = GENERATE(test::wide_cpu(), test::small_gpu());
  Parameters parameters;
  parameters.mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const std::uint64_t n = GENERATE(37, 47, 167, 1009);
  const auto kernels = GENERATE(1u, 2u);
  const std::uint64_t half = n / 2 + 1, batch = 19;
  if (kernels == 2) {
    parameters.algorithm = Algorithm::bluestein;
    parameters.kernels = {{.length = 16}, {.length = (2 * n + 15) / 16}};
    while (!kernel::has_radices(parameters.kernels[1].length)) ++parameters.kernels[1].length;
  }
  const auto reals = test::random_data<float>(batch * n, n);
  test::HostArrays<float> forward, inverse;
  forward.in.resize((batch * n + 1) / 2);  // as real numbers
  auto* const packed = reinterpret_cast<float*>(forward.in.data());
  for (std::size_t i = 0; i < batch * n; ++i) packed[i] = reals[i].real();
  forward.out.resize(batch * half);

  lines::Request request;
  request.length = n;
  request.batch = batch;
  request.in.elements = kernel::Elements::real, request.out.edge = kernel::HalfSpectrum{};
  request.in.distance = n, request.out.distance = half;
  const auto run = [&](test::HostArrays<float>& arrays) {
    const auto program =
        plan::make_program(request, facts, plan::complete(request, facts, parameters));
    CHECK(program.launches.size() == 2 * kernels - 1);
    test::Interpreted<float> interpreted(program);
    REQUIRE_NOTHROW(interpreted.run(arrays));
  };
  run(forward);
  std::vector<std::complex<double>> expected;
  for (std::uint64_t m = 0; m < batch; ++m) {
    std::vector<std::complex<float>> line(n);
    for (std::uint64_t i = 0; i < n; ++i) line[i] = packed[m * n + i];
    test::append_spectrum(line, half, expected);
  }
  const double bound = 6 * catalogue::error_bound(Precision::f32, n);
  CHECK(test::relative_error<float, double>(forward.out, expected) < bound);

  std::swap(request.in.elements, request.out.elements);
  std::swap(request.in.edge, request.out.edge);
  std::swap(request.in.distance, request.out.distance);
  request.inverse = true;
  request.scale = 1 / static_cast<double>(n);
  inverse.in = forward.out;
  inverse.out.resize(forward.in.size());
  run(inverse);
  double error = 0, norm = 0;
  const auto* const back = reinterpret_cast<const float*>(inverse.out.data());
  for (std::size_t i = 0; i < batch * n; ++i) {
    error += std::pow(back[i] - packed[i], 2);
    norm += std::pow(packed[i], 2);
  }
  CHECK(std::sqrt(error / norm) < 2 * bound);
}
