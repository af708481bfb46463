// This file selects the generated functions for this machine.
#include "small/functions.hpp"

#include <unordered_map>

#include "base/system.hpp"
#include "small/generated.h"

// The build defines IMAGO_SMALL_<set> for each set that it generates.
extern "C" {
#if defined(IMAGO_SMALL_X86_64_V2)
extern const imago_small_function imago_small_x86_64_v2[];
#endif
#if defined(IMAGO_SMALL_X86_64_V4)
extern const imago_small_function imago_small_x86_64_v3[];
extern const imago_small_function imago_small_x86_64_v4[];
#endif
#if defined(IMAGO_SMALL_AARCH64)
extern const imago_small_function imago_small_aarch64[];
#endif
}

namespace imago::small {
namespace {

struct FunctionSet {
  std::string_view name = {};
  const imago_small_function* functions = nullptr;
};

/// Returns the best set that this machine executes, up to the one that $IMAGO_SMALL names.
FunctionSet best() {
  const std::string wish = base::environment("IMAGO_SMALL").value_or("");
#if defined(IMAGO_SMALL_X86_64_V2)
  __builtin_cpu_init();
  const bool v2 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
#if defined(IMAGO_SMALL_X86_64_V4)
  const bool v3 = v2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  if (v4 && wish != "x86-64-v3" && wish != "x86-64-v2") return {"x86-64-v4", imago_small_x86_64_v4};
  if (v3 && wish != "x86-64-v2") return {"x86-64-v3", imago_small_x86_64_v3};
#endif
  if (v2) return {"x86-64-v2", imago_small_x86_64_v2};
#elif defined(IMAGO_SMALL_AARCH64)
  return {"aarch64", imago_small_aarch64};
#endif
  return {};
}

using Names = std::unordered_map<std::string, void (*)()>;

struct Chosen {
  FunctionSet set = best();
  Names names = {};

  Chosen() {
    if (set.functions == nullptr) return;
    for (const imago_small_function* f = set.functions; f->name != nullptr; ++f)
      names.emplace(f->name, f->address);
  }
};

// Never destroyed: calls may come while objects with static storage are destroyed.
const Chosen& chosen() {
  static const auto* const kept = new Chosen;
  return *kept;
}

}  // namespace

std::string_view instruction_set() { return chosen().set.name; }

void (*address_of(const std::string& name))() {
  const auto found = chosen().names.find(name);
  return found == chosen().names.end() ? nullptr : found->second;
}

}  // namespace imago::small
