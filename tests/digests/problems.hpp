// This file lists the problems whose kernels the digests record, for devices that this machine need
// not have.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <imago/plan.hpp>
#include <imago/ragged_transform.hpp>

#include "device/facts.hpp"
#include "engine/blueprint.hpp"
#include "problem/computation.hpp"

namespace imago::digests {

/// Texts whose digests are recorded, for a device.
struct Problem {
  const device::Facts* facts;
  std::string group;  ///< words without the device's; digests are compared by group
  std::string name;   ///< unique
  /// Returns everything around the kernels, then each kernel. Throws Error if the library does.
  std::function<std::vector<std::string>()> texts;
  /// Returns what else helps to understand a change.
  std::function<std::string()> describe = {};
  /// Returns the choices for a planned problem; empty for hand-written kernels.
  std::function<engine::Blueprint()> blueprint = {};
};

/// Which kernels compute a transform: those that are made for it, or generic ones.
enum class Made { specialised, generic };

/// Returns a transform or a filter that is planned for the device.
Problem planned(const device::Facts& facts, std::string group, std::string name,
                const problem::Computation& computation, const Options& options,
                Made made = Made::specialised);

/// Returns rows of different lengths, which have generic kernels.
Problem planned_rows(const device::Facts& facts, std::string group, std::string name,
                     const RaggedTransform& rows);

/// Returns the catalogue's CI tier for a device, and random problems of every kind, layout, mapping
/// and placement. Groups: kind, precision, requested algorithm.
std::vector<Problem> dense_problems(const device::Facts& facts);

/// Returns transforms in a ring. Groups: "residues", "prime fields".
std::vector<Problem> residue_problems(const device::Facts& facts);

/// Returns those of the same problems that generic kernels can compute. Groups: kind, precision.
std::vector<Problem> generic_problems(const device::Facts& facts);

/// Returns transforms with hooks of every sort at their ends, filters, deterministic plans, and the
/// transforms that convolutions consist of; also on generic kernels. Groups: sort of the hooks,
/// precision.
std::vector<Problem> hooked_problems(const device::Facts& facts);

/// Returns rows of different lengths of every kind, layout and norm, with truncated spectra and
/// factors. Groups: "generic rows", precision.
std::vector<Problem> ragged_problems(const device::Facts& facts);

/// Returns a part of the dense and hooked problems in C, for CPUs. Groups: "C", those of the
/// others.
std::vector<Problem> c_problems(const device::Facts& facts);

/// Returns the functions of small transforms for AVX-512, in OpenCL C and in C, on a CPU with
/// vectors of 64 bytes. Groups: precision.
std::vector<Problem> small_problems(const device::Facts& facts);

/// Returns the hand-written kernels: nonuniform and sparse transforms of many designs, and the
/// tests and measurements of devices. Groups: capability, precision.
std::vector<Problem> handmade_problems(const device::Facts& facts);

}  // namespace imago::digests
