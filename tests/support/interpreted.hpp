// This file runs programs on the host interpreter: whole transforms without a device. The
// interpreter throws if a kernel has a race, reads unwritten memory or leaves its memory.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/half.hpp"
#include "blocks/emit.hpp"
#include "interpreter/interpreter.hpp"
#include "ir/residues.hpp"
#include "plan/planner.hpp"

namespace imago::test {

/// The memory of a program's caller: element counts include the offsets and the distances.
template <class Real, class Element = std::complex<Real>>
struct HostArrays {
  std::vector<Element> in, out;  ///< in place: `out` stays empty
  std::uint64_t in_offset = 0, out_offset = 0;
};
/// Host arrays in half precision.
using HalfArrays = HostArrays<float, std::array<std::uint16_t, 2>>;

inline HalfArrays halved(const HostArrays<float>& arrays) {
  HalfArrays halves{{}, {}, arrays.in_offset, arrays.out_offset};
  const auto half = [](std::complex<float> x) {
    return std::array{base::to_half(x.real()), base::to_half(x.imag())};
  };
  std::transform(arrays.in.begin(), arrays.in.end(), std::back_inserter(halves.in), half);
  std::transform(arrays.out.begin(), arrays.out.end(), std::back_inserter(halves.out), half);
  return halves;
}

inline HostArrays<float> widened(const HalfArrays& halves) {
  HostArrays<float> arrays{{}, {}, halves.in_offset, halves.out_offset};
  const auto wide = [](const auto& x) {
    return std::complex<float>(base::from_half(x[0]), base::from_half(x[1]));
  };
  std::transform(halves.in.begin(), halves.in.end(), std::back_inserter(arrays.in), wide);
  std::transform(halves.out.begin(), halves.out.end(), std::back_inserter(arrays.out), wide);
  return arrays;
}

/// The arrays as bytes.
struct HostMemory {
  std::span<std::byte> in, out;  ///< in place the same
  std::uint64_t in_offset = 0, out_offset = 0;
  /// Arguments of the direction's hooks: bytes of buffers, or numbers.
  std::vector<interpreter::Binding> hooks = {};
};

template <class Real>
class Interpreted {
 public:
  explicit Interpreted(const kernel::Program& program) : program_(program) {
    // Scratch is NaN until a kernel writes it, so that reading unwritten memory shows.
    scratch_.resize(program.scratch_bytes / sizeof(Real), std::numeric_limits<Real>::quiet_NaN());
    for (const auto& table : program.tables) {
      std::vector<Real>& values = tables_.emplace_back();
      for (const auto& section : table.sections) {
        const auto append = [&](const auto& more) {
          values.insert(values.end(), more.begin(), more.end());
        };
        if (table.ring == base::Ring::none)
          append(kernel::fill(section, table.planar));
        else
          append(kernel::residues(section, table.ring, table.planar));
      }
    }
    for (const auto& kernel : kernel::kernels_of(program)) {
      const base::Ring ring = kernel.phases.front().ring;
      ir::Kernel code = blocks::emit(kernel);
      if (ring != base::Ring::none) code = ir::in_ring(std::move(code), ring);
      kernels_.push_back(std::move(code));
    }
  }

  /// Sets the order of the work-groups of one launch.
  void set_schedule(const interpreter::Schedule& schedule) { schedule_ = schedule; }

  template <class Element>
  void run(HostArrays<Real, Element>& arrays) {
    const auto in = std::as_writable_bytes(std::span(arrays.in)),
               out = std::as_writable_bytes(std::span(arrays.out));
    if (arrays.out.empty()) return run({in, in, arrays.in_offset, arrays.in_offset});
    run({in, out, arrays.in_offset, arrays.out_offset});
  }
  void run(const HostMemory& memory) {
    for (const kernel::Command& command : kernel::commands_of(program_)) run(command, memory);
  }

 private:
  struct Where {
    std::span<std::byte> bytes;
    std::uint64_t origin, offset;  ///< place of the array, and of the launch in it

    /// First element of the launch; for hooked sides in elements of the packed array.
    std::uint64_t first(const kernel::Side& side) const {
      return side.hooked ? offset : origin + offset;
    }
  };
  Where where(const kernel::Place& place, std::uint64_t chunk, const HostMemory& memory) {
    // Scratch starts at the chunk's first element, so the index that hooks use begins there.
    if (place.memory == kernel::Memory::scratch)
      return {std::as_writable_bytes(std::span(scratch_)), -chunk, place.offset + chunk};
    return place.memory == kernel::Memory::input
               ? Where{memory.in, memory.in_offset, place.offset}
               : Where{memory.out, memory.out_offset, place.offset};
  }

  std::vector<interpreter::Binding> arguments_of(const kernel::Launch& launch,
                                                 const HostMemory& memory) {
    const auto& step = program_.steps.at(launch.step);
    const auto in = where(launch.in, launch.chunk, memory),
               out = where(launch.out, launch.chunk, memory);
    std::vector<interpreter::Binding> arguments;
    add_memory(arguments, in.bytes, step.in.planar);
    add_memory(arguments, out.bytes, step.out.planar);
    if (step.has_table)
      arguments.push_back(interpreter::bind(tables_.at(static_cast<std::size_t>(launch.table))));
    for (const std::uint64_t value : {launch.batch, in.first(step.in), launch.in.distance,
                                      out.first(step.out), launch.out.distance}) {
      arguments.push_back(static_cast<std::int64_t>(value));
    }
    if (step.scaled) arguments.push_back(launch.scale);
    add_hooks(arguments, step.in.hooked, in.origin, memory);
    add_hooks(arguments, step.out.hooked, out.origin, memory);
    add_hooks(arguments, step.convolution.hooked, launch.spectrum, memory);
    return arguments;
  }

  /// In planar memory the real parts come before the imaginary ones.
  static void add_memory(std::vector<interpreter::Binding>& arguments, std::span<std::byte> bytes,
                         bool planar) {
    if (!planar) return arguments.push_back(bytes);
    arguments.push_back(bytes.first(bytes.size() / 2));
    arguments.push_back(bytes.last(bytes.size() / 2));
  }

  static void add_hooks(std::vector<interpreter::Binding>& arguments,
                        const std::optional<kernel::Hooked>& hooked, std::uint64_t origin,
                        const HostMemory& memory) {
    if (!hooked) return;
    arguments.push_back(static_cast<std::int64_t>(origin));
    for (const kernel::KernelArgument& argument : hooked->arguments) {
      arguments.push_back(memory.hooks.at(argument.number));
      if (argument.is_buffer()) arguments.push_back(std::int64_t{0});
    }
  }

  void run(const kernel::Command& command, const HostMemory& memory) {
    const bool waits = program_.one_launch;
    std::vector<std::int32_t> counters(2);
    std::vector<interpreter::Binding> arguments;
    if (waits) arguments.push_back(interpreter::bind(counters));
    std::uint64_t groups = 0;
    for (std::size_t i = command.first; i < command.end; ++i) {
      const kernel::Launch& launch = program_.launches[i];
      const auto more = arguments_of(launch, memory);
      arguments.insert(arguments.end(), more.begin(), more.end());
      if (waits) arguments.push_back(static_cast<std::int64_t>(launch.groups));
      if (waits || !launch.chained) groups += launch.groups;
    }
    interpreter::run(kernels_.at(command.kernel), groups, arguments, schedule_);
  }

  const kernel::Program& program_;
  std::vector<Real> scratch_;
  std::vector<std::vector<Real>> tables_;
  std::vector<ir::Kernel> kernels_;
  interpreter::Schedule schedule_;
};

}  // namespace imago::test
