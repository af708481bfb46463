// This file adapts imago to the benchmark's interface, through its public API only. Cold plans use
// no cache of imago. Warm plans find their kernels on disk and none in memory, like a new process.
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include <imago/cuda.hpp>
#include <imago/imago.hpp>

#include "base/errors.hpp"
#include "bench/cuda_driver.hpp"
#include "bench/engines.hpp"
#include "build_info.hpp"

namespace imago::bench {
namespace {

class ImagoWork : public ClWork {
 public:
  ImagoWork(std::shared_ptr<ClDevice> shared, const Case& problem, const Options& options,
            bool graphs)
      : ClWork(std::move(shared)), in_place_(in_place(problem)) {
    const double start = now();
    plan_ =
        std::make_unique<Plan>(device().context(), device().device(), problem.transform(), options);
    if (graphs) capture();
    planned_in(now() - start);
  }

  void enqueue() override { graphs_ ? graphs_->launch(1) : enqueue_into(device().queue()); }
  void enqueue_train(std::size_t calls) override {
    graphs_ ? graphs_->launch(calls) : Work::enqueue_train(calls);
  }
  void finish() override { graphs_ ? graphs_->stream().wait() : ClWork::finish(); }
  double run(std::size_t calls) override {
    if (!graphs_) return ClWork::run(calls);
    once();
    const double start = now();
    enqueue_train(calls);
    finish();
    return now() - start;
  }

 private:
  void enqueue_into(const cl::CommandQueue& queue) {
    if (in_place_)
      plan_->forward(queue, device().data());
    else
      plan_->forward(queue, device().data(), device().other());
  }
  void capture() {
    use_primary_context();
    graphs_ = std::make_unique<CudaTrain>();
    const CudaScope scope;
    graphs_->capture([&] { enqueue_into(scope.queue(graphs_->stream().get())); });
  }

  bool in_place_;
  std::unique_ptr<CudaTrain> graphs_;
  std::unique_ptr<Plan> plan_;
};

/// Transforms of arrays in host memory, as a program has them that uses no OpenCL itself.
class HostWork : public Work {
 public:
  HostWork(const ClDevice& device, const Case& problem, const Signal& signal,
           const Options& options)
      : problem_(problem), signal_(signal), data_(array(problem)) {
    if (!in_place(problem)) other_ = array(problem);
    const double start = now();
    plan_ = std::make_unique<HostPlan>(Pool(device.context(), device.device()), problem.transform(),
                                       HostOptions{.plan = options});
    plan_seconds_ = now() - start;
  }

  double plan_seconds() const override { return plan_seconds_; }
  std::string way() const override {
    const std::string text = plan_->describe();
    const auto functions = text.find("functions of the processor");
    return functions == 0 ? text.substr(0, text.find(" compute it")) : "kernels";
  }
  void load() override { std::memcpy(data_.get(), signal_.data.data(), signal_.data.size()); }
  void enqueue() override {
    const std::size_t bytes = spectrum_bytes(problem_);
    if (other_)
      plan_->forward(ConstHostArray(data_.get(), bytes), HostArray(other_.get(), bytes));
    else
      plan_->forward(HostArray(data_.get(), bytes));
  }
  void finish() override {}  // a call returns its result
  double run(std::size_t calls) override {
    return time_train([this] { enqueue(); }, [] {}, calls);
  }
  std::vector<double> read(std::size_t first, std::size_t count) override {
    return problem_.precision == Precision::f64 ? read_as<double>(first, count)
                                                : read_as<float>(first, count);
  }

 private:
  using Memory = std::unique_ptr<void, void (*)(void*)>;
  static Memory array(const Case& problem) {
    constexpr std::size_t kAlignment = 64;  // as the other libraries' arrays
    const std::size_t size = (spectrum_bytes(problem) + kAlignment - 1) / kAlignment * kAlignment;
    Memory memory(std::aligned_alloc(kAlignment, size), std::free);
    if (!memory) throw std::bad_alloc();
    std::memset(memory.get(), 0, size);  // touches the pages
    return memory;
  }
  template <class Real>
  std::vector<double> read_as(std::size_t first, std::size_t count) const {
    const auto* const values = static_cast<const Real*>((other_ ? other_ : data_).get()) + first;
    return {values, values + count};
  }

