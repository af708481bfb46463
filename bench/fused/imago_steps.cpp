// This file uses imago without hooks, with separate kernels around plain plans, as one must with a
// library that has no hooks.
#include <imago/imago.hpp>

#include "bench/fused/opencl.hpp"

namespace imago::bench::fused {
namespace {

// Kernels over `count` work-items per batch element; work-groups may exceed the count.
constexpr const char* kKernels = R"(
/* Four neighbours at once where lengths allow it: frames, hops and lines are multiples of four. */
__kernel void make_frames(int count, __global const short* samples, __global const float* window,
                          __global float* frames, int hop) {
  const size_t j = get_global_id(0), frame = get_global_id(1);
  if (j < count)
    vstore4(convert_float4(vload4(j, samples + frame * hop)) * (1.0f / 32768) * vload4(j, window),
            j, frames + 4 * frame * count);
}
__kernel void make_power(int count, __global const float2* spectra, __global float* power) {
  const size_t k = get_global_id(0), at = get_global_id(1) * count + k;
  if (k >= count) return;
  const float2 x = spectra[at];
  power[at] = x.x * x.x + x.y * x.y;
}
__kernel void overlap_add(int count, __global const float* frames, __global const float* dual,
                          __global float* samples, int length, int hop) {
  const int i = get_global_id(0), at = 4 * i;
  if (i >= count) return;
  __global const float* frame = frames + (size_t)(at / hop) * length;
  float4 sum = 0;
  for (int j = length - hop + at % hop; j >= 0; j -= hop, frame += length)
    sum += vload4(0, frame + j) * vload4(0, dual + j);
  vstore4(sum, i, samples);
}
__kernel void pad(int count, __global const float* lines, __global float* padded, int length) {
  const size_t j = get_global_id(0), line = get_global_id(1);
  const float4 zero = 0;
  if (j < count)
    vstore4(4 * j < length ? vload4(j, lines + line * length) : zero, j,
            padded + 4 * line * count);
}
__kernel void crop(int count, __global const float* padded, __global float* lines, int wide) {
  const size_t j = get_global_id(0), line = get_global_id(1);
  if (j < count) lines[line * count + j] = padded[line * wide + j];
}
__kernel void product(int count, __global float2* spectra, __global const float2* factors) {
  const size_t k = get_global_id(0), at = get_global_id(1) * count + k;
  if (k >= count) return;
  const float2 x = spectra[at], y = factors[k];
  spectra[at] = (float2)(x.x * y.x - x.y * y.y, x.x * y.y + x.y * y.x);
}
)";
constexpr std::size_t kGroup = 256;

struct Launch {
  cl::Kernel kernel;
  cl::NDRange size;
  std::vector<cl::Buffer> buffers;  ///< kept here, because a kernel does not keep its arguments
  void keep(const cl::Buffer& buffer) { buffers.push_back(buffer); }
  void keep(cl_int) {}
};

class InSteps : public OnDevice {
 public:
  InSteps(const Machine& machine, const Problem& problem)
      : OnDevice(machine, problem), program_(machine.context, kKernels) {
    check(program_.build(machine.device), "clBuildProgram");
  }
  std::string name() const override { return "imago in steps"; }

 protected:
  /// Returns a launch of `count` work-items for each batch element.
  template <class... Arguments>
  Launch prepare(const char* name, std::size_t count, const Arguments&... arguments) const {
    return prepare_rows(problem().members(), name, count, arguments...);
  }
  template <class... Arguments>
  Launch prepare_rows(std::size_t rows, const char* name, std::size_t count,
                      const Arguments&... arguments) const {
    const std::size_t groups = (count + kGroup - 1) / kGroup;
    Launch launch{cl::Kernel(program_, name), {groups * kGroup, rows}, {}};
    check(launch.kernel.setArg(0, static_cast<cl_int>(count)), name);
    cl_uint at = 1;
    ((check(launch.kernel.setArg(at++, arguments), name), launch.keep(arguments)), ...);
    return launch;
  }
  void start(const Launch& launch) const {
    check(queue().enqueueNDRangeKernel(launch.kernel, cl::NullRange, launch.size, {kGroup, 1}),
          "clEnqueueNDRangeKernel");
  }

