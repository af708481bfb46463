// This file computes one transform on the devices of many MPI processes ("ranks"). Each rank holds
// a part of the array in its host memory and computes on its own device. Ranks exchange parts by
// MPI.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <mpi.h>

#include <imago/export.hpp>
#include <imago/host_plan.hpp>
#include <imago/pool.hpp>
#include <imago/transform.hpp>

namespace imago::mpi {

/// Returns the device of this rank: dealt_device() of its number among the ranks of its machine.
/// With two GPUs the ranks get the first, the second, the first, and so on. Collective. Throws as
/// dealt_device(), and as Plan's constructor for a wrong communicator.
IMAGO_API cl::Device device_of_rank(MPI_Comm communicator);

/// How an array is distributed over the ranks. A divided axis of n points has P parts. Each part
/// has n/P points, rounded down; the first n mod P parts have one more. Parts may be empty.
enum class Shape {
  slabs,   ///< axis 0 is divided; one exchange
  pencils  ///< axes 0 and 1 are divided over a grid of ranks; two exchanges, for many ranks
};

/// How a transform's array is distributed.
struct Decomposition {
  Shape shape = Shape::slabs;  ///< number of divided axes
  /// Pencils: the number of parts along axis 0 and along axis 1; ignored for slabs. Rank r holds
  /// part r / grid[1] of axis 0 and part r % grid[1] of axis 1. The product is the number of ranks.
  /// imago chooses an entry that is 0.
  std::array<std::size_t, 2> grid = {0, 0};
  /// True: the spectrum stays distributed as it is after the last axis was transformed, which saves
  /// the exchanges back. It is divided along axis 1 (pencils: along axes 1 and 2). Axes 0 and 1 are
  /// swapped in memory: an array of n1 x n0 x n2. For one long line see Plan.
  bool transposed = false;
  friend bool operator==(const Decomposition&, const Decomposition&) = default;
};

/// Planning options. All fields except `host` must be equal on all ranks.
struct Options {
  HostOptions host = {};  ///< options of the rank's own HostPlans
  /// Number of pieces of each exchange: one is sent while the next is computed. 0: imago chooses.
  std::size_t pieces = 0;
  /// True: the ranks of one machine exchange through shared memory, which needs no extra copy.
  /// Messages are used if false, if the ranks are on several machines, and for one long line unless
  /// all devices are CPUs.
  bool share_memory = true;
  /// Seconds, 0 or more. A rank that waits longer for another rank prints a message and ends the
  /// program (MPI_Abort). 0: it waits without limit.
  double patience = 600;
};

/// The part of the signal or of the spectrum that one rank holds: a packed array.
struct Part {
  std::vector<std::size_t> begin = {};    ///< first index along each axis
  std::vector<std::size_t> lengths = {};  ///< number of indices along each axis
  std::vector<std::size_t> strides =
      {};                    ///< distance of adjacent indices of each axis, in elements
  std::size_t elements = 0;  ///< number of elements, real or complex
  std::size_t bytes = 0;     ///< size in bytes
  friend bool operator==(const Part&, const Part&) = default;
};

/// A transform of an array that is distributed over the ranks of a communicator. Axes may be
/// complex, real (if the axis is not divided), cosine or sine. Any lengths, any number of ranks.
///
/// @code
/// // On every rank: 512 x 512 x 512 real numbers, of which each rank holds some planes.
/// const imago::Pool pool({imago::mpi::device_of_rank(MPI_COMM_WORLD)});
/// imago::mpi::Plan plan(MPI_COMM_WORLD, pool,
///                       {.kind = imago::Kind::real, .lengths = {512, 512, 512}},
///                       {.transposed = true});
/// std::vector<float> u(plan.signal().elements);
/// std::vector<std::complex<float>> modes(plan.spectrum().elements);
/// plan.forward(u.data(), modes.data());
/// // modes[i * strides[0] + j * strides[1] + k * strides[2]] with spectrum()'s strides is the mode
/// // (begin[0] + i, begin[1] + j, begin[2] + k).
/// @endcode
///
/// **One long line** (a complex Transform with one length n) is computed as n0 x n1 points. n = n0
/// n1, and the two factors are as near to each other as possible. If n is prime, one rank holds all
/// of it. The signal is distributed in order, whole rows of n1 points per rank. The spectrum is
/// distributed in order, too, in multiples of n0. With Decomposition::transposed it is an array of
/// n0 x n1, divided along n0, with X[k0 + n0 k1] at (k0, k1). The parts of a long line always have
/// two axes, n0 and n1, in `begin` and `lengths`.
///
/// **Errors.** Construction and transforms are collective: all ranks of the communicator call them
/// in the same order. If one rank fails, all ranks throw the same exception, and its text names
/// that rank. If a process dies, MPI ends the program. If a rank never calls, the program ends
/// after Options::patience. If one rank calls inverse() and another one forward(), all ranks throw
/// InvalidArgument.
///
/// **Devices with memory of their own** need copies of the ranks' parts. The plan pins the memory
/// that it keeps for exchanges. Threads copy the caller's parts unless these are pinned
/// (Pool::pin()); pinning pays after about ten transforms.
///
/// Only one thread at a time may use a Plan. The plan keeps its own copy of the communicator, so
/// the one that was given may be freed earlier. Destroy the plan before MPI_Finalize.
class IMAGO_API Plan {
 public:
  /// Throws InvalidArgument
  /// - for a null communicator and for an intercommunicator;
  /// - before MPI_Init and after MPI_Finalize;
  /// - for transforms, decompositions or options that differ between ranks;
  /// - for grids whose product is not the number of ranks;
  /// - for more than 2^48 elements and for a negative patience.
  ///
  /// Throws Unsupported for batches, layouts, hooks, planar storage, f16, transforms in place and a
  /// divided real axis. Also throws as HostPlan.
  Plan(MPI_Comm communicator, const Pool& pool, Transform transform,
       const Decomposition& decomposition = {}, const Options& options = {});
  ~Plan();
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;

  /// Computes the spectrum of the signal. The pointers are this rank's parts, which must not
  /// overlap. Null is allowed for an empty part.
  void forward(const void* signal, void* spectrum);
  /// Computes the signal of a spectrum, with the same rules.
  void inverse(const void* spectrum, void* signal);

  const Part& signal() const;          ///< this rank's part of the signal
  const Part& spectrum() const;        ///< this rank's part of the spectrum
  Part signal_of(int rank) const;      ///< another rank's part of the signal; not collective
  Part spectrum_of(int rank) const;    ///< another rank's part of the spectrum; not collective
  const Transform& transform() const;  ///< the transform that was given
  /// Returns the bytes that this rank keeps for exchanges.
  std::size_t workspace_bytes() const;
  /// Returns a description: steps, exchanges, pieces and kernels. All but the kernels are the same
  /// on all ranks.
  std::string describe() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace imago::mpi
