// This file holds the common parts of the runners of the sparse methods: their setup, kernels
// composed of the files of kernels/, tables, and the transforms of buckets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/kernel_lists.hpp"
#include "kernel/handmade.hpp"
#include "runtime/stage_kernels.hpp"
#include "sparse/request.hpp"

namespace imago::sparse_device {

/// The inputs of runners, borrowed during construction. A prediction has a target without a
/// context, for which memory is counted but not allocated.
struct Setup {
  const runtime::Target& target;
  const device::Facts& facts;
  const sparse::Request& request;
  const Options& options;
};

/// The kernels of a plan, each once.
struct KernelLists {
  std::vector<KernelSource> sources;
  std::vector<KernelBuild> builds;  ///< in the order of `sources`
  std::size_t table_bytes = 0;      ///< bytes of the transforms' tables

  void add(const engine::Engine& engine);
  template <class Stage>
  void add(const runtime::StageKernels<Stage>& kernels) {
    engine::append(sources, kernels);
    engine::append(builds, kernels);
  }
};

/// Returns a kernel's files, concatenated.
std::string join_files(const std::vector<const char*>& files);
using kernel::defined;
/// Returns the number of work-groups that check samples.
std::size_t check_groups(const device::Facts& facts);
/// Returns the build options of every kernel. `waits` is true for kernels with inter-work-group
/// synchronization.
std::string build_options(const device::Facts& facts, bool waits = false);
/// Returns the build options of the methods' kernels. In addition they define the types of numbers
/// and of the signal, and how samples are checked.
std::string sparse_build_options(const sparse::Request& request, const device::Facts& facts,
                                 bool waits = false);

/// Uploads real numbers in the given precision.
runtime::Handle<cl_mem> upload_reals(cl_context context, const std::vector<double>& values,
                                     Precision precision);

/// Returns the gain from a sample to a bucket with these taps, for a signal without correlations.
double gain_of(const std::vector<double>& taps);

/// Returns the in-place forward transforms of `batch` spectra.
Transform bucket_transform(const sparse::Request& request, std::size_t points, std::size_t batch);
/// Builds the in-place forward transforms of `batch` spectra, with imago's choice of parameters.
engine::Engine bucket_engine(const Setup& setup, std::size_t points, std::size_t batch);
/// Predicts a forward transform, whose workspace is Engine::scratch_bytes().
Estimate estimate_of(const Setup& setup, const Transform& transform);
/// Returns the plan's options for an internal transform, without the caller's parameters and
/// workspace.
Options own_choice(Options options);

}  // namespace imago::sparse_device
