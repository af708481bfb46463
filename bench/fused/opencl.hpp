// This file holds the common parts of the contestants on an OpenCL device: buffers, and the
// spectrum of the convolution kernel.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <imago/imago.hpp>

#include "bench/fused/contestants.hpp"

namespace imago::bench::fused {

cl::Buffer make(const Machine& machine, std::size_t bytes);

template <class Value>
cl::Buffer upload(const Machine& machine, const std::vector<Value>& values) {
  const std::size_t bytes = values.size() * sizeof(Value);
  cl::Buffer buffer = make(machine, bytes);
  check(machine.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, values.data()),
        "clEnqueueWriteBuffer");
  return buffer;
}

/// Returns the spectrum of the convolution kernel, padded with zeros to `length` points along each
/// axis; computed once by imago.
cl::Buffer kernel_spectrum(const Machine& machine, const Problem& problem, const Data& data,
                           std::size_t length);

/// Returns for example "2 kernels".
std::string kernels(std::initializer_list<const Plan*> plans);

/// A contestant whose result is on the device.
class OnDevice : public Contestant {
 public:
  OnDevice(const Machine& machine, const Problem& problem)
      : problem_(problem),
        result_(fused::make(machine, problem.members() * problem.result_floats() * sizeof(float))),
        machine_(machine) {}
  void finish() override { check(queue().finish(), "clFinish"); }
  std::vector<float> result(std::size_t member) override {
    std::vector<float> values(problem_.result_floats());
    const std::size_t bytes = values.size() * sizeof(float);
    check(queue().enqueueReadBuffer(result_, CL_TRUE, member * bytes, bytes, values.data()),
          "clEnqueueReadBuffer");
    return values;
  }

 protected:
  const Problem& problem() const { return problem_; }
  const cl::Buffer& output() const { return result_; }
  const cl::CommandQueue& queue() const { return machine_.queue; }
  cl::Buffer make(std::size_t bytes) const { return fused::make(machine_, bytes); }
  template <class Value>
  cl::Buffer upload(const std::vector<Value>& values) const {
    return fused::upload(machine_, values);
  }

 private:
  const Problem problem_;
  const cl::Buffer result_;
  const Machine& machine_;
};

}  // namespace imago::bench::fused
