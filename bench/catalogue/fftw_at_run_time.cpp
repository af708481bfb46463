// This file replaces FFTW's libraries in programs that must start without them. Each of FFTW's
// functions that the catalogue calls loads the library's function at its first call.
#include <dlfcn.h>

#include <stdexcept>
#include <string>

#include <fftw3.h>

namespace {

[[noreturn]] void missing(const std::string& what) {
  throw std::runtime_error(
      "FFTW is compared with and was not found: install it, for example "
      "`apt-get install libfftw3-double3 libfftw3-long3` (" +
      what + ")");
}

/// Finds a function in a library, which is never closed.
template <class Function>
Function* find(const char* library, const char* name) {
  void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) missing(dlerror());
  void* const function = dlsym(handle, name);
  if (!function) missing(std::string(library) + " has no " + name);
  return reinterpret_cast<Function*>(function);
}

}  // namespace

// FFTW's functions differ between precisions only by a prefix, which a template cannot express.
#define IMAGO_FFTW(prefix, Real, library)                                                       \
  extern "C" {                                                                                  \
  prefix##plan prefix##plan_guru64_dft(int rank, const prefix##iodim64* dims, int others,       \
                                       const prefix##iodim64* beside, prefix##complex* in,      \
                                       prefix##complex* out, int sign, unsigned flags) {        \
    static auto* const own =                                                                    \
        find<decltype(prefix##plan_guru64_dft)>(library, #prefix "plan_guru64_dft");            \
    return own(rank, dims, others, beside, in, out, sign, flags);                               \
  }                                                                                             \
  prefix##plan prefix##plan_guru64_dft_r2c(int rank, const prefix##iodim64* dims, int others,   \
                                           const prefix##iodim64* beside, Real* in,             \
                                           prefix##complex* out, unsigned flags) {              \
    static auto* const own =                                                                    \
        find<decltype(prefix##plan_guru64_dft_r2c)>(library, #prefix "plan_guru64_dft_r2c");    \
    return own(rank, dims, others, beside, in, out, flags);                                     \
  }                                                                                             \
  prefix##plan prefix##plan_guru64_dft_c2r(int rank, const prefix##iodim64* dims, int others,   \
                                           const prefix##iodim64* beside, prefix##complex* in,  \
                                           Real* out, unsigned flags) {                         \
    static auto* const own =                                                                    \
        find<decltype(prefix##plan_guru64_dft_c2r)>(library, #prefix "plan_guru64_dft_c2r");    \
    return own(rank, dims, others, beside, in, out, flags);                                     \
  }                                                                                             \
  prefix##plan prefix##plan_guru64_r2r(int rank, const prefix##iodim64* dims, int others,       \
                                       const prefix##iodim64* beside, Real* in, Real* out,      \
                                       const fftw_r2r_kind* kinds, unsigned flags) {            \
    static auto* const own =                                                                    \
        find<decltype(prefix##plan_guru64_r2r)>(library, #prefix "plan_guru64_r2r");            \
    return own(rank, dims, others, beside, in, out, kinds, flags);                              \
  }                                                                                             \
  prefix##plan prefix##plan_many_dft(int rank, const int* n, int count, prefix##complex* in,    \
                                     const int* in_n, int in_stride, int in_distance,           \
                                     prefix##complex* out, const int* out_n, int out_stride,    \
                                     int out_distance, int sign, unsigned flags) {              \
    static auto* const own =                                                                    \
        find<decltype(prefix##plan_many_dft)>(library, #prefix "plan_many_dft");                \
    return own(rank, n, count, in, in_n, in_stride, in_distance, out, out_n, out_stride,        \
               out_distance, sign, flags);                                                      \
  }                                                                                             \
  void prefix##execute(const prefix##plan plan) {                                               \
    static auto* const own = find<decltype(prefix##execute)>(library, #prefix "execute");       \
    own(plan);                                                                                  \
  }                                                                                             \
  void prefix##destroy_plan(prefix##plan plan) {                                                \
    static auto* const own =                                                                    \
        find<decltype(prefix##destroy_plan)>(library, #prefix "destroy_plan");                  \
    own(plan);                                                                                  \
  }                                                                                             \
  Real* prefix##alloc_real(std::size_t count) {                                                 \
    static auto* const own = find<decltype(prefix##alloc_real)>(library, #prefix "alloc_real"); \
    return own(count);                                                                          \
  }                                                                                             \
  void prefix##free(void* memory) {                                                             \
    static auto* const own = find<decltype(prefix##free)>(library, #prefix "free");             \
    own(memory);                                                                                \
  }                                                                                             \
  }
IMAGO_FFTW(fftw_, double, "libfftw3.so.3")
IMAGO_FFTW(fftwl_, long double, "libfftw3l.so.3")
#undef IMAGO_FFTW
