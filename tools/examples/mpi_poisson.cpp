// This file is an example of a transform over ranks. It solves Poisson's
// equation -(u_xx + u_yy + u_zz) = f in a periodic box, whose planes are
// distributed to the ranks of an MPI program. `mpirun -np 4 mpi_poisson 48`
// solves it on 48 x 48 x 48 points, prints the largest error and fails if it is
// not small.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <vector>

#include <imago/imago.hpp>
#include <imago/mpi.hpp>

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

double exact(double x, double y, double z) {
  return std::sin(kTurn * x) * std::cos(2 * kTurn * y) +
         std::cos(3 * kTurn * z);
}
double right_side(double x, double y, double z) {
  const double turn = kTurn * kTurn;
  return 5 * turn * std::sin(kTurn * x) * std::cos(2 * kTurn * y) +
         9 * turn * std::cos(3 * kTurn * z);
}

/// Calls `work` with the index in this rank's array and the coordinates of each
/// point.
template <class Work>
void for_each(const imago::mpi::Part& part, Work work) {
  for (std::size_t i = 0; i < part.lengths[0]; ++i)
    for (std::size_t j = 0; j < part.lengths[1]; ++j)
      for (std::size_t k = 0; k < part.lengths[2]; ++k)
        work(i * part.strides[0] + j * part.strides[1] + k * part.strides[2],
             part.begin[0] + i, part.begin[1] + j, part.begin[2] + k);
}

double solve(std::size_t n) {
  const imago::Pool pool({imago::find_device({}, imago::Precision::f64)});
  imago::mpi::Plan plan(MPI_COMM_WORLD, pool,
                        {.kind = imago::Kind::real,
                         .precision = imago::Precision::f64,
                         .lengths = {n, n, n}},
                        {.transposed = true});
  std::vector<double> u(plan.signal().elements);
  std::vector<std::complex<double>> modes(plan.spectrum().elements);
  const auto at = [n](std::size_t i) {
    return static_cast<double>(i) / static_cast<double>(n);
  };
  for_each(plan.signal(), [&](std::size_t at_point, std::size_t i,
                              std::size_t j, std::size_t k) {
    u[at_point] = right_side(at(i), at(j), at(k));
  });
  plan.forward(u.data(), modes.data());
  const auto frequency = [n](std::size_t i) {
    return kTurn * (i <= n / 2 ? static_cast<double>(i)
                               : static_cast<double>(i) - double(n));
  };
  for_each(plan.spectrum(),
           [&](std::size_t mode, std::size_t i, std::size_t j, std::size_t k) {
             const double x = frequency(i), y = frequency(j), z = frequency(k);
             const double square = x * x + y * y + z * z;
             modes[mode] = square == 0 ? 0 : modes[mode] / square;
           });
  plan.inverse(modes.data(), u.data());
  double off = 0, largest = 0;
  for_each(plan.signal(), [&](std::size_t at_point, std::size_t i,
                              std::size_t j, std::size_t k) {
    off = std::max(off, std::abs(u[at_point] - exact(at(i), at(j), at(k))));
  });
  MPI_Allreduce(&off, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return largest;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 48;
  const double off = solve(n);
  if (rank == 0)
    std::printf("%zu^3 points on %d ranks: the largest error is %.1e\n", n,
                ranks, off);
  MPI_Finalize();
  return off < 1e-12 ? EXIT_SUCCESS : EXIT_FAILURE;
}
