// This file collects the information about the program and the machine for a bug report, and
// removes personal data.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace imago::command {

using Json = nlohmann::ordered_json;

/// Returns "imago 0.1.0", and in a second line the commit, kind of build, compiler and version of
/// the kernel generator.
std::string version_text();

/// Returns the whole report; a missing value is replaced by the reason. Compiles kernels for new
/// devices.
Json report_facts();

/// Personal data to remove.
struct Names {
  std::string home;                ///< home folder; shown as ~
  std::vector<std::string> users;  ///< shown as USER
  std::vector<std::string> hosts;  ///< shown as HOST
};
Names names_of_this_process();
/// Returns the text with names replaced: the folder at the start of a path, the others as whole
/// words. "root" is not personal.
std::string without_names(std::string text, const Names& names);
/// Replaces names in every text of the JSON.
Json without_names(Json json, const Names& names);

/// Returns lines "name   value"; nested values are indented.
std::string report_text(const Json& facts);

}  // namespace imago::command
