// This file predicts the time of transforms over ranks, by slabs and by pencils. It sums the
// traffic through memory, over the link between host and device and over the network.
// docs/scaling.md has the formula and the measurements.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace imago::scaling {

/// The rates of a rank, in bytes per second.
struct RankRates {
  double memory = 0;     ///< the device's copy bandwidth, read plus written
  double link = 0;       ///< one way between host and device; 0: the device works in host memory
  double link_both = 0;  ///< each way while both are in use; 0: as `link`
  double network = 0;    ///< out of a rank; simultaneous input costs nothing
  double message = 0;    ///< seconds per message in addition to its bytes
};

/// The transformed array: complex numbers, or real ones with a half spectrum.
struct SpreadArray {
  std::vector<std::size_t> lengths = {};  ///< two or three, slowest first
  std::size_t element_bytes = 8;          ///< size of a complex number
  bool real = false;                      ///< along the last dimension
};

/// In slabs, ranks share one dimension; in pencils, two.
enum class Decomposition { slabs, pencils };
/// The memory of a rank's part between the local transforms. host: as in heFFTe, mpi4py-fft, Dask.
/// shared: memory of all ranks of one machine (imago::mpi); nothing is sent, and pieces are copied
/// both ways concurrently. device: only sent data passes through host memory.
enum class Residence { host, shared, device };

/// Seconds of one transform of the whole array, for the rank with the largest part.
struct RankCost {
  std::array<std::size_t, 2> grid = {1, 1};  ///< ranks along the shared dimensions
  double part_bytes = 0;                     ///< size of the rank's part
  double memory = 0, link = 0, network = 0;  ///< seconds
  double one_by_one() const { return memory + link + network; }
  double overlapped() const;  ///< returns the longest of the three, the lower bound
};

/// Returns nullopt if this number of ranks cannot share the array. Slabs allow at most the shorter
/// of the first two lengths; pencils (for three dimensions) at most the size of their grid.
std::optional<RankCost> predict(const SpreadArray& array, std::size_t ranks,
                                Decomposition decomposition, Residence residence,
                                const RankRates& rates);

}  // namespace imago::scaling
