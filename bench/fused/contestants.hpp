// This file lists the contestants of the benchmark of fused steps.
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
  unsigned threads = 1;  ///< of the host
};

/// Throws where OpenCL refuses something.
void check(cl_int code, const char* call);

/// With hooks.
std::unique_ptr<Contestant> make_imago(const Machine& machine, const Problem& problem,
                                       const Data& data);
/// Without: kernels of its own around plain plans.
std::unique_ptr<Contestant> make_imago_steps(const Machine& machine, const Problem& problem,
                                             const Data& data);
/// Loops around FFTW, kernels around cuFFT: what is too particular to be linked is a plugin,
/// `libimago_fused_<name>.so`, beside the program or in a folder of $IMAGO_BENCH_PEERS. Throws
/// std::runtime_error with the reason where there is none.
std::unique_ptr<Contestant> load_peer(const std::string& name, const Question& question);

/// A member's result, by FFTW in double.
std::vector<double> reference(const Problem& problem, const Data& data, std::size_t member);

}  // namespace imago::bench::fused
