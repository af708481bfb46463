// This file puts FFTW behind the benchmark's interface: the CPU's reference, with as many threads
// as the OpenCL device has compute units. A cold plan has no wisdom, a warm one that of the cold
// one.
#include <fftw3.h>

#include <cstring>

#include "base/integers.hpp"
#include "bench/engines.hpp"
#include "bench/fftw_kind.hpp"

namespace imago::bench {
namespace {

// FFTW's functions differ between precisions by a prefix only.
struct Single {
  using Real = float;
  using Complex = fftwf_complex;
  using Plan = fftwf_plan;
  static constexpr auto kInit = fftwf_init_threads;
  static constexpr auto kThreads = fftwf_plan_with_nthreads;
  static constexpr auto kMake = fftwf_plan_many_dft;
  static constexpr auto kMakeReal = fftwf_plan_many_dft_r2c;
  static constexpr auto kMakeTrigonometric = fftwf_plan_many_r2r;
  static constexpr auto kExecute = fftwf_execute;
  static constexpr auto kDestroy = fftwf_destroy_plan;
  static constexpr auto kForget = fftwf_forget_wisdom;
  static constexpr auto kAllocate = fftwf_alloc_complex;
  static constexpr auto kRelease = fftwf_free;
};
struct Double {
  using Real = double;
  using Complex = fftw_complex;
  using Plan = fftw_plan;
  static constexpr auto kInit = fftw_init_threads;
  static constexpr auto kThreads = fftw_plan_with_nthreads;
  static constexpr auto kMake = fftw_plan_many_dft;
  static constexpr auto kMakeReal = fftw_plan_many_dft_r2c;
  static constexpr auto kMakeTrigonometric = fftw_plan_many_r2r;
  static constexpr auto kExecute = fftw_execute;
  static constexpr auto kDestroy = fftw_destroy_plan;
  static constexpr auto kForget = fftw_forget_wisdom;
  static constexpr auto kAllocate = fftw_alloc_complex;
  static constexpr auto kRelease = fftw_free;
};

template <class Fftw>
class FftwWork : public Work {
 public:
  FftwWork(const Case& problem, const Signal& signal, unsigned flags, unsigned threads)
      : signal_(signal), in_(allocate(problem)) {
    if (!in_place(problem)) spare_ = allocate(problem);
    out_ = in_place(problem) ? in_.get() : spare_.get();
    load();
    if (!in_place(problem)) std::memset(out_, 0, spectrum_bytes(problem));
    Fftw::kThreads(static_cast<int>(threads));
    const double start = now();
    plan_ = is_real(problem)            ? make_real(problem, flags)
            : is_trigonometric(problem) ? make_trigonometric(problem, flags)
                                        : make_complex(problem, flags);
    plan_seconds_ = now() - start;
    if (plan_ == nullptr) throw Unsupported("FFTW made no plan for " + name(problem));
  }
  ~FftwWork() override {
    if (plan_ != nullptr) Fftw::kDestroy(plan_);
  }
  FftwWork(const FftwWork&) = delete;
  FftwWork& operator=(const FftwWork&) = delete;

  double plan_seconds() const override { return plan_seconds_; }
  void load() override { std::memcpy(in_.get(), signal_.data.data(), signal_.data.size()); }
  void once() override { Fftw::kExecute(plan_); }
  double run(std::size_t calls) override {
    once();
    const double start = now();
    for (std::size_t i = 0; i < calls; ++i) Fftw::kExecute(plan_);
    return now() - start;
  }
  std::vector<double> read(std::size_t first, std::size_t count) override {
    const auto* values = reinterpret_cast<const typename Fftw::Real*>(out_);
    return {values + first, values + first + count};
  }

 private:
  struct Release {
    void operator()(typename Fftw::Complex* array) const { Fftw::kRelease(array); }
  };
  using Array = std::unique_ptr<typename Fftw::Complex[], Release>;

  static Array allocate(const Case& problem) {
    return Array(Fftw::kAllocate(
        base::ceil_divide(spectrum_bytes(problem), sizeof(typename Fftw::Complex))));
  }

  typename Fftw::Plan make_complex(const Case& problem, unsigned flags) const {
    const std::vector<int> n(problem.lengths.begin(), problem.lengths.end());
    const int distance = static_cast<int>(points(problem));
    return Fftw::kMake(static_cast<int>(n.size()), n.data(), static_cast<int>(problem.batch),
                       in_.get(), nullptr, 1, distance, out_, nullptr, 1, distance, FFTW_FORWARD,
                       flags);
  }
  // Without embedding lengths FFTW pads the rows in place, and not out of place.
  typename Fftw::Plan make_real(const Case& problem, unsigned flags) const {
    const std::vector<int> n(problem.lengths.begin(), problem.lengths.end());
    return Fftw::kMakeReal(static_cast<int>(n.size()), n.data(), static_cast<int>(problem.batch),
                           reinterpret_cast<typename Fftw::Real*>(in_.get()), nullptr, 1,
                           static_cast<int>(rows(problem) * signal_pitch(problem)), out_, nullptr,
                           1, static_cast<int>(spectrum_points(problem)), flags);
  }
  typename Fftw::Plan make_trigonometric(const Case& problem, unsigned flags) const {
    const std::vector<int> n(problem.lengths.begin(), problem.lengths.end());
    const std::vector<fftw_r2r_kind> kinds(n.size(), fftw_kind(problem.kind));
    const int distance = static_cast<int>(points(problem));
    const auto real = [](typename Fftw::Complex* array) {
      return reinterpret_cast<typename Fftw::Real*>(array);
    };
    return Fftw::kMakeTrigonometric(
        static_cast<int>(n.size()), n.data(), static_cast<int>(problem.batch), real(in_.get()),
        nullptr, 1, distance, real(out_), nullptr, 1, distance, kinds.data(), flags);
  }

  const Signal& signal_;
  Array in_, spare_;
  typename Fftw::Complex* out_ = nullptr;
  typename Fftw::Plan plan_ = nullptr;
  double plan_seconds_ = 0;
};

class FftwEngine : public Engine {
 public:
  explicit FftwEngine(const Surroundings& surroundings)
      : flags_(surroundings.fftw_estimate ? FFTW_ESTIMATE : FFTW_MEASURE),
        threads_(surroundings.identity.threads) {
    if (Single::kInit() == 0 || Double::kInit() == 0)
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
    constexpr std::size_t kLargest = 2147483647;  // its interface counts in int
    const bool fits = points(problem) <= kLargest / 2 && problem.batch <= kLargest;
    return fits ? "" : "more points than FFTW's int counts";
  }
  std::unique_ptr<Work> plan(const Case& problem, const Signal& signal, Caches caches) override {
    if (problem.precision == Precision::f64) return plan_as<Double>(problem, signal, caches);
    return plan_as<Single>(problem, signal, caches);
  }

 private:
  template <class Fftw>
  std::unique_ptr<Work> plan_as(const Case& problem, const Signal& signal, Caches caches) const {
    if (caches == Caches::cold) Fftw::kForget();
    return std::make_unique<FftwWork<Fftw>>(problem, signal, flags_, threads_);
  }

  unsigned flags_, threads_;
};

}  // namespace

std::unique_ptr<Engine> make_fftw(const Surroundings& surroundings) {
  return std::make_unique<FftwEngine>(surroundings);
}

}  // namespace imago::bench
