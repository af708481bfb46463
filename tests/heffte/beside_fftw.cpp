// This program compares imago's backend of heFFTe with FFTW on one rank: random arrays of several
// shapes over all ranks, every kind, both precisions, forward and inverse. (If a rank has no points
// at all, heFFTe 2.4.1 reads a null pointer with any backend.)
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "test_fft3d.h"

#include <imago/heffte.hpp>

namespace {

namespace backend = heffte::backend;
using Shape = std::array<int, 3>;

struct World {
  int rank = 0, ranks = 1, failed = 0, compared = 0;
} world;

/// Returns the norm of a - b over that of b, both over all ranks.
template <typename Number>
double difference(const std::vector<Number>& a, const std::vector<Number>& b) {
  std::array<double, 2> sums{};
  for (std::size_t i = 0; i < a.size(); ++i) {
    sums[0] += std::norm(std::complex<double>(a[i] - b[i]));
    sums[1] += std::norm(std::complex<double>(b[i]));
  }
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return std::sqrt(sums[0] / sums[1]);
}

template <typename Real, typename Number>
void check(const char* what, const Shape& shape, const std::vector<Number>& found,
           const std::vector<Number>& expected) {
  const double error = difference(found, expected),
               bound = 30 * std::numeric_limits<Real>::epsilon();
  ++world.compared;
  if (error <= bound) return;
  ++world.failed;
  if (world.rank != 0) return;
  std::printf("FAILED: %s %dx%dx%d, %zu bytes: error %g, bound %g\n", what, shape[0], shape[1],
              shape[2], sizeof(Real), error, bound);
}

/// Returns random numbers, the same on every rank.
template <typename Number>
std::vector<Number> random_numbers(const heffte::box3d<>& whole) {
  std::minstd_rand generator(42);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Number> numbers(static_cast<std::size_t>(whole.count()));
  for (Number& number : numbers) {
    if constexpr (std::is_floating_point_v<Number>) {
      number = static_cast<Number>(uniform(generator));
    } else {
      using Real = typename Number::value_type;
      number = {static_cast<Real>(uniform(generator)), static_cast<Real>(uniform(generator))};
    }
  }
  return numbers;
}

/// The whole array, the part of this rank before and after the transform, and the shape.
struct Problem {
  Shape shape;
  heffte::box3d<> whole, in, out;
  heffte::plan_options options;
};

/// Returns FFTW's transform of the whole array, on each rank separately.
template <typename Tag, typename Out, typename In>
std::vector<Out> reference(const heffte::box3d<>& whole, const std::vector<In>& signal) {
  std::vector<Out> spectrum(signal.size());
  heffte::fft3d<Tag>(whole, whole, MPI_COMM_SELF).forward(signal.data(), spectrum.data());
  return spectrum;
}

/// Compares imago's spectrum, and its inverse. `spectrum` is the spectrum of `seen`, the whole or
/// half of it.
template <typename Real, typename In, typename Out, typename Plan>
void compare(const char* what, const Problem& problem, const Plan& plan,
             const std::vector<In>& signal, const heffte::box3d<>& seen,
             const std::vector<Out>& spectrum) {
  const auto in = get_subbox(problem.whole, problem.in, signal);
  std::vector<Out> found(static_cast<std::size_t>(plan.size_outbox()));
  plan.forward(in.data(), found.data());
  check<Real>(what, problem.shape, found, get_subbox(seen, plan.outbox(), spectrum));
  std::vector<In> back(in.size());
  plan.backward(found.data(), back.data(), heffte::scale::full);
  check<Real>(what, problem.shape, back, in);
}

template <typename Mine, typename Theirs, typename Real, typename In, typename Out>
void compare_whole(const char* what, const Problem& problem) {
  const auto signal = random_numbers<In>(problem.whole);
  compare<Real, In, Out>(
      what, problem, heffte::fft3d<Mine>(problem.in, problem.out, MPI_COMM_WORLD, problem.options),
      signal, problem.whole, reference<Theirs, Out>(problem.whole, signal));
}

template <typename Real>
void compare_real(const Problem& problem, int axis) {
  using Complex = std::complex<Real>;
  const auto signal = random_numbers<Real>(problem.whole);
  const auto half = problem.whole.r2c(axis);
  const auto out =
      heffte::split_world(half, {1, world.ranks, 1})[static_cast<std::size_t>(world.rank)];
  const auto whole_spectrum = reference<backend::fftw, Complex>(problem.whole, signal);
  compare<Real, Real, Complex>(
      "real", problem,
      heffte::fft3d_r2c<backend::imago>(problem.in, out, axis, MPI_COMM_WORLD, problem.options),
      signal, half, get_subbox(problem.whole, half, whole_spectrum));
}

template <typename Real>
void compare_shape(const Shape& shape, const heffte::plan_options& options) {
  using Complex = std::complex<Real>;
  const heffte::box3d<> whole({0, 0, 0}, {shape[0] - 1, shape[1] - 1, shape[2] - 1});
  const auto me = static_cast<std::size_t>(world.rank);
  const Problem problem{shape, whole, heffte::split_world(whole, {world.ranks, 1, 1})[me],
                        heffte::split_world(whole, {1, world.ranks, 1})[me], options};
  compare_whole<backend::imago, backend::fftw, Real, Complex, Complex>("complex", problem);
  compare_whole<backend::imago, backend::fftw, Real, Real, Complex>("real as complex", problem);
  for (int axis = 0; axis < 3; ++axis) compare_real<Real>(problem, axis);
  compare_whole<backend::imago_cos, backend::fftw_cos, Real, Real, Real>("cos", problem);
  compare_whole<backend::imago_sin, backend::fftw_sin, Real, Real, Real>("sin", problem);
  if (std::ranges::min(shape) > 1) {
    compare_whole<backend::imago_cos1, backend::fftw_cos1, Real, Real, Real>("cos1", problem);
  }
  compare_whole<backend::imago_sin1, backend::fftw_sin1, Real, Real, Real>("sin1", problem);
}

}  // namespace

int main(int argc, char* argv[]) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world.ranks);
  const std::vector<Shape> shapes{{8, 12, 10}, {4, 20, 2}, {12, 11, 1}};
  for (const bool pencils : {true, false}) {
    for (const bool reorder : {true, false}) {
      const heffte::plan_options options(reorder, heffte::reshape_algorithm::alltoallv, pencils);
      for (const Shape& shape : shapes) {
        compare_shape<float>(shape, options);
        compare_shape<double>(shape, options);
      }
    }
  }
  const unsigned long mine = imago::heffte_backend::computed();
  unsigned long all = 0;
  MPI_Reduce(&mine, &all, 1, MPI_UNSIGNED_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (world.rank == 0) {
    std::printf("%d results on %d ranks compared, %d failed\nimago computed, together: %lu\n",
                world.compared, world.ranks, world.failed, all);
  }
  MPI_Finalize();
  return world.failed == 0 ? 0 : 1;
}
