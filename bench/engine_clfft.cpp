// This file puts clFFT behind the benchmark's interface. Its cache is the list of kernels that it
// keeps until clfftTeardown; it has none on disk.
#include <clFFT.h>

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
    const std::size_t lengths[] = {problem.length};
    check_clfft(clfftCreateDefaultPlan(&plan_, device().context()(), CLFFT_1D, lengths),
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
  void configure(const Case& problem) {
    const bool in_place = problem.placement == Placement::in_place;
    out_of_place_ = !in_place;
    check_clfft(clfftSetPlanPrecision(
                    plan_, problem.precision == Precision::f64 ? CLFFT_DOUBLE : CLFFT_SINGLE),
                "clfftSetPlanPrecision");
    check_clfft(clfftSetLayout(plan_, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED),
                "clfftSetLayout");
    check_clfft(clfftSetResultLocation(plan_, in_place ? CLFFT_INPLACE : CLFFT_OUTOFPLACE),
                "clfftSetResultLocation");
    check_clfft(clfftSetPlanBatchSize(plan_, problem.batch), "clfftSetPlanBatchSize");
    cl_command_queue queue = device().queue()();
    check_clfft(clfftBakePlan(plan_, 1, &queue, nullptr, nullptr), "clfftBakePlan");
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
    std::size_t rest = problem.length;
    for (const std::size_t prime : {2, 3, 5, 7, 11, 13})
      while (rest % prime == 0) rest /= prime;
    return rest == 1 ? "" : "a prime factor above 13";
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
