// This library, preloaded, tells PoCL that a CPU with AVX-512 has AVX2 at most, whose profile
// (tuning/pthread-haswell-..) was tuned so: Debian's PoCL 3.1 hears of no other CPU's name.
//   g++ -std=c++17 -O1 -shared -fPIC -I /usr/lib/llvm-15/include tuning/pocl_without_avx512.cpp -o
//   no512.so -ldl LD_PRELOAD=$PWD/no512.so imago tune
#include <dlfcn.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>

namespace llvm::sys {

// In place of LLVM's own, whose answers they pass on otherwise.
bool getHostCPUFeatures(StringMap<bool, MallocAllocator>& features) {
  using Original = bool (*)(StringMap<bool, MallocAllocator>&);
  static const auto original = reinterpret_cast<Original>(
      dlsym(dlopen("libLLVM-15.so.1", RTLD_NOW),
            "_ZN4llvm3sys18getHostCPUFeaturesERNS_9StringMapIbNS_15MallocAllocatorEEE"));
  const bool known = original(features);
  for (auto& feature : features)
    if (feature.getKey().startswith("avx512")) feature.second = false;
  return known;
}

StringRef getHostCPUName() { return "haswell"; }

}  // namespace llvm::sys
