// This file adapts imago to the benchmark's interface, through its public API only. Cold plans use
// no cache of imago. Warm plans find their kernels on disk and none in memory, like a new process.
#include <imago/imago.hpp>

#include "bench/engines.hpp"
#include "build_info.hpp"

namespace imago::bench {
namespace {

class ImagoWork : public ClWork {
 public:
  ImagoWork(std::shared_ptr<ClDevice> shared, const Case& problem, const Options& options)
      : ClWork(std::move(shared)), in_place_(in_place(problem)) {
    const double start = now();
    plan_ =
        std::make_unique<Plan>(device().context(), device().device(), problem.transform(), options);
    planned_in(now() - start);
  }

 private:
  void enqueue() override {
    if (in_place_)
      plan_->forward(device().queue(), device().data());
    else
      plan_->forward(device().queue(), device().data(), device().other());
  }

  bool in_place_;
  std::unique_ptr<Plan> plan_;
};

class ImagoEngine : public Engine {
 public:
  explicit ImagoEngine(const Surroundings& surroundings)
      : device_(surroundings.device), options_(surroundings.options) {}
  std::string name() const override { return "imago"; }
  std::string version() const override { return build::kVersion; }
  std::string refusal(const Case&) const override {
    return {};
  }  // imago's own exceptions are more specific

  std::unique_ptr<Work> plan(const Case& problem, const Signal&, Caches caches) override {
    if (caches == Caches::as_found) return std::make_unique<ImagoWork>(device_, problem, options_);
    Options options = options_;
    options.disk_cache = caches == Caches::warm;
    if (caches == Caches::warm) ImagoWork(device_, problem, options).once();  // fills the cache
    release_memory();
    return std::make_unique<ImagoWork>(device_, problem, options);
  }

 private:
  std::shared_ptr<ClDevice> device_;
  Options options_;
};

}  // namespace

std::unique_ptr<Engine> make_imago(const Surroundings& surroundings) {
  return std::make_unique<ImagoEngine>(surroundings);
}

}  // namespace imago::bench
