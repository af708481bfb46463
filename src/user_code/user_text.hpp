// This file checks OpenCL C from the user, before it becomes part of a generated kernel.
// It rejects code that compilers accept although a function of one point does not need it, or that
// would break the rest of the kernel. The device's compiler reports all other errors: types, which
// a prototype defines (blocks/user_functions), undeclared names, an #if without #endif.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace imago::user_code {

/// Limit of a text, in bytes.
inline constexpr std::size_t kLongestUserText = std::size_t{64} * 1024;

/// Checks that `text` defines a function named `function`, outside of all brackets. `field` names
/// the text in messages ("on_forward.load[0].text"). Throws InvalidArgument, with the line and the
/// allowed alternatives, for
/// - texts that are too long, and text that Tokenizer rejects;
/// - directives other than #define, #undef, #if, #ifdef, #ifndef, #elif, #else and #endif, and ##;
/// - brackets that do not balance, in each directive and in the rest with all branches of each #if;
/// - words that a pure function does not need (barriers, ids, local memory, atomics and so on),
///   words that begin with imago_ except those for users (imago_at and so on), words that imago's
///   part of a kernel uses, and macros that hide words of OpenCL C;
/// - functions that call each other in a cycle, also through macros.
void check_user_text(const std::string& field, const std::string& text,
                     const std::string& function);

/// Returns the names of the macros that a checked text defines in any branch, each once.
std::vector<std::string> macros_of(const std::string& text);

/// Throws InvalidArgument unless `name` is an identifier that a user may choose. It has at most 63
/// letters, digits and _. It is no keyword, type or kernel function (such as barrier) of OpenCL C,
/// and does not begin with imago_ or __.
void check_user_name(const std::string& field, const std::string& name);

}  // namespace imago::user_code
