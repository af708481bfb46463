// This file finds the unknown word of a command line, and the word that may have been meant.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace imago::command {

/// Returns the nearest of the words, with at most a letter or two changed, missing, added or
/// swapped. Empty if none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& known);
/// Returns the message after App::parse() threw ExtrasError.
std::string unexpected(const CLI::App& app);

}  // namespace imago::command
