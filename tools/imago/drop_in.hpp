// This file finds drop-in replacements of libraries, and the libraries that a program loads.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace imago::command {

/// Returns the folder of imago's libclFFT.so.2, next to this program, installed or built. Throws
/// Failure if there is none.
std::filesystem::path clfft_folder();

/// Replaces this process by a program that runs with these environment variables. Throws Failure if
/// it cannot be started.
[[noreturn]] void become(std::vector<std::string> words,
                         const std::vector<std::pair<std::string, std::string>>& environment);

/// Returns the environment variables, with their values, that make a program load clFFT from there.
std::vector<std::pair<std::string, std::string>> clfft_environment();

/// A library that a program loads when it starts; the path is empty if it is not found.
struct Loaded {
  std::string name, path;
};
/// Asks the system's loader, which runs no code of the program. Throws Failure if the loader cannot
/// report it.
std::vector<Loaded> loaded_by(const std::filesystem::path& program);

/// Returns the symbols with this prefix that no library of the program defines in this environment.
std::vector<std::string> missing_symbols(
    const std::filesystem::path& program, const std::string& beginning,
    const std::vector<std::pair<std::string, std::string>>& environment);

/// Returns the path of a program that is named as in a shell. Throws Failure if there is none.
std::filesystem::path find_program(const std::string& name);

}  // namespace imago::command
