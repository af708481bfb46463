// Lists the devices of this machine, if any, to show that the package can be linked and loaded.
#include <iostream>

#include <imago/imago.h>
#include <imago/imago.hpp>

int main() {
  std::cout << "imago " << imago_version() << '\n';
  try {
    std::cout << imago::find_device().getInfo<CL_DEVICE_NAME>() << '\n';
  } catch (const imago::Error& error) {
    std::cout << error.what() << '\n';
  }
}
