// This file holds an array of a pass from a device's point of view: its parts for copying and, if
// it is pinned, the device's own copies of them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <CL/opencl.hpp>

#include "host/box.hpp"
#include "host/passes.hpp"
#include "host/pins.hpp"

namespace imago::host {

/// Packed bytes of a box, starting at `first`.
struct BoxPart {
  Box box;
  std::size_t first = 0, bytes = 0;
};

class PassArray {
 public:
  /// Maximum size of a part that a thread copies, in bytes.
  static constexpr std::size_t kPartBytes = std::size_t{2} << 20;

  /// `box` selects the input (`Piece::from`) or the output (`Piece::to`) of pieces.
  PassArray(char* array, const Pieces& pieces, Box Piece::*box, const Pins& pins);

  char* array() const { return array_; }
  /// True if the device copies a box itself.
  bool direct(const Box& box) const;
  /// Returns how many of the `left` bytes starting at `first` are copied at once. Direct parts are
  /// whole rows, or lie within one row.
  std::size_t part_bytes(const Box& box, std::size_t first, std::size_t left) const;

  /// Enqueue the copies of a direct box to or from a buffer, and return the event of the last one.
  /// fetch() starts after `before`. They throw DeviceError.
  cl::Event send(cl_command_queue queue, const BoxPart& part, cl_mem buffer) const;
  cl::Event fetch(cl_command_queue queue, const BoxPart& part, cl_mem buffer,
                  cl_event before) const;

 private:
  char* const array_;
  /// places that no copy may cross; nullopt if the array is not pinned
  std::optional<std::vector<std::size_t>> breaks_;
};

}  // namespace imago::host
