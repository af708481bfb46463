// This file checks the one-shot helpers and the choice of a device.
#include <cstdlib>

#include "api/support.hpp"
#include "support/catch.hpp"

namespace imago {
namespace {

using test::ContainsSubstring;

TEST_CASE("fft and ifft of host data", "[api][host]") {
  const auto x = test::noise<float>(30);
  const auto y = fft(x);
  CHECK(test::distance(y, test::naive_dft(x, 0, 30, -1)) < 1e-6);
  CHECK(test::distance(ifft(y), x) < 1e-6);
  const auto xd = test::noise<double>(30);
  const auto yd = fft(xd);
  CHECK(test::distance(yd, test::naive_dft(xd, 0, 30, -1)) < 1e-14);
  CHECK(test::distance(ifft(yd), xd) < 1e-14);
  CHECK_THROWS_AS(fft(std::span<const std::complex<float>>()), InvalidArgument);
  const auto prime = test::noise<float>(37);  // no radix
  CHECK(test::distance(fft(prime), test::naive_dft(prime, 0, 37, -1)) < 2e-6);
}

TEST_CASE("a device by index, by name, by the environment", "[api][host]") {
  const auto all = devices();
  REQUIRE(!all.empty());
  const std::string name = all[0].getInfo<CL_DEVICE_NAME>().c_str();
  CHECK(find_device("0")() == all[0]());
  CHECK(find_device(name)() == all[0]());
  CHECK_THROWS_WITH(find_device("no such device"),
                    ContainsSubstring("no such device") && ContainsSubstring(name));
  CHECK_THROWS_AS(find_device("1000000"), InvalidArgument);

  const char* before = std::getenv("IMAGO_DEVICE");
  const std::string kept = before ? before : "";
  setenv("IMAGO_DEVICE", "no such device", 1);
  CHECK_THROWS_WITH(find_device(), ContainsSubstring("IMAGO_DEVICE is \"no such device\""));
  setenv("IMAGO_DEVICE", "0", 1);
  CHECK(find_device()() == all[0]());
  before ? setenv("IMAGO_DEVICE", kept.c_str(), 1) : unsetenv("IMAGO_DEVICE");
}

}  // namespace
}  // namespace imago
