// This program times one call of small transforms in host memory by imago's C functions, compared
// with FFTW (FFTW_MEASURE) and, if it is built with it, oneMKL: one thread, pinned, in turns.
//
//     imago_small [KIND..]     default: c32 c64 r32 r64 (complex and real, f32 and f64)
//
// bench/README.md says how to build it with oneMKL.
#include <cstdio>
#include <cstdlib>
#include <memory>

#include <imago/imago.h>

#include "bench/small_rows.hpp"

namespace {

template <class Real>
imago::bench::Call call_of(std::size_t n, bool real, const Real* in, Real* out) {
  std::size_t lengths[] = {n};
  imago_transform transform = {};
  transform.size = sizeof transform;
  transform.kind = real ? IMAGO_REAL : IMAGO_COMPLEX;
  transform.precision = sizeof(Real) == 8 ? IMAGO_F64 : IMAGO_F32;
  transform.dimensions = 1, transform.lengths = lengths;
  imago_plan* plan = nullptr;
  if (imago_plan_create(&transform, nullptr, &plan) != IMAGO_SUCCESS) {
    std::printf("%zu: %s\n", n, imago_last_error());
    std::exit(1);
  }
  const std::shared_ptr<imago_plan> kept(plan, imago_plan_destroy);
  return [=] { imago_execute_forward(kept.get(), in, out); };
}

}  // namespace

int main(int count, char** values) {
  imago::bench::print_groups({values + 1, values + count}, call_of<float>, call_of<double>);
}
