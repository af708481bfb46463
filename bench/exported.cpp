// This program times one call of exported functions of C, compared with FFTW (FFTW_MEASURE) and, if
// it is built with it, oneMKL. exported.py exports the functions, writes the list of them, and
// compiles and runs this file.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>

#include "small_rows.hpp"
#include "transforms.h"

namespace {

template <class Real>
struct Exported {
  std::size_t n = 0;
  bool real = false;
  void (*function)(const Real* in, Real* out, void* scratch) = nullptr;
  std::size_t scratch_bytes = 0;
};

// Defines kF32 and kF64, arrays of Exported.
#include "exported_list.hpp"

template <class Real>
imago::bench::Call call_of(std::size_t n, bool real, const Real* in, Real* out) {
  const auto found_in = [&](const auto& list) -> imago::bench::Call {
    for (const auto& each : list) {
      if (each.n != n || each.real != real) continue;
      const std::shared_ptr<void> scratch(std::aligned_alloc(64, each.scratch_bytes + 64),
                                          std::free);
      return [=, function = each.function] { function(in, out, scratch.get()); };
    }
    std::printf("%zu points are not exported\n", n);
    std::exit(1);
  };
  if constexpr (std::is_same_v<Real, float>)
    return found_in(kF32);
  else
    return found_in(kF64);
}

}  // namespace

int main(int count, char** values) {
  imago::bench::print_groups({values + 1, values + count}, call_of<float>, call_of<double>);
}
