// This file uses imago's plans on arrays of the device.
#include <imago/nufft.hpp>

#include <stdexcept>
#include <string>

#include "bench/nufft/contestants.hpp"

namespace imago::bench::nufft {
namespace {

void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS)
    throw std::runtime_error(std::string(call) + " failed with code " + std::to_string(code));
}

NufftTransform described(const Problem& problem) {
  return {.modes = problem.modes,
          .tolerance = problem.tolerance,
          .precision = problem.f64 ? Precision::f64 : Precision::f32,
          .coordinates = problem.f64 ? Coordinates::radians_f64 : Coordinates::radians_f32,
          .points = problem.points};
}

template <class Real>
class WithImago : public Contestant {
 public:
  using Complex = std::complex<Real>;

  WithImago(const Machine& machine, const Problem& problem, const Data& data)
      : machine_(machine),
        plan_(machine.context, machine.device, described(problem)),
        strengths_(upload(converted<Complex>(data.strengths))),
        modes_(upload(converted<Complex>(data.modes))),
        values_(upload(std::vector<Complex>(problem.points))),
        sums_(upload(std::vector<Complex>(problem.mode_count()))) {
    points_.count = problem.points;
    for (const std::vector<double>& axis : data.coordinates)
      points_.coordinates.emplace_back(coordinates_.emplace_back(upload(converted<Real>(axis))));
  }
  std::string about() const override {
    std::string grid;
    for (const std::size_t n : plan_.grid()) grid += (grid.empty() ? "" : "x") + std::to_string(n);
    return "grid " + grid + ", width " + std::to_string(plan_.width()) + ", " +
           std::to_string(plan_.workspace_bytes() / 1000000) + " MB";
  }
  void start(Step step) override {
    if (step == Step::set_points)
      plan_.set_points(machine_.queue, points_);
    else if (step == Step::type1)
      plan_.type1(machine_.queue, strengths_, sums_);
    else
      plan_.type2(machine_.queue, modes_, values_);
  }
  void finish() override { check(machine_.queue.finish(), "clFinish"); }
  std::vector<std::complex<double>> result(Step step) override {
    const cl::Buffer& from = step == Step::type1 ? sums_ : values_;
    std::vector<Complex> numbers(from.getInfo<CL_MEM_SIZE>() / sizeof(Complex));
    check(machine_.queue.enqueueReadBuffer(from, CL_TRUE, 0, numbers.size() * sizeof(Complex),
                                           numbers.data()),
          "clEnqueueReadBuffer");
    return converted<std::complex<double>>(numbers);
  }

 private:
  template <class Value>
  cl::Buffer upload(const std::vector<Value>& values) const {
    const std::size_t bytes = values.size() * sizeof(Value);
    cl_int code = CL_SUCCESS;
    cl::Buffer buffer(machine_.context, CL_MEM_READ_WRITE, bytes, nullptr, &code);
    check(code, "clCreateBuffer");
    check(machine_.queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, values.data()),
          "clEnqueueWriteBuffer");
    return buffer;
  }

  const Machine& machine_;
  NufftPlan plan_;
  std::vector<cl::Buffer> coordinates_;
  NufftPoints points_;
  const cl::Buffer strengths_, modes_, values_, sums_;
};

}  // namespace

std::unique_ptr<Contestant> make_imago(const Machine& machine, const Problem& problem,
                                       const Data& data) {
  if (problem.f64) return std::make_unique<WithImago<double>>(machine, problem, data);
  return std::make_unique<WithImago<float>>(machine, problem, data);
}

}  // namespace imago::bench::nufft
