// This file is the interposer's interface to a program that is linked with it. Other programs are
// started with LD_PRELOAD=libimago_faults.so and environment variables: IMAGO_FAULT_AT=N (the N-th
// call fails, from 1), IMAGO_FAULT_ALL=1 (and all calls after it), IMAGO_FAULT_CODE (default
// -9999), IMAGO_SLOW_BUILD=N (every program build is delayed by N milliseconds),
// IMAGO_SLOW_FINISH=N (every clFinish is), IMAGO_LONG_CALLS=FILE (calls of more than 5 ms are
// recorded: name, begin and end in seconds), or IMAGO_REFUSE_THREADS=1 (the program gets no
// threads).
#pragma once

#include <CL/cl.h>

#include <cstdint>

namespace imago::faults {

enum class Extent { once, all };

/// Resets the count of calls. Call `at` fails with `code`, and with Extent::all every call after
/// it. 0: no call fails. Calls that release an object never fail.
void arm(std::uint64_t at, Extent extent, int code);
/// Simulates a lost device. Among the calls on this context, its queues and their events, the
/// `at`-th (from 1) and all after it fail. Null: no device is lost.
void lose(cl_context of, std::uint64_t at, int code);
/// Ends the faults. Returns the number of calls since arm() that could have failed.
std::uint64_t disarm();

/// Returns true if the thread is in an OpenCL call, including this library's own code.
bool in_opencl();
/// Returns true while calls are counted: see Live.
bool is_live();

/// Calls are counted, and can fail, only while a Live object exists; this marks the code under
/// test, in all threads. In a program that sets the environment all calls count.
class Live {
 public:
  explicit Live(bool live = true);
  ~Live();
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;
};

/// References to objects that the program holds: created or retained, and not yet released.
struct Held {
  std::int64_t contexts = 0, queues = 0, memories = 0, programs = 0, kernels = 0, events = 0;
  friend bool operator==(const Held&, const Held&) = default;
};
Held held();
/// Returns the number of objects that were retained or released without a reference.
std::uint64_t misused();
/// Returns the name of the first call that failed since arm(); empty: none.
const char* first_failed();

}  // namespace imago::faults
