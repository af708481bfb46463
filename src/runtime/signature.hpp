// This file gives a step's kernel its arguments, as kernel::signature_of lists them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/ring.hpp"
#include "kernel/program.hpp"
#include "kernel/signature.hpp"
#include "runtime/arguments.hpp"
#include "runtime/opencl.hpp"
#include "runtime/target.hpp"

namespace imago::runtime {

/// Memory and offset of a kernel's input or output.
struct Array {
  cl_mem memory = nullptr;
  cl_mem im = nullptr;       ///< imaginary parts, for planar storage
  std::uint64_t offset = 0;  ///< in elements
};

/// Value of a hook's argument in a call.
struct HookValue {
  cl_mem buffer = nullptr;   ///< null if the argument is a number
  std::uint64_t offset = 0;  ///< offset of a buffer, in real numbers or complex pairs
  double number = 0;
  friend bool operator==(const HookValue&, const HookValue&) = default;
};

/// A kernel's input or output in a call.
struct SidePlace {
  Array array;
  std::uint64_t offset = 0;  ///< offset of the launch, in addition to that of the array
};

/// Memory that a program needs in addition to the caller's arrays.
struct Scratch {
  cl_mem memory = nullptr;
  cl_mem counters = nullptr;  ///< kernel::kCounterBytes, for a single launch
};

/// Memory whose contents the program defines.
struct Constants {
  cl_mem table = nullptr;
  cl_mem numbers = nullptr;  ///< for generic kernels
};

class Signature {
 public:
  /// The step's arguments start at number `first`. `bound`: kernel::Launch::arguments.
  explicit Signature(const kernel::Step& step, cl_uint first = 0, std::vector<int> bound = {});

  cl_uint end() const;  ///< one past the number of the last argument
  std::size_t work_group_size() const { return work_group_size_; }
  bool has_table() const;
  /// Sets the arguments that are equal in every call. Constants that the step has not are ignored.
  void set_constants(cl_kernel kernel, const Constants& constants,
                     const kernel::Launch& launch) const;
  /// Sets the arguments that change from call to call.
  void set_places(cl_kernel kernel, const SidePlace& in, const SidePlace& out) const;
  /// Sets the arguments of the direction's hooks. `turn` is the linear index of the first spectrum
  /// element of a filter.
  void set_hooks(cl_kernel kernel, const SidePlace& in, const SidePlace& out, std::uint64_t turn,
                 std::span<const HookValue> values) const;
  bool hooked() const { return hooked_; }
  /// Sets the number of batch elements, one of the constants.
  void set_batch(cl_kernel kernel, std::uint64_t batch) const;
  /// Sets the last argument of a phase, its number of work-groups.
  void set_groups(cl_kernel kernel, std::uint64_t groups) const;

 private:
  /// Calls `set` with each parameter and its argument.
  template <class Set>
  void each(cl_kernel kernel, Set set) const;
  /// Sets a number in the precision of the arithmetic.
  void set_number(Arguments argument, double number) const;

  cl_uint first_;
  std::size_t work_group_size_;
  Precision precision_;
  bool pairs_;
  base::Ring ring_;
  bool hooked_, in_hooked_, out_hooked_;
  std::vector<int> bound_;
  std::vector<kernel::KernelParameter> parameters_;
};

/// Launches one work-group of each phase of a kernel on temporary memory, and waits for it: for one
/// batch element, or for none if hooks would read the caller's memory. Does nothing for kernels
/// with such hooks that cannot do without. Throws DeviceError if the driver rejects any launch of
/// the kernel; logs other failures.
void rehearse(const Target& target, const kernel::Kernel& code, std::size_t table_bytes,
              cl_kernel kernel);

}  // namespace imago::runtime
