// This file checks the choice of a device.
#include <complex>
#include <vector>

#include "api/support.hpp"
#include "support/catch.hpp"
#include "support/variable.hpp"

namespace imago {
namespace {

using test::ContainsSubstring;

TEST_CASE("a device by index, by name, by the environment", "[api]") {
  const auto all = devices();
  REQUIRE(!all.empty());
  const std::string name = all[0].getInfo<CL_DEVICE_NAME>().c_str();
  CHECK(find_device("0")() == all[0]());
  CHECK(find_device(name)() == all[0]());
  CHECK_THROWS_WITH(find_device("no such device"),
                    ContainsSubstring("no such device") && ContainsSubstring(name));
  CHECK_THROWS_AS(find_device("1000000"), InvalidArgument);

  {
    const test::Variable wish("IMAGO_DEVICE", "no such device");
    CHECK_THROWS_WITH(find_device(), ContainsSubstring("IMAGO_DEVICE is \"no such device\""));
  }
  const test::Variable wish("IMAGO_DEVICE", "0");
  CHECK(find_device()() == all[0]());
}

TEST_CASE("plans for a part of a device, and for a part of that part", "[api]") {
  const test::Device whole;
  const cl_device_partition_property one_each[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  std::vector<cl::Device> parts;
  if (cl::Device(whole.device).createSubDevices(one_each, &parts) != CL_SUCCESS || parts.empty())
    return;  // the device cannot be divided
  std::vector<cl::Device> nested;
  if (cl::Device(parts[0]).createSubDevices(one_each, &nested) == CL_SUCCESS && !nested.empty())
    parts.push_back(nested[0]);
  for (const cl::Device& part : parts) {
    const cl::Context contexts[] = {whole.context, cl::Context(part)};
    for (const cl::Context& context : contexts) {
      const cl::CommandQueue queue(context, part);
      const Plan plan(context, part, {.lengths = {12}});
      std::vector<std::complex<float>> data(12, 1.0F);
      const cl::Buffer signal(context, data.begin(), data.end(), true),
          spectrum(context, CL_MEM_READ_WRITE, plan.spectrum_bytes());
      plan.forward(queue, signal, spectrum);
      REQUIRE(cl::copy(queue, spectrum, data.begin(), data.end()) == CL_SUCCESS);
      CHECK(std::abs(data[0] - 12.0F) < 1e-5F);
      CHECK(std::abs(data[5]) < 1e-5F);
    }
  }
}

}  // namespace
}  // namespace imago
