// This file predicts transforms that are spread over ranks: what goes through memory, over the link
// between host and device and over the network, by slabs and by pencils. docs/scaling.md has the
// formula and says what of it was measured.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace imago::scaling {

/// What a rank has, in bytes per second.
struct RankRates {
  double memory = 0;     ///< the device's, read and written by a copy
  double link = 0;       ///< between host and device, one way; 0: the device works in host memory
  double link_both = 0;  ///< each way while both are in use; 0: as `link`
  double network = 0;    ///< out of a rank; what comes in at the same time is free
  double message = 0;    ///< seconds that one message takes beyond its bytes
};

/// What is transformed: complex numbers, or real ones whose half spectrum is.
struct SpreadArray {
  std::vector<std::size_t> lengths = {};  ///< two or three, slowest first
  std::size_t element_bytes = 8;          ///< a complex number takes
  bool real = false;                      ///< along the last dimension
};

/// slabs: ranks share one dimension; pencils: two.
enum class Decomposition { slabs, pencils };
/// Where a rank's part lies between the local transforms: host: heFFTe, mpi4py-fft, Dask; shared:
/// memory that all ranks of one machine see (imago::mpi), so that nothing is sent, and pieces go
/// there and back at once; device: only what is sent passes through host memory.
enum class Residence { host, shared, device };

/// Seconds of one transform of the whole array, of the rank that has most of it.
struct RankCost {
  std::array<std::size_t, 2> grid = {1, 1};  ///< ranks along the dimensions that they share
  double part_bytes = 0;                     ///< the rank has
  double memory = 0, link = 0, network = 0;  ///< seconds
  double one_by_one() const { return memory + link + network; }
  double overlapped() const;  ///< the longest of the three: nothing does better
};

/// Empty where so many ranks cannot share the array so: slabs no more than the shorter of the first
/// two lengths, pencils (of three dimensions) no more than their grid has.
std::optional<RankCost> predict(const SpreadArray& array, std::size_t ranks,
                                Decomposition decomposition, Residence residence,
                                const RankRates& rates);

}  // namespace imago::scaling
