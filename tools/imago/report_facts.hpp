// This file gathers what a report of a mistake should say about the program and the machine, and
// takes out what says something about a person.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace imago::command {

using Json = nlohmann::ordered_json;

/// "imago 0.1.0", and in a second line commit, kind of build, compiler and generator of kernels.
std::string version_text();

/// Everything; what cannot be found out has the reason in its place. Of devices that are new here,
/// kernels are compiled.
Json report_facts();

/// What must not be told.
struct Names {
  std::string home;                ///< its folder; shown as ~
  std::vector<std::string> users;  ///< shown as USER
  std::vector<std::string> hosts;  ///< shown as HOST
};
Names names_of_this_process();
/// The text with names replaced: the folder where it begins a path, the others where they are whole
/// words. "root" is nobody's name.
std::string without_names(std::string text, const Names& names);
/// The same of every text in it.
Json without_names(Json json, const Names& names);

/// Lines "name   value"; what is below another is indented.
std::string report_text(const Json& facts);

}  // namespace imago::command
