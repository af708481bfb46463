// This file lists the implementations that the benchmark of fused steps compares (contestants).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include "bench/fused/problem.hpp"

namespace imago::bench::fused {

struct Machine {
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
  unsigned threads = 1;  ///< on the host
};

/// Throws if an OpenCL call fails.
void check(cl_int code, const char* call);

/// Makes imago with hooks.
std::unique_ptr<Contestant> make_imago(const Machine& machine, const Problem& problem,
                                       const Data& data);
/// Makes imago without hooks: separate kernels around plain plans.
std::unique_ptr<Contestant> make_imago_steps(const Machine& machine, const Problem& problem,
                                             const Data& data);
/// Loads loops around FFTW, or kernels around cuFFT, from a plugin. The plugin
/// `libimago_fused_<name>.so` is next to the program or in a folder of $IMAGO_BENCH_PEERS. Throws
/// std::runtime_error with the reason if it is missing.
std::unique_ptr<Contestant> load_peer(const std::string& name, const Question& question);

/// Returns the result of a batch element, computed by FFTW in double.
std::vector<double> reference(const Problem& problem, const Data& data, std::size_t member);

}  // namespace imago::bench::fused
