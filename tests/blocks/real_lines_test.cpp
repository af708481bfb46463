// This file runs real lines of even length on the host interpreter, in several kernels. Pairs of
// real numbers are at one end and the half spectrum at the other; the kernel next to it does the
// folding.
#include <cmath>
#include <limits>
#include <utility>

#include "catalogue/reference.hpp"
#include "catalogue/variants.hpp"
#include "plan/describe.hpp"
#include "plan/make_program.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"
#include "support/interpreted.hpp"
#include "support/lines.hpp"
#include "support/naive.hpp"

using namespace imago;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Spectra = std::vector<std::complex<float>>;

/// Returns real numbers as the interpreter's memory holds them: two in one complex number.
std::vector<std::complex<float>> packed(const std::vector<float>& reals) {
  std::vector<std::complex<float>> result((reals.size() + 1) / 2, {kNan, kNan});
  for (std::size_t i = 0; i < reals.size(); ++i)
    reinterpret_cast<float*>(result.data())[i] = reals[i];
  return result;
}

std::size_t written(const std::complex<float>* data, std::size_t count) {
  std::size_t numbers = 0;
  for (std::size_t i = 0; i < 2 * count; ++i)
    numbers += std::isnan(reinterpret_cast<const float*>(data)[i]) ? 0 : 1;
  return numbers;
}

/// Returns the place of real number j of a line that begins at `start`.
std::size_t real_at(const lines::Request& forward, std::size_t start, std::uint64_t j) {
  return start + j / 2 * forward.in.stride + j % 2 * forward.in.pair_stride;
}

Spectra run(const lines::Request& request, const device::Facts& facts, const Parameters& parameters,
            const std::vector<std::complex<float>>& input, std::size_t out_size) {
  const auto program =
      plan::make_program(request, facts, plan::complete(request, facts, parameters));
  CAPTURE(plan::describe(program, request));
  CHECK(program.launches.size() > 1);
  test::HostArrays<float> arrays{input, Spectra(out_size, {kNan, kNan}), 0, 0};
  test::Interpreted<float> interpreted(program);
  REQUIRE_NOTHROW(interpreted.run(arrays));
  return arrays.out;
}

/// Runs every line forward and back, with marks in the gaps. The request is the forward one.
void check(lines::Request request, const device::Facts& facts, const Parameters& parameters) {
  const std::uint64_t n = request.length, lines = request.lines() * request.batch;
  CAPTURE(facts.name, n, request.in.stride, request.out.stride, lines);
  const std::size_t reals = real_at(request, test::line_start(request, lines - 1, true), 2 * n),
                    points =
                        test::line_start(request, lines - 1, false) + n * request.out.stride + 1;
  std::vector<float> signal(reals, kNan);
  std::vector<std::complex<double>> expected;
  const auto values = test::random_data<float>(lines * n, n);
  for (std::uint64_t i = 0; i < lines; ++i) {
    std::vector<std::complex<float>> line;
    for (std::uint64_t j = 0; j < 2 * n; ++j) {
      const auto& pair = values[i * n + j / 2];
      line.emplace_back(j % 2 == 0 ? pair.real() : pair.imag());
      signal[real_at(request, test::line_start(request, i, true), j)] = line.back().real();
    }
    test::append_spectrum(line, n + 1, expected);
  }
  const auto spectra = run(request, facts, parameters, packed(signal), points);
  CHECK(written(spectra.data(), spectra.size()) == 2 * lines * (n + 1));
  Spectra results, back = spectra;
  for (std::uint64_t i = 0; i < lines; ++i) {
    const std::size_t start = test::line_start(request, i, false);
    for (std::uint64_t k = 0; k <= n; ++k)
      results.push_back(spectra[start + k * request.out.stride]);
    // The values of these parts must not matter.
    back[start] += std::complex<float>(0, 7), back[start + n * request.out.stride].imag(-9);
  }
  const double bound = 3 * catalogue::error_bound(Precision::f32, 2 * n);
  CHECK(test::relative_error<float, double>(results, expected) < bound);

  auto inverse = request;
  std::swap(inverse.in.elements, inverse.out.elements);
  std::swap(inverse.in.edge, inverse.out.edge);
  std::swap(inverse.in.stride, inverse.out.stride);
  std::swap(inverse.in.pair_stride, inverse.out.pair_stride);
  std::swap(inverse.in.distance, inverse.out.distance);
  for (auto& loop : inverse.loops) std::swap(loop.in_stride, loop.out_stride);
  inverse.inverse = true;
  inverse.scale = 0.5 / static_cast<double>(n);
  const auto result = run(inverse, facts, parameters, back, (reals + 1) / 2);
  CHECK(written(result.data(), result.size()) == 2 * lines * n);
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < reals; ++i) {
    if (std::isnan(signal[i])) continue;
    error += std::pow(reinterpret_cast<const float*>(result.data())[i] - signal[i], 2);
    norm += std::pow(signal[i], 2);
  }
  CHECK(std::sqrt(error / norm) < 2 * bound);
}

