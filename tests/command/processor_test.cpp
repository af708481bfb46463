// This file checks the name of the processor on x86 and on Arm.
#include "machine/processor.hpp"

#include <fstream>

#include "support/catch.hpp"
#include "support/folder.hpp"

namespace imago {
namespace {

void write(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

TEST_CASE("reports name the processor, also on Arm", "[command][report]") {
  const test::Folder folder;
  const auto named = [&] { return machine::processor(folder.path()); };
  CHECK(named() == "unknown");
  const auto cpuinfo = folder.path() / "proc/cpuinfo";
  write(cpuinfo, "processor\t: 0\nmodel name\t: AMD EPYC  \nmodel name\t: another\n");
  CHECK(named() == "AMD EPYC");
  write(cpuinfo, "processor\t: 0\nCPU implementer\t: 0x41\nCPU part\t: 0xd0b\nCPU revision\t: 1\n");
  CHECK(named() == "CPU part 0xd0b of implementer 0x41");
  // The kernel ends the name of the board with a zero.
  write(folder.path() / "proc/device-tree/model", std::string("Raspberry Pi 5\0", 15));
  CHECK(named() == "Raspberry Pi 5, CPU part 0xd0b of implementer 0x41");
  write(cpuinfo, "model name\t:\n");
  CHECK(named() == "Raspberry Pi 5");
}

}  // namespace
}  // namespace imago
