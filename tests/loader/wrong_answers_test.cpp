// This file checks that no caller is blamed where OpenCL's first answer about a buffer is wrong.
#include <dlfcn.h>

#include <cstring>

#include "api/support.hpp"
#include "support/catch.hpp"

namespace {

/// How often clGetMemObjectInfo lies about sizes from now on.
int lies = 0;

using Info = cl_int(CL_API_CALL*)(cl_mem, cl_mem_info, size_t, void*, size_t*);

}  // namespace

extern "C" CL_API_ENTRY cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memory, cl_mem_info name,
                                                              size_t bytes, void* value,
                                                              size_t* needed) {
  static const auto next = reinterpret_cast<Info>(dlsym(RTLD_NEXT, "clGetMemObjectInfo"));
  const cl_int code = next(memory, name, bytes, value, needed);
  if (name == CL_MEM_SIZE && value && lies > 0) {
    --lies;
    const size_t wrong = 4;
    std::memcpy(value, &wrong, sizeof wrong);
  }
  return code;
}

namespace imago {
namespace {

TEST_CASE("a buffer is refused for two answers, not for one", "[loader]") {
  const test::Device device;
  const Plan plan(device.context, device.device, test::transform(64, 1, Placement::in_place));
  const auto x = test::noise<float>(64);
  const auto data = device.upload(x);
  std::vector<std::string> said;
  set_log([&](LogLevel level, const std::string& text) {
    if (level == LogLevel::warning) said.push_back(text);
  });
  lies = 1;
  plan.forward(device.queue, data);
  CHECK(lies == 0);
  REQUIRE(said.size() == 1);
  CHECK(said[0].find("4 bytes") != std::string::npos);
  plan.inverse(device.queue, data);
  CHECK(said.size() == 1);
  CHECK(test::distance(device.download<std::complex<float>>(data, x.size()), x) < 1e-5);

  const auto other = device.upload(x);
  lies = 2;
  CHECK_THROWS_AS(plan.forward(device.queue, other), InvalidArgument);
  set_log({});
}

}  // namespace
}  // namespace imago