  const Case& problem_;
  const Signal& signal_;
  Memory data_, other_{nullptr, std::free};
  std::unique_ptr<HostPlan> plan_;
  double plan_seconds_ = 0;
};

/// The way of launching in a run, or another one on the same GPU.
struct Launch {
  std::string name = "imago";
  bool graphs = false;
  bool is_runs = true;  ///< the device is the run's, which has the case's arrays
  bool in_host_memory = false;
};

class ImagoEngine : public Engine {
 public:
  ImagoEngine(std::shared_ptr<ClDevice> device, const Options& options, Launch launch)
      : device_(std::move(device)), options_(options), launch_(std::move(launch)) {}
  std::string name() const override { return launch_.name; }
  std::string version() const override { return build::kVersion; }
  std::string refusal(const Case&) const override {
    return {};
  }  // imago's own exceptions are more specific

  std::unique_ptr<Work> plan(const Case& problem, const Signal& signal, Caches caches) override {
    if (!launch_.is_runs) device_->set_case(problem, signal);
    Options options = options_;
    if (caches != Caches::as_found) {
      options.disk_cache = caches == Caches::warm;
      if (caches == Caches::warm) work(problem, signal, options)->once();  // fills the cache
      release_memory();
    }
    return work(problem, signal, options);
  }

 private:
  std::unique_ptr<Work> work(const Case& problem, const Signal& signal,
                             const Options& options) const {
    if (launch_.in_host_memory)
      return std::make_unique<HostWork>(*device_, problem, signal, options);
    return std::make_unique<ImagoWork>(device_, problem, options, launch_.graphs);
  }

  std::shared_ptr<ClDevice> device_;
  Options options_;
  Launch launch_;
};

using Uuid = std::array<unsigned char, 16>;

Uuid uuid_of(const cl::Device& device) {
  constexpr cl_device_info kUuid = 0x106A;  // CL_DEVICE_UUID_KHR
  Uuid uuid = {};
  clGetDeviceInfo(device(), kUuid, sizeof uuid, uuid.data(), nullptr);
  return uuid;
}

/// Returns the OpenCL device that is the same GPU as another.
cl::Device opencl_device(const cl::Device& same) {
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  for (const cl::Platform& platform : platforms) {
    std::vector<cl::Device> devices;
    platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
    for (const cl::Device& device : devices)
      if (uuid_of(device) == uuid_of(same)) return device;
  }
  base::unsupported("OpenCL does not list this GPU", "measure launches by CUDA only");
}

}  // namespace

std::unique_ptr<Engine> make_imago(const Surroundings& surroundings) {
  return std::make_unique<ImagoEngine>(
      surroundings.device, surroundings.options,
      Launch{.graphs = surroundings.graphs, .in_host_memory = surroundings.in_host_memory});
}

std::unique_ptr<Engine> make_imago_on_buffers(const Surroundings& surroundings) {
  return std::make_unique<ImagoEngine>(surroundings.device, surroundings.options,
                                       Launch{"imago-buffers"});
}

std::unique_ptr<Engine> make_imago_by(const std::string& launch, const Surroundings& surroundings) {
  const cl::Device& runs = surroundings.device->device();
  const cl::Device device = launch == "opencl" ? opencl_device(runs) : CudaScope().device();
  if (uuid_of(device) != uuid_of(runs))
    base::unsupported("the run's device is not CUDA's first GPU", "choose that device");
  // CUDA's queues take no times.
  return std::make_unique<ImagoEngine>(std::make_shared<ClDevice>(device, Clock::host),
                                       surroundings.options,
                                       Launch{"imago-" + launch, launch == "graph", false});
}

}  // namespace imago::bench
