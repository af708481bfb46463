// This file is imago with hooks: what is around a transform is done in its kernels.
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
               .on_forward = {.load = {from_integer(Integer::i16, 1.0 / 32768), window(0, "w")},
                              .store = {power()}}}),
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

/// A forward transform that multiplies as it stores, and an inverse that writes what is wanted.
class Convolution : public OnDevice {
 public:
  Convolution(const Machine& machine, const Problem& problem, const Transform& forward,
              const Transform& inverse, cl::Buffer signals, cl::Buffer factors)
      : OnDevice(machine, problem),
        forward_(machine.context, machine.device, forward),
        inverse_(machine.context, machine.device, inverse),
        signals_(std::move(signals)),
        factors_(std::move(factors)),
        spectra_(make(forward_.spectrum_bytes())) {
    call_.arguments = {{"factors", factors_}};
  }
  std::string name() const override { return "imago"; }
  std::string about() const override { return kernels({&forward_, &inverse_}); }
  void enqueue() override {
    forward_.forward(queue(), signals_, spectra_, call_);
    inverse_.inverse(queue(), spectra_, output());
  }

 private:
  const Plan forward_, inverse_;
  const cl::Buffer signals_, factors_, spectra_;
  Call call_;
};

std::unique_ptr<Contestant> convolve_lines(const Machine& machine, const Problem& problem,
                                           const Data& data) {
  Transform forward;
  forward.kind = Kind::real;
  forward.batch = problem.members();
  forward.directions = Directions::forward;
  forward.lengths = {good_size(machine.device, problem.result_floats(), forward)};
  Transform inverse = forward;
  inverse.directions = Directions::inverse;
  // Memory is as small as the lines: the box says where there are no more samples.
  forward.signal = {.strides = {1}, .distance = problem.length};
  forward.on_forward = {.load = {zero_outside(0, 0, problem.length)},
                        .store = {multiply("factors")}};
  inverse.signal = {.strides = {1}, .distance = problem.result_floats()};
  inverse.on_inverse = {.store = {zero_outside(0, 0, problem.result_floats())}};
  return std::make_unique<Convolution>(machine, problem, forward, inverse,
                                       upload(machine, data.lines),
                                       kernel_spectrum(machine, problem, data, forward.lengths[0]));
}

std::unique_ptr<Contestant> convolve_planes(const Machine& machine, const Problem& problem,
                                            const Data& data) {
  Transform forward;
  forward.lengths = {problem.length, problem.length};
  forward.batch = problem.members();
  Transform inverse = forward;
  forward.directions = Directions::forward;
  forward.on_forward = {.store = {multiply("factors")}};
  inverse.directions = Directions::inverse;
  return std::make_unique<Convolution>(machine, problem, forward, inverse,
                                       upload(machine, data.planes),
                                       kernel_spectrum(machine, problem, data, problem.length));
}

}  // namespace

std::unique_ptr<Contestant> make_imago(const Machine& machine, const Problem& problem,
                                       const Data& data) {
  if (problem.which == Case::stft) return std::make_unique<Stft>(machine, problem, data);
  if (problem.which == Case::lines) return convolve_lines(machine, problem, data);
  return convolve_planes(machine, problem, data);
}

}  // namespace imago::bench::fused