lines::Request packed_lines(std::uint64_t n, std::uint64_t batch) {
  lines::Request request;
  request.length = n;
  request.batch = batch;
  request.in.elements = kernel::Elements::pairs, request.out.edge = kernel::FoldedSpectrum{};
  request.in.stride = 2;
  request.in.distance = 2 * n, request.out.distance = n + 1;
  return request;
}

Parameters of(const std::vector<std::size_t>& lengths, unsigned columns = 0) {
  Parameters parameters;
  parameters.mapping = Mapping::work_group;
  parameters.algorithm = Algorithm::hierarchy;
  for (const auto length : lengths)
    parameters.kernels.push_back({.length = length, .columns = columns});
  return parameters;
}

}  // namespace

TEST_CASE("even lines of reals in two and three kernels on the interpreter") {
  const auto facts = GENERATE(test::wide_cpu(), test::small_gpu());
  // Finished columns are even or odd in number, of one pair and of one column; one pass and
  // several.
  for (const auto& lengths : std::vector<std::vector<std::size_t>>{{2, 30},
                                                                   {30, 2},
                                                                   {3, 5},
                                                                   {8, 6},
                                                                   {9, 10},
                                                                   {10, 9},
                                                                   {35, 64},
                                                                   {64, 35},
                                                                   {36, 40},
                                                                   {5, 6, 7},
                                                                   {7, 5, 9},
                                                                   {4, 36, 6}}) {
    std::uint64_t n = 1;
    for (const auto length : lengths) n *= length;
    for (const unsigned columns : {0u, 2u, 6u})
      check(packed_lines(n, 3), facts, of(lengths, columns));
  }
}

TEST_CASE("even lines of reals, both exchanges and one kernel per radix") {
  const auto facts = GENERATE(test::wide_cpu(), test::small_gpu());
  for (const auto exchange : {Exchange::interleaved, Exchange::split}) {
    auto parameters = of({32, 40}, 4);
    for (auto& kernel : parameters.kernels) kernel.exchange = exchange;
    check(packed_lines(1280, 1), facts, parameters);
    parameters = of({18, 16}, 8);  // a single pass
    for (auto& kernel : parameters.kernels) kernel.exchange = exchange;
    check(packed_lines(288, 2), facts, parameters);
  }
  Parameters global;
  global.mapping = Mapping::work_group;
  global.algorithm = Algorithm::global;
  for (const std::uint64_t n : {34, 63, 195, 1024, 2310}) check(packed_lines(n, 2), facts, global);
}

TEST_CASE("even lines of reals with strides and neighbours on the interpreter") {
  const auto facts = GENERATE(test::wide_cpu(), test::small_gpu());
  const auto parameters = GENERATE(of({8, 9}), of({9, 8}, 4), of({4, 3, 5}, 8));
  auto request = packed_lines(1, 2);
  for (const auto& kernel : parameters.kernels) request.length *= kernel.length;
  const std::uint64_t n = request.length;
  SECTION("columns of an array") {  // a row has 19 lines
    request.in.pair_stride = 19, request.in.stride = 38, request.out.stride = 19;
    request.loops = {{19, 1, 1}};
    request.in.distance = 19 * 2 * n, request.out.distance = 19 * (n + 1);
    check(request, facts, parameters);
  }
  SECTION("rows and points with gaps") {
    request.in.pair_stride = 3, request.in.stride = 6, request.out.stride = 2;
    request.loops = {{5, 6 * n + 1, 2 * n + 3}};
    request.in.distance = 5 * (6 * n + 1), request.out.distance = 5 * (2 * n + 3) + 7;
    check(request, facts, parameters);
  }
  SECTION("rows to columns") {
    request.out.stride = 17;
    request.loops = {{17, 2 * n, 1}};
    request.in.distance = 17 * 2 * n, request.out.distance = 17 * (n + 1);
    check(request, facts, parameters);
  }
}
