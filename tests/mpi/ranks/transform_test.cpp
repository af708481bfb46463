// This file compares imago::mpi::Plan with FFTW: every decomposition, kind and method of exchange.
#include "late.hpp"
#include "reference.hpp"
#include "support/catch.hpp"

namespace imago::test {
namespace {

using mpi::Shape;

template <class Real>
void check(const Transform& transform, const mpi::Decomposition& decomposition,
           const mpi::Options& options = {}, const Pool& devices = pool()) {
  Checked<Real> checked(transform, decomposition, options, devices);
  const Errors errors = checked.errors(1);
  CAPTURE(transform.lengths, decomposition.transposed, options.share_memory, options.pieces);
  CHECK(errors.forward < checked.bound());
  CHECK(errors.inverse < checked.bound());
}

/// Checks both orders of the spectrum, each with one method of exchange; `every`: with both
/// methods.
template <class Real>
void check_all(const Transform& transform, Shape shape, bool every = false) {
  for (const bool transposed : {false, true})
    for (const bool shared : {false, true}) {
      const bool odd = transform.lengths[0] % 2 != 0;
      if (every || (transposed != shared) == odd)
        check<Real>(transform, {.shape = shape, .transposed = transposed},
                    {.pieces = transposed ? 0u : 3u, .share_memory = shared});
    }
}

TEST_CASE("slabs of complex numbers in three dimensions", "[quick]") {
  check_all<float>({.lengths = {12, 10, 8}}, Shape::slabs, true);
}
TEST_CASE("lengths that no number of ranks divides, and less rows than ranks", "[quick]") {
  check_all<float>({.lengths = {7, 5, 6}}, Shape::slabs);
  check_all<float>({.lengths = {2, 3, 8}}, Shape::slabs);
  check_all<float>({.lengths = {1, 9, 4}}, Shape::slabs);
}
TEST_CASE("two dimensions", "[quick]") { check_all<float>({.lengths = {15, 16}}, Shape::slabs); }
TEST_CASE("slabs of reals", "[quick]") {
  check_all<float>({.kind = Kind::real, .lengths = {9, 8, 10}}, Shape::slabs);
  check_all<float>({.kind = Kind::real, .lengths = {10, 7}}, Shape::slabs);
}
TEST_CASE("pencils", "[quick]") {
  check_all<float>({.lengths = {6, 7, 8}}, Shape::pencils);
  check_all<float>({.kind = Kind::real, .lengths = {6, 5, 9}}, Shape::pencils);
}
TEST_CASE("cosines and sines, also beside complex and real axes", "[quick]") {
  check_all<float>({.kind = Kind::dct2, .lengths = {6, 5, 8}, .norm = Norm::ortho}, Shape::slabs);
  check_all<float>({.axes = {Kind::dst1, Kind::complex, Kind::real}, .lengths = {5, 4, 6}},
                   Shape::slabs);
  check_all<float>({.axes = {Kind::dct1, Kind::dct3, Kind::dst2}, .lengths = {5, 4, 6}},
                   Shape::pencils);
}
TEST_CASE("devices with memory of their own", "[quick]") {
  const Pool copying({find_device()}, {.copies = true});
  for (const bool transposed : {false, true})
    for (const bool shared : {false, true}) {
      check<float>({.lengths = {12, 10, 8}}, {.transposed = transposed}, {.share_memory = shared},
                   copying);
      check<float>({.kind = Kind::real, .lengths = {6, 5, 9}},
                   {.shape = Shape::pencils, .transposed = transposed}, {.share_memory = shared},
                   copying);
    }
}
TEST_CASE("pieces that arrive late", "[quick]") {
  const Late late;
  for (const bool transposed : {false, true}) {
    check<float>({.lengths = {12, 10, 8}}, {.shape = Shape::slabs, .transposed = transposed},
                 {.pieces = 4, .share_memory = false});
    check<float>({.lengths = {6, 7, 8}}, {.shape = Shape::pencils, .transposed = transposed},
                 {.pieces = 3, .share_memory = false});
  }
}
TEST_CASE("double precision", "[quick]") {
  check_all<double>({.precision = Precision::f64, .lengths = {6, 9, 8}}, Shape::slabs);
}

}  // namespace
}  // namespace imago::test
