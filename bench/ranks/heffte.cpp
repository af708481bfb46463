// This file measures heFFTe with slabs, with its FFTW backend and with imago's.
#include <heffte.h>

#include "contestant.hpp"

#if __has_include(<imago/heffte.hpp>)
#include <imago/heffte.hpp>
#define IMAGO_BENCH_OWN_BACKEND
#endif

namespace imago::bench::ranks {
namespace {

/// Returns a slab; heFFTe's axis 0 is the fastest one.
heffte::box3d<> slab(const Problem& problem, int axis, std::array<int, 3> order) {
  std::array<int, 3> low{0, 0, 0}, high{};
  for (int d = 0; d < 3; ++d) high[d] = static_cast<int>(problem.lengths[2 - d]) - 1;
  const int n = static_cast<int>(problem.lengths[2 - axis]), ranks = size();
  const int least = n / ranks, larger = n % ranks;
  low[axis] = rank() * least + std::min(rank(), larger);
  high[axis] = low[axis] + least + (rank() < larger ? 1 : 0) - 1;
  return {low, high, order};
}

heffte::plan_options options_of(heffte::plan_options options) {
  options.use_pencils = false;
  return options;
}

template <class Backend, class Real>
class Heffte : public Contestant {
 public:
  Heffte(const Problem& problem, std::string name)
      : name_(std::move(name)),
        plan_(slab(problem, 2, {0, 1, 2}),
              problem.transposed ? slab(problem, 1, {0, 2, 1}) : slab(problem, 2, {0, 1, 2}),
              MPI_COMM_WORLD, options_of(heffte::default_options<Backend>())),
        signal_(sizeof(Complex) * static_cast<std::size_t>(plan_.size_inbox())),
        spectrum_(sizeof(Complex) * static_cast<std::size_t>(plan_.size_outbox())),
        workspace_(sizeof(Complex) * static_cast<std::size_t>(plan_.size_workspace())) {}

  std::string name() const override { return name_; }
  void* signal() override { return signal_.data(); }
  std::size_t signal_numbers() const override { return signal_.bytes() / sizeof(Real); }
  void run() override {
    plan_.forward(static_cast<Complex*>(signal_.data()), static_cast<Complex*>(spectrum_.data()),
                  static_cast<Complex*>(workspace_.data()));
  }
  const void* spectrum() const override { return spectrum_.data(); }
  std::size_t spectrum_numbers() const override { return spectrum_.bytes() / sizeof(Real); }

 private:
  using Complex = std::complex<Real>;
  std::string name_;
  heffte::fft3d<Backend> plan_;
  Aligned signal_, spectrum_, workspace_;
};

template <class Backend>
std::unique_ptr<Contestant> make(const Problem& problem, const char* name) {
  if (problem.f64) return std::make_unique<Heffte<Backend, double>>(problem, name);
  return std::make_unique<Heffte<Backend, float>>(problem, name);
}

}  // namespace

std::unique_ptr<Contestant> make_heffte(const Problem& problem, bool with_imago) {
  if (problem.lengths.size() != 3) return nullptr;
  if (!with_imago) return make<heffte::backend::fftw>(problem, "heFFTe, FFTW");
#ifdef IMAGO_BENCH_OWN_BACKEND
  return make<heffte::backend::imago>(problem, "heFFTe, imago");
#else
  return nullptr;
#endif
}

}  // namespace imago::bench::ranks
