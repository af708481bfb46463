// This file has clFFT's entry points that concern the whole library.
#include <clFFT.h>

#include "registry.hpp"
#include "status.hpp"

namespace imago::clfft {

// clFFT.h defines clfftInitSetupData inline up to version 2.12. Since 2.14 it only declares it, and
// programs expect it in the library. An assembler name on another function works with both.
extern "C" clfftStatus imago_clfft_init(clfftSetupData* data) __asm__("clfftInitSetupData");

extern "C" {

clfftStatus imago_clfft_init(clfftSetupData* data) {
  return guarded("clfftInitSetupData", [&] {
    require(data, CLFFT_INVALID_HOST_PTR, "the setup data is null; give a pointer");
    *data = {clfftVersionMajor, clfftVersionMinor, clfftVersionPatch, 0};
  });
}

clfftStatus clfftSetup(const clfftSetupData* data) {
  return guarded("clfftSetup", [&] {
    Registry::instance().set_up(data && (data->debugFlags & CLFFT_DUMP_PROGRAMS));
  });
}

clfftStatus clfftTeardown() {
  return guarded("clfftTeardown", [] { Registry::instance().tear_down(); });
}

clfftStatus clfftGetVersion(cl_uint* major, cl_uint* minor, cl_uint* patch) {
  return guarded("clfftGetVersion", [&] {
    require(major && minor && patch, CLFFT_INVALID_HOST_PTR,
            "a pointer to a version number is null; give one");
    *major = clfftVersionMajor;
    *minor = clfftVersionMinor;
    *patch = clfftVersionPatch;
  });
}

}  // extern "C"

}  // namespace imago::clfft