 private:
  cl::Program program_;
};

class Stft : public InSteps {
 public:
  Stft(const Machine& machine, const Problem& problem, const Data& data)
      : InSteps(machine, problem),
        plan_(machine.context, machine.device,
              {.kind = Kind::real,
               .lengths = {problem.length},
               .batch = problem.members(),
               .directions = Directions::forward}),
        frames_(make(plan_.signal_bytes())),
        spectra_(make(plan_.spectrum_bytes())) {
    before_ = prepare("make_frames", problem.length / 4, upload(data.samples), upload(data.window),
                      frames_, static_cast<cl_int>(problem.width));
    after_ = prepare("make_power", problem.result_floats(), spectra_, output());
  }
  std::string about() const override { return kernels({&plan_}) + " and 2"; }
  void enqueue() override {
    start(before_);
    plan_.forward(queue(), frames_, spectra_);
    start(after_);
  }

 private:
  const Plan plan_;
  const cl::Buffer frames_, spectra_;
  Launch before_, after_;
};

class InverseStft : public InSteps {
 public:
  InverseStft(const Machine& machine, const Problem& problem, const Data& data)
      : InSteps(machine, problem),
        plan_(machine.context, machine.device,
              {.kind = Kind::real,
               .lengths = {problem.length},
               .batch = problem.frames(problem.members()),
               .directions = Directions::inverse,
               .scale = Scale{1, 1}}),
        spectra_(upload(data.spectra)),
        frames_(make(plan_.signal_bytes())) {
    after_ = prepare_rows(1, "overlap_add", problem.count / 4, frames_, upload(data.dual), output(),
                          static_cast<cl_int>(problem.length), static_cast<cl_int>(problem.width));
  }
  std::string about() const override {
    return kernels({&plan_}) + " and 1, " + scratch(plan_.signal_bytes());
  }
  void enqueue() override {
    plan_.inverse(queue(), spectra_, frames_);
    start(after_);
  }

 private:
  const Plan plan_;
  const cl::Buffer spectra_, frames_;
  Launch after_;
};

class Lines : public InSteps {
 public:
  Lines(const Machine& machine, const Problem& problem, const Data& data)
      : InSteps(machine, problem),
        plan_(machine.context, machine.device, transform(machine, problem)),
        padded_(make(plan_.signal_bytes())),
        spectra_(make(plan_.spectrum_bytes())) {
    const std::size_t wide = plan_.transform().lengths[0];
    before_ =
        prepare("pad", wide / 4, upload(data.lines), padded_, static_cast<cl_int>(problem.length));
    between_ =
        prepare("product", wide / 2 + 1, spectra_, kernel_spectrum(machine, problem, data, wide));
    after_ = prepare("crop", problem.result_floats(), padded_, output(), static_cast<cl_int>(wide));
  }
  std::string about() const override {
    return "length " + std::to_string(plan_.transform().lengths[0]) + ", " +
           kernels({&plan_, &plan_}) + " and 3";
  }
  void enqueue() override {
    start(before_);
    plan_.forward(queue(), padded_, spectra_);
    start(between_);
    plan_.inverse(queue(), spectra_, padded_);
    start(after_);
  }

 private:
  static Transform transform(const Machine& machine, const Problem& problem) {
    Transform transform{.kind = Kind::real, .batch = problem.members()};
    std::size_t wide = good_size(machine.device, problem.result_floats(), transform);
    wide = (wide + 3) / 4 * 4;
    transform.lengths = {wide};
    return transform;
  }

  const Plan plan_;
  const cl::Buffer padded_, spectra_;
  Launch before_, between_, after_;
};

class Planes : public InSteps {
 public:
  Planes(const Machine& machine, const Problem& problem, const Data& data)
      : InSteps(machine, problem),
        plan_(machine.context, machine.device,
              {.lengths = {problem.length, problem.length}, .batch = problem.members()}),
        planes_(upload(data.planes)),
        spectra_(make(plan_.spectrum_bytes())) {
    between_ = prepare("product", problem.length * problem.length, spectra_,
                       kernel_spectrum(machine, problem, data, problem.length));
  }
  std::string about() const override { return kernels({&plan_, &plan_}) + " and 1"; }
  void enqueue() override {
    plan_.forward(queue(), planes_, spectra_);
    start(between_);
    plan_.inverse(queue(), spectra_, output());
  }

 private:
  const Plan plan_;
  const cl::Buffer planes_, spectra_;
  Launch between_;
};

}  // namespace

std::unique_ptr<Contestant> make_imago_steps(const Machine& machine, const Problem& problem,
                                             const Data& data) {
  if (problem.which == Case::stft) return std::make_unique<Stft>(machine, problem, data);
  if (problem.which == Case::istft) return std::make_unique<InverseStft>(machine, problem, data);
  if (problem.which == Case::lines) return std::make_unique<Lines>(machine, problem, data);
  return std::make_unique<Planes>(machine, problem, data);
}

}  // namespace imago::bench::fused
