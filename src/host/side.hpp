// This file holds an array of a pass as a device sees it: which parts it is copied in, and, where
// it is pinned, the device's own copies of them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <CL/opencl.hpp>

#include "host/box.hpp"
#include "host/pass.hpp"
#include "host/pins.hpp"

namespace imago::host {

/// Packed bytes of a box, from `first` on.
struct BoxPart {
  Box box;
  std::size_t first = 0, bytes = 0;
};

class Side {
 public:
  /// Of threads' parts.
  static constexpr std::size_t kPartBytes = std::size_t{2} << 20;

  /// Of what pieces read (`Piece::from`) or write (`Piece::to`).
  Side(char* array, const Pieces& pieces, Box Piece::*box, const Pins& pins);

  char* array() const { return array_; }
  /// Whether the device copies a box itself.
  bool direct(const Box& box) const;
  /// What is copied at once, from `first` on, where so many bytes are left. Direct ones are whole
  /// rows, or lie within one.
  std::size_t part_bytes(const Box& box, std::size_t first, std::size_t left) const;

  /// Of direct boxes: puts copies to and from the bytes of a buffer into a queue, the ones back
  /// behind `before`; the event is that of the last. Throws DeviceError.
  cl::Event send(cl_command_queue queue, const BoxPart& part, cl_mem buffer) const;
  cl::Event fetch(cl_command_queue queue, const BoxPart& part, cl_mem buffer,
                  cl_event before) const;

 private:
  char* const array_;
  /// Where it is pinned: no copy goes across these places.
  std::optional<std::vector<std::size_t>> breaks_;
};

}  // namespace imago::host
