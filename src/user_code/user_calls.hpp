// This file finds the functions that a user's text defines, and recursive ones.
#pragma once

#include <string>
#include <vector>

#include "user_code/tokens.hpp"

namespace imago::user_code {

/// A user's text, split into directives and code; brackets balance in both.
struct UserProgram {
  std::vector<std::vector<Token>> directives;  ///< each starts at its #
  std::vector<Token> code;                     ///< contains all branches of each #if
};

/// Throws InvalidArgument if the program does not define `function` outside of all brackets, or if
/// functions call each other in a cycle.
void check_functions(const std::string& field, const UserProgram& program,
                     const std::string& function);

}  // namespace imago::user_code
