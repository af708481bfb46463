// This file holds what the runners of the sparse methods share: what they are made
// for, kernels put together from the files of kernels/, tables and the transforms of buckets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "sparse/request.hpp"

namespace imago::sparse_device {

/// What runners are made for, borrowed while they are made.
struct Setup {
  const runtime::Target& target;
  const device::Facts& facts;
  const sparse::Request& request;
  const Options& options;
};

/// A kernel's files one after the other.
std::string join_files(const std::vector<const char*>& files);
/// -D name=value.
template <class T>
std::string defined(const char* name, T value) {
  return std::string(" -D") + name + '=' + std::to_string(value);
}
/// Work-groups that check samples.
std::size_t check_groups(const device::Facts& facts);
/// Build options of every kernel; of those whose groups wait for each other.
std::string build_options(const device::Facts& facts, bool waits = false);
/// .. and of those of the methods: the types of numbers and of the signal, how samples are checked.
std::string sparse_build_options(const sparse::Request& request, const device::Facts& facts,
                                 bool waits = false);

/// Reals of the given precision on the device.
runtime::Handle<cl_mem> upload_reals(cl_context context, const std::vector<double>& values,
                                     Precision precision);

/// How much a signal without correlations gains from a sample to a bucket of these taps.
double gain_of(const std::vector<double>& taps);

/// Forward transforms in place of `batch` spectra.
Transform bucket_transform(const Setup& setup, std::size_t points, std::size_t batch);
/// The same, built, with parameters of imago's own choice.
engine::Engine bucket_engine(const Setup& setup, std::size_t points, std::size_t batch);
/// The plan's options for a transform that is its own business.
Options own_choice(Options options);

}  // namespace imago::sparse_device
