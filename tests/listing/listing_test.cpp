// This file makes the OpenCL loader's calls that list platforms and devices fail. The program's own
// functions are found before those of a shared library.
#include <dlfcn.h>

#include <imago/imago.h>
#include <imago/imago.hpp>

#include "support/catch.hpp"
#include "support/log_lines.hpp"

namespace {

/// The codes that the calls return instead of the loader's answer; CL_SUCCESS: the loader's answer.
cl_int platforms_fail = CL_SUCCESS, devices_fail = CL_SUCCESS;
/// True: the first platform is listed twice, and only its first list of devices fails.
bool one_platform_fails = false;
int asked = 0;

template <class Function>
Function* loader(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" cl_int CL_API_CALL clGetPlatformIDs(cl_uint room, cl_platform_id* found,
                                               cl_uint* count) {
  if (platforms_fail != CL_SUCCESS) return platforms_fail;
  static auto* const real = loader<decltype(clGetPlatformIDs)>("clGetPlatformIDs");
  const cl_int code = real(room, found, count);
  if (one_platform_fails && found) found[1] = found[0];
  if (one_platform_fails && count) *count = 2;
  return code;
}

extern "C" cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type type,
                                             cl_uint room, cl_device_id* found, cl_uint* count) {
  if (devices_fail != CL_SUCCESS && (!one_platform_fails || asked++ == 0)) return devices_fail;
  static auto* const real = loader<decltype(clGetDeviceIDs)>("clGetDeviceIDs");
  return real(platform, type, room, found, count);
}

namespace imago {
namespace {

using test::ContainsSubstring;

/// Restores the loader's answers when it is destroyed.
struct Faults {
  ~Faults() { platforms_fail = devices_fail = CL_SUCCESS, one_platform_fails = false, asked = 0; }
};

TEST_CASE("a driver that fails to list says which call failed", "[listing]") {
  const Faults back;
  platforms_fail = CL_OUT_OF_HOST_MEMORY;
  CHECK_THROWS_AS(devices(), DeviceError);
  CHECK_THROWS_WITH(find_device(), ContainsSubstring("clGetPlatformIDs failed: "
                                                     "CL_OUT_OF_HOST_MEMORY (-6)"));
  platforms_fail = CL_SUCCESS, devices_fail = CL_OUT_OF_RESOURCES;
  CHECK_THROWS_AS(devices(), DeviceError);
  CHECK_THROWS_WITH(find_device(), ContainsSubstring("clGetDeviceIDs failed: "
                                                     "CL_OUT_OF_RESOURCES (-5)"));
}

TEST_CASE("no platform and no device is no failure of a call", "[listing]") {
  const Faults back;
  platforms_fail = -1001;  // CL_PLATFORM_NOT_FOUND_KHR
  CHECK(devices().empty());
  CHECK_THROWS_AS(find_device(), DeviceError);
  CHECK_THROWS_WITH(find_device("0"), ContainsSubstring("no OpenCL device was found"));
  const std::vector<std::complex<float>> signal(8);
  CHECK_THROWS_AS(fft(signal), DeviceError);
  CHECK_THROWS_WITH(fft(signal), ContainsSubstring("no OpenCL device was found"));
  const std::size_t length = 8;
  const imago_transform transform = imago_transform_of(1, &length);
  imago_plan* plan = nullptr;
  CHECK(imago_plan_create(&transform, nullptr, &plan) == IMAGO_DEVICE_ERROR);
  CHECK_THAT(imago_last_error(), ContainsSubstring("no OpenCL device was found"));
  platforms_fail = CL_SUCCESS, devices_fail = CL_DEVICE_NOT_FOUND;
  CHECK(devices().empty());
}

TEST_CASE("a platform that fails does not hide the others", "[listing]") {
  if (devices().empty()) return;
  const Faults back;
  const test::LogLines log;
  devices_fail = CL_OUT_OF_RESOURCES, one_platform_fails = true;
  CHECK(!devices().empty());
  CHECK(log.count("clGetDeviceIDs failed: CL_OUT_OF_RESOURCES") == 1);
}

}  // namespace
}  // namespace imago
