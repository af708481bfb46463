// This file finds the functions that a user's text defines, and those that call themselves.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "problem/tokens.hpp"

namespace imago::problem {

/// A user's text as its lines of directives and what remains; brackets balance in both.
struct UserProgram {
  std::vector<std::vector<Token>> directives;  ///< each from its # on
  std::vector<Token> code;                     ///< of all branches of each #if
};

/// "type name(..) {..}" outside of all brackets: places in the tokens.
struct Definition {
  std::size_t begin = 0;           ///< of the type, with its qualifiers
  std::size_t name = 0;            ///< a ( follows
  std::size_t parameters_end = 0;  ///< the ) behind them; the body follows
  std::size_t body_end = 0;        ///< its }
};
std::vector<Definition> definitions_in(const std::vector<Token>& code);

/// Throws InvalidArgument where `function` is not among those that the program defines outside of
/// all brackets, or where functions call each other in a cycle.
void check_functions(const std::string& field, const UserProgram& program,
                     const std::string& function);

}  // namespace imago::problem
