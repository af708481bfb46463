// This file measures FFTW-MPI, planned with FFTW_MEASURE.
#include <optional>

#include <fftw3-mpi.h>

#include "catalogue/fftw.hpp"
#include "contestant.hpp"

namespace imago::bench::ranks {
namespace {

/// FFTW's functions for MPI.
template <class Real>
struct FftwMpi;
// FFTW's functions differ between precisions only by a prefix, which a template cannot express.
#define IMAGO_FFTW_MPI(Real, prefix)                                             \
  template <>                                                                    \
  struct FftwMpi<Real> {                                                         \
    static constexpr auto* begin = prefix##_mpi_init;                            \
    static constexpr auto* local_size = prefix##_mpi_local_size_many_transposed; \
    static constexpr auto* plan = prefix##_mpi_plan_dft;                         \
  }
IMAGO_FFTW_MPI(float, fftwf);
IMAGO_FFTW_MPI(double, fftw);
#undef IMAGO_FFTW_MPI

template <class Real>
class Peer : public Contestant {
 public:
  explicit Peer(const Problem& problem) {
    Mpi::begin();
    std::vector<std::ptrdiff_t> n(problem.lengths.begin(), problem.lengths.end());
    std::ptrdiff_t rows = 0, rows_begin = 0, turned = 0, turned_begin = 0;
    const auto dimensions = static_cast<int>(n.size());
    const std::ptrdiff_t all =
        Mpi::local_size(dimensions, n.data(), 1, FFTW_MPI_DEFAULT_BLOCK, FFTW_MPI_DEFAULT_BLOCK,
                        MPI_COMM_WORLD, &rows, &rows_begin, &turned, &turned_begin);
    signal_.emplace(2 * static_cast<std::size_t>(all));
    spectrum_.emplace(2 * static_cast<std::size_t>(all));
    plan_.reset(Mpi::plan(dimensions, n.data(), signal_->complex(), spectrum_->complex(),
                          MPI_COMM_WORLD, FFTW_FORWARD,
                          FFTW_MEASURE | (problem.transposed ? FFTW_MPI_TRANSPOSED_OUT : 0)));
    std::size_t row = 1;
    for (std::size_t d = 1; d < n.size(); ++d) row *= problem.lengths[d];
    const std::size_t turned_row = row / problem.lengths[1] * problem.lengths[0];
    signal_numbers_ = 2 * static_cast<std::size_t>(rows) * row;
    spectrum_numbers_ =
        problem.transposed ? 2 * static_cast<std::size_t>(turned) * turned_row : signal_numbers_;
  }

  std::string name() const override { return "FFTW-MPI"; }
  void* signal() override { return signal_->data(); }
  std::size_t signal_numbers() const override { return signal_numbers_; }
  void run() override { catalogue::Fftw<Real>::execute(plan_.get()); }
  const void* spectrum() const override { return spectrum_->data(); }
  std::size_t spectrum_numbers() const override { return spectrum_numbers_; }

 private:
  using Mpi = FftwMpi<Real>;
  std::optional<catalogue::FftwArray<Real>> signal_, spectrum_;
  catalogue::FftwPlan<Real> plan_;
  std::size_t signal_numbers_ = 0, spectrum_numbers_ = 0;
};

}  // namespace

std::unique_ptr<Contestant> make_fftw(const Problem& problem) {
  if (problem.f64) return std::make_unique<Peer<double>>(problem);
  return std::make_unique<Peer<float>>(problem);
}

}  // namespace imago::bench::ranks
