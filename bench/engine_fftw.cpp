// This file adapts FFTW to the benchmark's interface. FFTW is the reference on CPUs, with as many
// threads as the OpenCL device has compute units. A cold plan has no wisdom; a warm one has that of
// the cold one.
#include <algorithm>
#include <cstring>
#include <optional>

#include "bench/engines.hpp"
#include "catalogue/fftw.hpp"

namespace imago::bench {
namespace {

template <class Real>
class FftwWork : public Work {
 public:
  FftwWork(const Case& problem, const Signal& signal, unsigned flags, unsigned threads)
      : signal_(signal), in_(spectrum_bytes(problem) / sizeof(Real)) {
    if (!in_place(problem)) spare_.emplace(in_.size());
    load();
    if (spare_) std::fill_n(spare_->data(), spare_->size(), Real{0});
    Fftw::plan_with_threads(static_cast<int>(threads));
    const double start = now();
    plan_.reset(make_plan(problem, flags));
    plan_seconds_ = now() - start;
    if (!plan_) throw Unsupported("FFTW made no plan for " + name(problem));
  }

  double plan_seconds() const override { return plan_seconds_; }
  void load() override { std::memcpy(in_.data(), signal_.data.data(), signal_.data.size()); }
  void enqueue() override { Fftw::execute(plan_.get()); }
  void finish() override {}  // a call returns its result
  double run(std::size_t calls) override {
    return time_train([this] { Fftw::execute(plan_.get()); }, [] {}, calls);
  }
  std::vector<double> read(std::size_t first, std::size_t count) override {
    const Real* values = out().data() + first;
    return {values, values + count};
  }

 private:
  using Fftw = catalogue::Fftw<Real>;
  const catalogue::FftwArray<Real>& out() const { return spare_ ? *spare_ : in_; }

  // Without embedding lengths, FFTW pads the rows of real data in place, and not out of place.
  typename Fftw::Plan make_plan(const Case& problem, unsigned flags) const {
    const std::vector<int> n(problem.lengths.begin(), problem.lengths.end());
    const int rank = static_cast<int>(n.size()), batch = static_cast<int>(problem.batch);
    const int from = static_cast<int>(packed_size(problem, true));
    const int to = static_cast<int>(packed_size(problem, false));
    if (problem.real())
      return Fftw::many_to_spectrum(rank, n.data(), batch, in_.data(), nullptr, 1, from,
                                    out().complex(), nullptr, 1, to, flags);
    if (problem.only_real()) {
      const std::vector<fftw_r2r_kind> kinds(n.size(), catalogue::fftw_kind(problem.kind));
      return Fftw::many_real_to_real(rank, n.data(), batch, in_.data(), nullptr, 1, from,
                                     out().data(), nullptr, 1, to, kinds.data(), flags);
    }
    return Fftw::many_complex(rank, n.data(), batch, in_.complex(), nullptr, 1, from,
                              out().complex(), nullptr, 1, to, FFTW_FORWARD, flags);
  }

  const Signal& signal_;
  catalogue::FftwArray<Real> in_;
  std::optional<catalogue::FftwArray<Real>> spare_;  ///< for out-of-place transforms
  catalogue::FftwPlan<Real> plan_;
  double plan_seconds_ = 0;
};

class FftwEngine : public Engine {
 public:
  explicit FftwEngine(const Surroundings& surroundings)
      : flags_(surroundings.fftw_estimate ? FFTW_ESTIMATE : FFTW_MEASURE),
        threads_(surroundings.identity.threads) {
    if (catalogue::Fftw<float>::init_threads() == 0 || catalogue::Fftw<double>::init_threads() == 0)
      throw Unsupported("FFTW could not start its threads");
  }
  std::string name() const override { return "fftw"; }
  std::string version() const override {
    return std::string(fftwf_version) +
           (flags_ == FFTW_MEASURE ? " FFTW_MEASURE" : " FFTW_ESTIMATE") + " threads " +
           std::to_string(threads_);
  }
  std::string refusal(const Case& problem) const override {
    if (problem.precision == Precision::f16) return "FFTW has no half precision";
    constexpr std::size_t kLargest = 2147483647;  // FFTW's interface has int counts
    const bool fits = elements(problem) <= kLargest / 2 && problem.batch <= kLargest;
    return fits ? "" : "more points than FFTW's int counts";
  }
  std::unique_ptr<Work> plan(const Case& problem, const Signal& signal, Caches caches) override {
    if (problem.precision == Precision::f64) return plan_as<double>(problem, signal, caches);
    return plan_as<float>(problem, signal, caches);
  }

 private:
  template <class Real>
  std::unique_ptr<Work> plan_as(const Case& problem, const Signal& signal, Caches caches) const {
    if (caches == Caches::cold) catalogue::Fftw<Real>::forget_wisdom();
    return std::make_unique<FftwWork<Real>>(problem, signal, flags_, threads_);
  }

  unsigned flags_, threads_;
};

}  // namespace

std::unique_ptr<Engine> make_fftw(const Surroundings& surroundings) {
  return std::make_unique<FftwEngine>(surroundings);
}

}  // namespace imago::bench
