// This file counts the OpenCL calls of a program, decides which of them fail, and records the
// references that the program holds.
#pragma once

#include <CL/cl.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "faults.hpp"

namespace imago::faults {

enum class Type { context, queue, memory, program, kernel, event, count };

class Ledger {
 public:
  /// Never destroyed, because drivers and programs also release objects after main().
  static Ledger& instance();

  void arm(std::uint64_t at, Extent extent, int code);
  void lose(cl_context of, std::uint64_t at, int code);
  std::uint64_t disarm();
  cl_context lost() const { return live_ ? lost_.load() : nullptr; }
  /// Returns the fault of a call of the lost device. These calls have a count of their own.
  cl_int fault_of_lost(const char* call);
  void live(bool live) { live_ = live; }
  bool live() const { return live_; }
  /// Returns CL_SUCCESS, or the code with which this call fails.
  cl_int fault(const char* call);
  /// Delay of every program build.
  std::chrono::milliseconds build_delay() const { return build_delay_; }
  std::chrono::milliseconds finish_delay() const { return finish_delay_; }
  using Clock = std::chrono::steady_clock;
  /// Records a call that began at `start` and ends now, if it took long.
  void timed(const char* call, Clock::time_point start) const;

  void made(Type type, const void* object);
  void retained(Type type, const void* object);
  void released(Type type, const void* object);
  Held held();
  std::uint64_t misused() const { return misused_; }
  const char* first_failed() const;

 private:
  Ledger();

  std::atomic<std::uint64_t> calls_{0}, at_{0}, misused_{0};
  std::atomic<std::uint64_t> lost_calls_{0}, lost_at_{0};
  std::atomic<cl_context> lost_{nullptr};
  std::atomic<bool> all_{false}, live_{false};
  std::atomic<int> code_{-9999};
  std::atomic<const char*> first_failed_{nullptr};
  std::chrono::milliseconds build_delay_{0}, finish_delay_{0};
  int long_calls_ = -1;  ///< descriptor of the file of long calls; -1: none
  std::mutex mutex_;
  std::unordered_map<const void*, std::int64_t> references_[static_cast<int>(Type::count)];
};

}  // namespace imago::faults
