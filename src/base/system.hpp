// This file declares functions that each operating system implements in its own way:
// system_posix.cpp, system_windows.cpp. Files by descriptor are in descriptor.hpp, owners of files
// in own_folder.hpp, signals in held_signals.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace imago::base {

/// Returns a path of a text in UTF-8, and the reverse. (On POSIX systems paths are bytes.)
std::filesystem::path path_of(const std::string& text);
std::string text_of(const std::filesystem::path& path);

/// Returns an environment variable in UTF-8; nullopt if it is not set.
std::optional<std::string> environment(const char* name);
/// Sets an environment variable of this process.
void set_environment(const char* name, const std::string& value);
/// Returns the environment of this process, in lines NAME=VALUE.
std::vector<std::string> whole_environment();

/// Returns $name/below; empty if the variable is not set or empty.
std::filesystem::path folder_from_environment(const char* name, const char* below);
/// Returns the folders of a list in an environment variable (separated by ':', on Windows by ';'),
/// or those of `otherwise` if the variable is not set or empty.
std::vector<std::filesystem::path> folders_from_environment(const char* name,
                                                            const std::string& otherwise);

/// Returns imago's cache folder of this user: $XDG_CACHE_HOME/imago or ~/.cache/imago, on Windows
/// %LOCALAPPDATA%\imago\cache. Empty if no such variable is set.
std::filesystem::path user_cache_folder();
/// Returns the folder of this user's profiles: $XDG_CONFIG_HOME/imago or ~/.config/imago, on
/// Windows %LOCALAPPDATA%\imago\profiles. Empty if no such variable is set.
std::filesystem::path user_profile_folder();
/// Returns the cache folder of the machine, which an administrator fills.
std::filesystem::path machine_cache_folder();
/// Returns the folders of the machine's profiles, the first one first.
std::vector<std::filesystem::path> machine_profile_folders();

std::uint64_t process_id();
/// Returns the path of the running program; empty if it is unknown.
std::filesystem::path own_program();

/// Properties of a file that change with its contents.
using FileStamp = std::array<std::int64_t, 7>;
/// Returns the stamp of a file; nullopt if the file cannot be opened.
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

/// Renames a file, and replaces one that has the new name. Programs that have the old one open keep
/// it. Returns errno of the failure, or 0.
int replace_file(const std::filesystem::path& from, const std::filesystem::path& to);
/// Flushes the names in a folder to the disk, if the system can; a failure changes nothing.
void flush_folder(const std::filesystem::path& folder);

/// True if memory is mapped at the address.
bool is_mapped(const void* address);
/// Returns the bytes of this machine's memory.
std::uint64_t memory_bytes();

/// Returns the number of running programs over the last minute; 0 if it is unknown.
double running_programs();

/// Lets the calling thread run only when others have nothing to do.
void lower_priority();
/// Calls a function in each process that fork() makes of this one.
void call_in_forked(void (*function)());
/// Calls a function when the program's main thread calls exit() or returns from main(), before the
/// functions of atexit() and the destructors of all static objects. Does nothing in other threads.
void call_first_at_exit(void (*function)());
/// True if the system has already ended the other threads of this process. (Windows does so before
/// a DLL's exit functions.)
bool threads_are_ended();

}  // namespace imago::base
