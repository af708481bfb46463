// This file gives a step's kernel its arguments, as kernel::signature_of lists them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernel/program.hpp"
#include "kernel/signature.hpp"
#include "runtime/arguments.hpp"
#include "runtime/opencl.hpp"
#include "runtime/target.hpp"

namespace imago::runtime {

/// Where the elements of one side of a kernel begin.
struct Array {
  cl_mem memory = nullptr;
  cl_mem im = nullptr;       ///< imaginary parts of planar ones
  std::uint64_t offset = 0;  ///< in elements
};

/// What a hook's argument is in a call.
struct HookValue {
  cl_mem buffer = nullptr;   ///< null: a number
  std::uint64_t offset = 0;  ///< of a buffer, in numbers or pairs
  double number = 0;
  friend bool operator==(const HookValue&, const HookValue&) = default;
};

/// One side of a kernel in a call.
struct SidePlace {
  Array array;
  std::uint64_t offset = 0;  ///< of the launch, beyond the array's own
};

/// What a program needs beside the caller's arrays.
struct Scratch {
  cl_mem memory = nullptr;
  cl_mem counters = nullptr;  ///< kernel::kCounterBytes, for one launch
};

class Signature {
 public:
  /// The step's arguments are those from number `first` on.
  explicit Signature(const kernel::Step& step, cl_uint first = 0);

  cl_uint end() const;  ///< number of the argument behind them
  std::size_t work_group_size() const { return work_group_size_; }
  bool has_table() const;
  /// Everything that is the same in every call. `table` is ignored where the step has none.
  void set_constants(cl_kernel kernel, cl_mem table, const kernel::Launch& launch) const;
  /// What a call brings along.
  void set_places(cl_kernel kernel, const SidePlace& in, const SidePlace& out) const;
  /// The arguments of hooks, of the direction's; a filter turns from element `turn` on.
  void set_hooks(cl_kernel kernel, const SidePlace& in, const SidePlace& out, std::uint64_t turn,
                 std::span<const HookValue> values) const;
  bool hooked() const { return hooked_; }
  /// Of a phase: its work-groups, the argument behind.
  void set_groups(cl_kernel kernel, std::uint64_t groups) const;

 private:
  /// Calls `set` with each parameter and its argument.
  template <class Set>
  void each(cl_kernel kernel, Set set) const;
  /// Sets a number of the precision that is computed in.
  void set_number(Arguments argument, double number) const;

  cl_uint first_;
  std::size_t work_group_size_;
  Precision precision_;
  bool hooked_, in_hooked_, out_hooked_;
  std::vector<kernel::KernelParameter> parameters_;
};

/// Launches one work-group of each phase of a kernel on memory of its own, for one batch member,
/// and waits for it. Throws DeviceError where the driver refuses to launch it at all; another
/// failure is logged.
void rehearse(const Target& target, const kernel::Kernel& code, std::size_t table_bytes,
              cl_kernel kernel);

}  // namespace imago::runtime
