// This file says which word of a command line is not known, and which one may have been meant.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace imago::command {

/// The nearest of the words: a letter or two are other, missing, too many or swapped. Empty where
/// none is near.
std::string nearest(const std::string& word, const std::vector<std::string>& known);
/// After App::parse() threw ExtrasError.
std::string unexpected(const CLI::App& app);

}  // namespace imago::command
