// This file convolves integers modulo q = 2^64 - 2^32 + 1, beside a first ring, the residues modulo
// p = 2^61 - 1, and joins both residues of each sum.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <imago/exact.hpp>

#include "api/commands.hpp"
#include "api/execution.hpp"
#include "api/parts.hpp"
#include "runtime/stage_kernels.hpp"

namespace imago::api {

class SecondRing {
 public:
  /// The two halves of a sequence in the first ring, of `points` integers each.
  using Planes = std::array<cl_mem, 2>;

  /// Convolves cyclically, or negacyclically, 2 points integers. Throws as Plan's constructor.
  SecondRing(const cl::Context& context, const cl::Device& device, const runtime::Target& target,
             std::size_t points, bool negacyclic, const Options& options);

  /// Its transforms.
  std::vector<const Execution*> executions() const { return {runs_[0].get(), runs_[1].get()}; }
  std::size_t memory_bytes() const;

  // The functions below add commands of a call.

  /// Reduces the first or the second sequence, of `count` integers, for both rings.
  void reduce(std::vector<Command>& commands, const cl::CommandQueue& queue, std::size_t sequence,
              cl_mem integers, std::size_t count, const Planes& planes) const;
  /// Convolves the reduced sequences in this ring.
  void convolve(std::vector<Command>& commands, const cl::CommandQueue& queue) const;
  /// Joins the sums of both rings to the results of a shape. The linear convolution has `all` sums.
  void join(std::vector<Command>& commands, const Planes& planes, cl_mem results,
            const IntegerConvolutionShape& shape, std::size_t all) const;

 private:
  template <class... Values>
  runtime::KernelLaunch launch(const std::string& name, std::size_t count,
                               const Values&... values) const;
  Command transformed(bool inverse, const cl::CommandQueue& queue, std::size_t sequence) const;

  std::size_t points_;
  std::array<std::unique_ptr<const Execution>, 2> runs_;  ///< forward and inverse
  std::array<std::vector<Argument>, 2> cosets_;
  std::array<cl::Buffer, 2> words_;  ///< residues of both sequences
  runtime::StageKernels<std::string> kernels_;
};

}  // namespace imago::api
