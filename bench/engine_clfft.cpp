// This file adapts clFFT to the benchmark's interface. clFFT caches kernels until clfftTeardown,
// and not on disk.
#include <clFFT.h>

#include <array>

#include "base/integers.hpp"
#include "bench/engines.hpp"

namespace imago::bench {
namespace {

void check_clfft(clfftStatus code, const char* call) {
  check(static_cast<cl_int>(code), call);  // an extension of OpenCL's codes
}

class ClfftWork : public ClWork {
 public:
  ClfftWork(std::shared_ptr<ClDevice> shared, const Case& problem) : ClWork(std::move(shared)) {
    const double start = now();
    const std::vector<std::size_t> lengths(problem.lengths.rbegin(), problem.lengths.rend());
    check_clfft(
        clfftCreateDefaultPlan(&plan_, device().context()(), rank_of(problem), lengths.data()),
        "clfftCreateDefaultPlan");
    try {
      configure(problem);
    } catch (...) {
      clfftDestroyPlan(&plan_);
      throw;
    }
    planned_in(now() - start);
  }
  ~ClfftWork() override { clfftDestroyPlan(&plan_); }
  ClfftWork(const ClfftWork&) = delete;
  ClfftWork& operator=(const ClfftWork&) = delete;

 private:
  static clfftDim rank_of(const Case& problem) {
    constexpr std::array kRanks{CLFFT_1D, CLFFT_2D, CLFFT_3D};
    return kRanks.at(problem.lengths.size() - 1);
  }

  void configure(const Case& problem) {
    out_of_place_ = !in_place(problem);
    check_clfft(clfftSetPlanPrecision(
                    plan_, problem.precision == Precision::f64 ? CLFFT_DOUBLE : CLFFT_SINGLE),
                "clfftSetPlanPrecision");
    check_clfft(clfftSetResultLocation(plan_, out_of_place_ ? CLFFT_OUTOFPLACE : CLFFT_INPLACE),
                "clfftSetResultLocation");
    check_clfft(clfftSetPlanBatchSize(plan_, problem.batch), "clfftSetPlanBatchSize");
    lay_out(problem);
    cl_command_queue queue = device().queue()();
    check_clfft(clfftBakePlan(plan_, 1, &queue, nullptr, nullptr), "clfftBakePlan");
  }

  // clFFT's default strides are those of complex data.
  void lay_out(const Case& problem) {
    if (!problem.real()) {
      check_clfft(clfftSetLayout(plan_, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED),
                  "clfftSetLayout");
      return;
    }
    check_clfft(clfftSetLayout(plan_, CLFFT_REAL, CLFFT_HERMITIAN_INTERLEAVED), "clfftSetLayout");
    auto in = strides(problem, signal_pitch(problem));
    auto out = strides(problem, spectrum_row(problem));
    check_clfft(clfftSetPlanInStride(plan_, rank_of(problem), in.data()), "clfftSetPlanInStride");
    check_clfft(clfftSetPlanOutStride(plan_, rank_of(problem), out.data()),
                "clfftSetPlanOutStride");
    check_clfft(clfftSetPlanDistance(plan_, rows(problem) * signal_pitch(problem),
                                     spectrum_points(problem)),
                "clfftSetPlanDistance");
  }

  // Returns strides in elements, fastest dimension first, for rows that are `pitch` apart.
  static std::vector<std::size_t> strides(const Case& problem, std::size_t pitch) {
    std::vector<std::size_t> list{1};
    for (std::size_t i = problem.lengths.size(); i-- > 1; pitch *= problem.lengths[i - 1])
      list.push_back(pitch);
    return list;
  }

  void enqueue() override {
    cl_command_queue queue = device().queue()();
    cl_mem in = device().data()(), out = device().other()();
    check_clfft(clfftEnqueueTransform(plan_, CLFFT_FORWARD, 1, &queue, 0, nullptr, nullptr, &in,
                                      out_of_place_ ? &out : nullptr, nullptr),
                "clfftEnqueueTransform");
  }

  clfftPlanHandle plan_ = 0;
  bool out_of_place_ = false;
};

class ClfftEngine : public Engine {
 public:
  explicit ClfftEngine(const Surroundings& surroundings) : device_(surroundings.device) {
    set_up();
  }
  ~ClfftEngine() override { clfftTeardown(); }
  ClfftEngine(const ClfftEngine&) = delete;
  ClfftEngine& operator=(const ClfftEngine&) = delete;

  std::string name() const override { return "clfft"; }
  std::string version() const override {
    cl_uint major = 0, minor = 0, patch = 0;
    clfftGetVersion(&major, &minor, &patch);
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  }
  std::string refusal(const Case& problem) const override {
    if (problem.only_real()) return "clFFT has no cosine and sine transforms";
    if (problem.precision == Precision::f16) return "clFFT has no half precision";
    for (const std::size_t length : problem.lengths)
      if (base::largest_prime_factor(length) > 13) return "a prime factor above 13";
    return {};
  }
  std::unique_ptr<Work> plan(const Case& problem, const Signal&, Caches caches) override {
    if (caches == Caches::cold) {
      check_clfft(clfftTeardown(), "clfftTeardown");
      set_up();
    }
    return std::make_unique<ClfftWork>(device_, problem);
  }

 private:
  static void set_up() {
    clfftSetupData setup;
    check_clfft(clfftInitSetupData(&setup), "clfftInitSetupData");
    check_clfft(clfftSetup(&setup), "clfftSetup");
  }
  std::shared_ptr<ClDevice> device_;
};

}  // namespace

std::unique_ptr<Engine> make_clfft(const Surroundings& surroundings) {
  return std::make_unique<ClfftEngine>(surroundings);
}

}  // namespace imago::bench
