// This file is the interposer's interface to a program that is linked with it. Others set the
// environment: IMAGO_FAULT_AT=N (the N-th call fails, from 1), IMAGO_FAULT_ALL=1 (and all behind
// it) and IMAGO_FAULT_CODE (else -9999), or IMAGO_SLOW_BUILD=N (every program is built N
// milliseconds late), and are started with LD_PRELOAD=libimago_faults.so.
#pragma once

#include <CL/cl.h>

#include <cstdint>

namespace imago::faults {

enum class Extent { once, all };

/// Starts to count calls anew; call `at` fails with `code`, and with Extent::all those behind it.
/// 0: none does. Calls that release something never fail.
void arm(std::uint64_t at, Extent extent, int code);
/// A device is lost: of the calls on this context, its queues and their events the `at`-th and all
/// behind it fail, from 1. Null: none is.
void lose(cl_context of, std::uint64_t at, int code);
/// No more faults. Gives the number of calls that could have failed since arm().
std::uint64_t disarm();

/// True if the thread is in a call of OpenCL, the books of this library included.
bool in_opencl();
/// True while calls count: see Live.
bool is_live();

/// Calls count, and fail, only while one lives: what is under test, whatever thread calls. (Of a
/// program that sets the environment, all calls.)
class Live {
 public:
  explicit Live(bool live = true);
  ~Live();
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;
};

/// References to objects that the program holds: made or retained and not yet released.
struct Held {
  std::int64_t contexts = 0, queues = 0, memories = 0, programs = 0, kernels = 0, events = 0;
  friend bool operator==(const Held&, const Held&) = default;
};
Held held();
/// Objects that were retained or released when nobody held them.
std::uint64_t misused();
/// The name of the call that failed first since arm(); empty: none did.
const char* first_failed();

}  // namespace imago::faults
