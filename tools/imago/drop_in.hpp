// This file finds the libraries that take the place of others, and what a program loads.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace imago::command {

/// The folder of imago's libclFFT.so.2: beside this program, installed or built. Throws Failure
/// where there is none.
std::filesystem::path clfft_folder();

/// The variables of the environment, with their values, in which a program takes clFFT from there.
std::vector<std::pair<std::string, std::string>> clfft_environment();

/// A library that a program loads when it starts; no path where it is not found.
struct Loaded {
  std::string name, path;
};
/// Asks the system's loader, which runs nothing of the program. Throws Failure where it cannot say.
std::vector<Loaded> loaded_by(const std::filesystem::path& program);

/// The symbols that begin so and that nothing defines which the program loads in this environment.
std::vector<std::string> missing_symbols(
    const std::filesystem::path& program, const std::string& beginning,
    const std::vector<std::pair<std::string, std::string>>& environment);

/// Where a program is that is named as in a shell. Throws Failure where nothing is.
std::filesystem::path find_program(const std::string& name);

}  // namespace imago::command
