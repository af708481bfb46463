// This file uses imago with hooks, which fuse the other steps into the kernels of the transform.
#include <optional>

#include <imago/imago.hpp>

#include "bench/fused/contestants.hpp"
#include "bench/fused/opencl.hpp"

namespace imago::bench::fused {
namespace {

class Stft : public OnDevice {
 public:
  Stft(const Machine& machine, const Problem& problem, const Data& data)
      : OnDevice(machine, problem),
        plan_(machine.context, machine.device,
              {.kind = Kind::real,
               .lengths = {problem.length},
               .batch = problem.members(),
               .directions = Directions::forward,
               .signal = {.strides = {1}, .distance = problem.width},
               .on_forward = {.load = {hook::from_integer(Integer::i16, 1.0 / 32768),
                                       hook::window(0, "w")},
                              .store = {hook::power()}}}),
        samples_(upload(data.samples)),
        window_(upload(data.window)) {
    call_.arguments = {{"w", window_}};
  }
  std::string name() const override { return "imago"; }
  std::string about() const override { return kernels({&plan_}); }
  void enqueue() override { plan_.forward(queue(), samples_, output(), call_); }

 private:
  const Plan plan_;
  const cl::Buffer samples_, window_;
  Call call_;
};

class InverseStft : public OnDevice {
 public:
  InverseStft(const Machine& machine, const Problem& problem, const Data& data)
      : OnDevice(machine, problem),
        plan_(machine.context, machine.device,
              {.lengths = {problem.count},
               .window = {data.window.begin(), data.window.end()},
               .hop = problem.width,
               .frames = problem.frames(problem.members()),
               .directions = Directions::inverse}),
        spectra_(upload(data.spectra)) {}
  std::string name() const override { return "imago"; }
  std::string about() const override {
    return std::to_string(plan_.sources().size()) + " kernels, " + scratch(plan_.workspace_bytes());
  }
  void enqueue() override { plan_.inverse(queue(), spectra_, output()); }

 private:
  const ShortTimePlan plan_;
  const cl::Buffer spectra_;
};

class Convolved : public OnDevice {
 public:
  template <class Kernel, class Signals>
  Convolved(const Machine& machine, const Problem& problem, const ConvolutionShape& shape,
            const Kernel& kernel, const Signals& signals)
      : OnDevice(machine, problem),
        convolution_(machine.context, machine.device, shape),
        signals_(upload(signals)),
        spectrum_(make(convolution_.spectrum_bytes())) {
    convolution_.prepare(queue(), upload(kernel), spectrum_);
    finish();
  }
  std::string name() const override { return "imago"; }
  std::string about() const override {
    const std::string plan = convolution_.describe();
    std::size_t count = 0;
    for (std::size_t at = 0; (at = plan.find(", kernel", at)) != plan.npos; ++at) ++count;
    return std::to_string(count) + (count == 1 ? " kernel" : " kernels");
  }
  void enqueue() override { convolution_.apply(queue(), signals_, spectrum_, output()); }

 private:
  const Convolution convolution_;
  const cl::Buffer signals_, spectrum_;
};

std::unique_ptr<Contestant> convolve_lines(const Machine& machine, const Problem& problem,
                                           const Data& data) {
  ConvolutionShape shape{.signal = {problem.length}, .kernel = {problem.width}};
  shape.batch = problem.members();
  return std::make_unique<Convolved>(machine, problem, shape, data.taps, data.lines);
}

std::unique_ptr<Contestant> convolve_planes(const Machine& machine, const Problem& problem,
                                            const Data& data) {
  ConvolutionShape shape{.signal = {problem.length, problem.length}};
  shape.kernel = shape.signal;
  shape.extent = Extent::circular;
  shape.complex = true;
  shape.batch = problem.members();
  return std::make_unique<Convolved>(machine, problem, shape, data.spread, data.planes);
}

}  // namespace

std::unique_ptr<Contestant> make_imago(const Machine& machine, const Problem& problem,
                                       const Data& data) {
  if (problem.which == Case::stft) return std::make_unique<Stft>(machine, problem, data);
  if (problem.which == Case::istft) return std::make_unique<InverseStft>(machine, problem, data);
  if (problem.which == Case::lines) return convolve_lines(machine, problem, data);
  return convolve_planes(machine, problem, data);
}

}  // namespace imago::bench::fused
