// This file implements the records of the interposer.
#include "ledger.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace imago::faults {
namespace {

std::uint64_t number(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace

Ledger& Ledger::instance() {
  static auto* ledger = new Ledger;
  return *ledger;
}

Ledger::Ledger() {
  const char* code = std::getenv("IMAGO_FAULT_CODE");
  arm(number("IMAGO_FAULT_AT", 0), number("IMAGO_FAULT_ALL", 0) ? Extent::all : Extent::once,
      code ? std::atoi(code) : -9999);
  live_ = at_ > 0;
  build_delay_ = std::chrono::milliseconds(number("IMAGO_SLOW_BUILD", 0));
  finish_delay_ = std::chrono::milliseconds(number("IMAGO_SLOW_FINISH", 0));
  if (const char* path = std::getenv("IMAGO_LONG_CALLS"))
    long_calls_ = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

void Ledger::timed(const char* call, Clock::time_point start) const {
  if (long_calls_ < 0) return;
  const auto end = Clock::now();
  if (end - start < std::chrono::milliseconds(5)) return;
  const auto seconds = [](Clock::time_point time) {
    return std::chrono::duration<double>(time.time_since_epoch()).count();
  };
  char line[100];
  const int length =
      std::snprintf(line, sizeof line, "%s %.6f %.6f\n", call, seconds(start), seconds(end));
  static_cast<void>(!write(long_calls_, line, static_cast<std::size_t>(length)));
}

void Ledger::arm(std::uint64_t at, Extent extent, int code) {
  at_ = 0;
  calls_ = 0;
  first_failed_ = nullptr;
  all_ = extent == Extent::all;
  code_ = code;
  at_ = at;
}

void Ledger::lose(cl_context of, std::uint64_t at, int code) {
  lost_ = nullptr;
  first_failed_ = nullptr;
  lost_calls_ = 0;
  lost_at_ = at;
  code_ = code;
  lost_ = of;
}

cl_int Ledger::fault_of_lost(const char* call) {
  if (++lost_calls_ < lost_at_) return CL_SUCCESS;
  const char* none = nullptr;
  first_failed_.compare_exchange_strong(none, call);
  return code_;
}

std::uint64_t Ledger::disarm() {
  at_ = 0;
  lost_ = nullptr;
  return calls_;
}

cl_int Ledger::fault(const char* call) {
  if (!live_) return CL_SUCCESS;
  const std::uint64_t number = ++calls_, at = at_;
  if (at == 0 || number < at || (number > at && !all_)) return CL_SUCCESS;
  const char* none = nullptr;
  first_failed_.compare_exchange_strong(none, call);
  return code_;
}

void Ledger::made(Type type, const void* object) {
  if (!object) return;
  const std::lock_guard lock(mutex_);
  references_[static_cast<int>(type)][object] = 1;  // an address may be used again
}

void Ledger::retained(Type type, const void* object) {
  const std::lock_guard lock(mutex_);
  auto& all = references_[static_cast<int>(type)];
  const auto found = all.find(object);
  if (found == all.end()) {
    ++misused_;
  } else {
    ++found->second;
  }
}

void Ledger::released(Type type, const void* object) {
  const std::lock_guard lock(mutex_);
  auto& all = references_[static_cast<int>(type)];
  const auto found = all.find(object);
  if (found == all.end()) {
    ++misused_;
  } else if (--found->second == 0) {
    all.erase(found);
  }
}

Held Ledger::held() {
  const std::lock_guard lock(mutex_);
  const auto of = [&](Type type) {
    std::int64_t sum = 0;
    for (const auto& [object, count] : references_[static_cast<int>(type)]) sum += count;
    return sum;
  };
  return {of(Type::context), of(Type::queue),  of(Type::memory),
          of(Type::program), of(Type::kernel), of(Type::event)};
}

const char* Ledger::first_failed() const {
  const char* name = first_failed_;
  return name ? name : "";
}

void arm(std::uint64_t at, Extent extent, int code) { Ledger::instance().arm(at, extent, code); }
void lose(cl_context of, std::uint64_t at, int code) { Ledger::instance().lose(of, at, code); }
std::uint64_t disarm() { return Ledger::instance().disarm(); }
Live::Live(bool live) { Ledger::instance().live(live); }
Live::~Live() { Ledger::instance().live(false); }
bool is_live() { return Ledger::instance().live(); }
Held held() { return Ledger::instance().held(); }
std::uint64_t misused() { return Ledger::instance().misused(); }
const char* first_failed() { return Ledger::instance().first_failed(); }

}  // namespace imago::faults
