// This file replaces libsndfile's functions if the program must start without the library. Each
// function finds the library's own at its first call.
#include <dlfcn.h>

#include <sndfile.h>

#include "formats/format_error.hpp"

namespace {

/// Returns a function of the library, which is never closed.
template <class Function>
Function* find(const char* name) {
  static void* const handle = dlopen("libsndfile.so.1", RTLD_NOW | RTLD_LOCAL);
  void* const function = handle ? dlsym(handle, name) : nullptr;
  if (!function)
    throw imago::formats::FormatError(
        "may be a recording, but libsndfile was not found: install it, for example `apt-get "
        "install libsndfile1`");
  return reinterpret_cast<Function*>(function);
}

}  // namespace

extern "C" {

SNDFILE* sf_open_virtual(SF_VIRTUAL_IO* calls, int mode, SF_INFO* info, void* data) {
  static auto* const own = find<decltype(sf_open_virtual)>("sf_open_virtual");
  return own(calls, mode, info, data);
}
int sf_close(SNDFILE* file) {
  static auto* const own = find<decltype(sf_close)>("sf_close");
  return own(file);
}
int sf_error(SNDFILE* file) {
  static auto* const own = find<decltype(sf_error)>("sf_error");
  return own(file);
}
const char* sf_strerror(SNDFILE* file) {
  static auto* const own = find<decltype(sf_strerror)>("sf_strerror");
  return own(file);
}
int sf_command(SNDFILE* file, int command, void* data, int size) {
  static auto* const own = find<decltype(sf_command)>("sf_command");
  return own(file, command, data, size);
}
sf_count_t sf_seek(SNDFILE* file, sf_count_t frames, int whence) {
  static auto* const own = find<decltype(sf_seek)>("sf_seek");
  return own(file, frames, whence);
}
sf_count_t sf_readf_short(SNDFILE* file, short* samples, sf_count_t frames) {
  static auto* const own = find<decltype(sf_readf_short)>("sf_readf_short");
  return own(file, samples, frames);
}
sf_count_t sf_readf_float(SNDFILE* file, float* samples, sf_count_t frames) {
  static auto* const own = find<decltype(sf_readf_float)>("sf_readf_float");
  return own(file, samples, frames);
}
sf_count_t sf_readf_double(SNDFILE* file, double* samples, sf_count_t frames) {
  static auto* const own = find<decltype(sf_readf_double)>("sf_readf_double");
  return own(file, samples, frames);
}

}  // extern "C"
