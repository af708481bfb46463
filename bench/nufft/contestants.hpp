// This file lists the contestants of the benchmark of nonuniform transforms.
#pragma once

#include <memory>
#include <string>

#include <CL/opencl.hpp>

#include "bench/nufft/problem.hpp"

namespace imago::bench::nufft {

struct Machine {
  cl::Device device;
  cl::Context context;
  cl::CommandQueue queue;
};

std::unique_ptr<Contestant> make_imago(const Machine& machine, const Problem& problem,
                                       const Data& data);
/// Makes finufft, from its shared library. Throws std::runtime_error if it is missing.
std::unique_ptr<Contestant> make_finufft(const Problem& problem, const Data& data,
                                         const std::string& library);
/// Makes cuFINUFFT by the plugin `libimago_nufft_cufinufft.so`. Throws std::runtime_error if the
/// plugin or the library is missing.
std::unique_ptr<Contestant> make_cufinufft(const Question& question);

}  // namespace imago::bench::nufft
