// This file finds the functions that a user's text defines, and those that call themselves.
#pragma once

#include <string>
#include <vector>

#include "problem/tokens.hpp"

namespace imago::problem {

/// A user's text as its lines of directives and what remains; brackets balance in both.
struct UserProgram {
  std::vector<std::vector<Token>> directives;  ///< each from its # on
  std::vector<Token> code;                     ///< of all branches of each #if
};

/// Throws InvalidArgument where `function` is not among those that the program defines outside of
/// all brackets, or where functions call each other in a cycle.
void check_functions(const std::string& field, const UserProgram& program,
                     const std::string& function);

}  // namespace imago::problem
