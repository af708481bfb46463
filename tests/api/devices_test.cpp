// This file checks the choice of a device.
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

}  // namespace
}  // namespace imago
