// This file measures FFTW-MPI, planned with FFTW_MEASURE.
#include <fftw3-mpi.h>

#include "contestant.hpp"

namespace imago::bench::ranks {
namespace {

template <class Real>
struct Library;
// FFTW's functions differ between precisions by a prefix only, which no template can spell.
#define IMAGO_FFTW_MPI(Real, prefix)                                             \
  template <>                                                                    \
  struct Library<Real> {                                                         \
    using Plan = prefix##_plan;                                                  \
    using Complex = prefix##_complex;                                            \
    static constexpr auto* begin = prefix##_mpi_init;                            \
    static constexpr auto* local_size = prefix##_mpi_local_size_many_transposed; \
    static constexpr auto* plan = prefix##_mpi_plan_dft;                         \
    static constexpr auto* execute = prefix##_execute;                           \
    static constexpr auto* destroy = prefix##_destroy_plan;                      \
    static constexpr auto* allocate = prefix##_alloc_complex;                    \
    static constexpr auto* release = prefix##_free;                              \
  }
IMAGO_FFTW_MPI(float, fftwf);
IMAGO_FFTW_MPI(double, fftw);
#undef IMAGO_FFTW_MPI

template <class Real>
class Fftw : public Contestant {
 public:
  explicit Fftw(const Problem& problem) {
    Lib::begin();
    std::vector<std::ptrdiff_t> n(problem.lengths.begin(), problem.lengths.end());
    std::ptrdiff_t rows = 0, rows_begin = 0, turned = 0, turned_begin = 0;
    const auto dimensions = static_cast<int>(n.size());
    const std::ptrdiff_t all =
        Lib::local_size(dimensions, n.data(), 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                        MPI_COMM_WORLD, &rows, &rows_begin, &turned, &turned_begin);
    signal_.reset(Lib::allocate(static_cast<std::size_t>(all)));
    spectrum_.reset(Lib::allocate(static_cast<std::size_t>(all)));
    plan_.reset(Lib::plan(dimensions, n.data(), signal_.get(), spectrum_.get(), MPI_COMM_WORLD,
                          FFTW_FORWARD,
                          FFTW_MEASURE | (problem.transposed ? FFTW_MPI_TRANSPOSED_OUT : 0)));
    std::size_t row = 1;
    for (std::size_t d = 1; d < n.size(); ++d) row *= problem.lengths[d];
    const std::size_t turned_row = row / problem.lengths[1] * problem.lengths[0];
    signal_numbers_ = 2 * static_cast<std::size_t>(rows) * row;
    spectrum_numbers_ =
        problem.transposed ? 2 * static_cast<std::size_t>(turned) * turned_row : signal_numbers_;
  }

  std::string name() const override { return "FFTW-MPI"; }
  void* signal() override { return signal_.get(); }
  std::size_t signal_numbers() const override { return signal_numbers_; }
  void run() override { Lib::execute(plan_.get()); }
  const void* spectrum() const override { return spectrum_.get(); }
  std::size_t spectrum_numbers() const override { return spectrum_numbers_; }

 private:
  using Lib = Library<Real>;
  struct Release {
    void operator()(typename Lib::Complex* data) const { Lib::release(data); }
  };
  struct Destroy {
    void operator()(typename Lib::Plan plan) const { Lib::destroy(plan); }
  };
  using Array = std::unique_ptr<typename Lib::Complex, Release>;
  Array signal_, spectrum_;
  std::unique_ptr<std::remove_pointer_t<typename Lib::Plan>, Destroy> plan_;
  std::size_t signal_numbers_ = 0, spectrum_numbers_ = 0;
};

}  // namespace

std::unique_ptr<Contestant> make_fftw(const Problem& problem) {
  if (problem.f64) return std::make_unique<Fftw<double>>(problem);
  return std::make_unique<Fftw<float>>(problem);
}

}  // namespace imago::bench::ranks
