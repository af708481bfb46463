// This file explains how a drop-in replacement is used on Windows, which has no counterpart of
// LD_PRELOAD and ldd.
#include "command.hpp"
#include "drop_in.hpp"

namespace imago::command {
namespace {

[[noreturn]] void copy_instead() {
  throw Failure(
      "Windows loads clFFT.dll from the program's folder first: copy imago's clFFT.dll there "
      "and start the program itself");
}

}  // namespace

std::filesystem::path clfft_folder() { copy_instead(); }

void become(std::vector<std::string>, const std::vector<std::pair<std::string, std::string>>&) {
  copy_instead();
}

std::vector<std::pair<std::string, std::string>> clfft_environment() { copy_instead(); }

std::vector<Loaded> loaded_by(const std::filesystem::path&) { copy_instead(); }

std::vector<std::string> missing_symbols(const std::filesystem::path&, const std::string&,
                                         const std::vector<std::pair<std::string, std::string>>&) {
  copy_instead();
}

std::filesystem::path find_program(const std::string&) { copy_instead(); }

}  // namespace imago::command
