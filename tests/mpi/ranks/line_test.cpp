// This file compares long lines over several ranks with FFTW.
#include <complex>
#include <numbers>

#include "reference.hpp"
#include "support/catch.hpp"
#include "support/variable.hpp"

namespace imago::test {
namespace {

std::vector<std::complex<double>> random_line(std::size_t n) {
  std::mt19937 random(5);
  std::uniform_real_distribution<float> numbers(-1, 1);
  std::vector<std::complex<double>> line(n);
  for (auto& value : line) value = {numbers(random), numbers(random)};
  return line;
}

std::vector<std::complex<double>> spectrum_of(const std::vector<std::complex<double>>& line) {
  catalogue::Case problem;
  problem.lengths = {line.size()};
  catalogue::Reference<double> reference(problem);
  for (std::size_t i = 0; i < line.size(); ++i) {
    reference.input()[2 * i] = line[i].real();
    reference.input()[2 * i + 1] = line[i].imag();
  }
  const auto found = reference.run();
  std::vector<std::complex<double>> spectrum(line.size());
  for (std::size_t i = 0; i < line.size(); ++i) spectrum[i] = {found[2 * i], found[2 * i + 1]};
  return spectrum;
}

/// Returns a part of a line of n0 x n1 points; `number` returns the index in the line of point (i,
/// j).
template <class Complex, class Number>
std::vector<Complex> dealt(const mpi::Part& part, const std::vector<std::complex<double>>& line,
                           Number number) {
  std::vector<Complex> found(part.elements);
  for (std::size_t i = 0; i < part.lengths[0]; ++i)
    for (std::size_t j = 0; j < part.lengths[1]; ++j)
      found[i * part.strides[0] + j * part.strides[1]] =
          Complex(line[number(part.begin[0] + i, part.begin[1] + j)]);
  return found;
}

template <class Complex>
double distance(const std::vector<Complex>& found, const std::vector<Complex>& wanted) {
  double off = 0, all = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    off += std::norm(found[i] - wanted[i]);
    all += std::norm(wanted[i]);
  }
  return std::sqrt(sum_of_all(off) / sum_of_all(all));
}

template <class Complex>
void check_line(std::size_t n, bool transposed, bool shared, double bound) {
  CAPTURE(n, transposed, shared);
  const auto precision = sizeof(Complex) == 16 ? Precision::f64 : Precision::f32;
  mpi::Plan plan(MPI_COMM_WORLD, pool(), {.precision = precision, .lengths = {n}},
                 {.transposed = transposed}, patient({.share_memory = shared}));
  const auto line = random_line(n), spectrum = spectrum_of(line);
  std::size_t rows = 0, columns = 0;
  for (int rank = 0; rank < world_size(); ++rank) rows += plan.signal_of(rank).lengths[0];
  columns = n / rows;
  const auto in = dealt<Complex>(plan.signal(), line,
                                 [&](std::size_t i, std::size_t j) { return i * columns + j; });
  const auto wanted = dealt<Complex>(plan.spectrum(), spectrum,
                                     [&](std::size_t i, std::size_t j) { return i + rows * j; });
  std::vector<Complex> out(plan.spectrum().elements), back(plan.signal().elements);
  plan.forward(in.data(), out.data());
  CHECK(distance(out, wanted) < 2 * bound);
  plan.inverse(out.data(), back.data());
  CHECK(distance(back, in) < 2 * bound);
}

TEST_CASE("long lines, in order and transposed", "[quick]") {
  for (const std::size_t n : {480, 4096})
    for (const bool transposed : {false, true})
      for (const bool shared : {false, true})
        check_line<std::complex<float>>(n, transposed, shared, 2e-8 * (4 + std::log2(n)));
}
TEST_CASE("a long line of f64 in pairs of f32", "[quick]") {
  const Variable pairs("IMAGO_F64", "pairs");
  for (const bool transposed : {false, true})
    check_line<std::complex<double>>(480, transposed, false, 4e-16 * (8 + std::log2(480)));
}
TEST_CASE("the spectrum of a line in order is dealt in order", "[quick]") {
  mpi::Plan plan(MPI_COMM_WORLD, pool(), {.lengths = {480}}, {}, patient());
  // 480 = 20 x 24: point k0 + 20 k1 is at (k0, k1), so adjacent points are adjacent in memory.
  CHECK(plan.spectrum().strides[0] == 1);
  if (plan.spectrum().elements > 0) CHECK(plan.spectrum().strides[1] == 20);
  CHECK(plan.signal().strides[1] == 1);
}

}  // namespace
}  // namespace imago::test
