// This file checks OpenCL C that a user gives as a hook, before it becomes part of a generated
// kernel: for what compilers accept although a function of one point does without it, or the rest
// of the kernel suffers from it. The device's compiler reports the rest: types, which a prototype
// gives (blocks/user_functions), names that are not declared, an #if without #endif.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace imago::problem {

/// Bytes of a text at most.
inline constexpr std::size_t kLongestUserText = std::size_t{64} * 1024;

/// Checks that `text` defines a function named `function`, outside of all brackets. `field` names
/// the hook in messages ("on_forward.load[0].text"). Throws InvalidArgument, with the line and what
/// is allowed, for
/// - texts that are too long, and what Tokenizer refuses;
/// - directives other than #define, #undef, #if, #ifdef, #ifndef, #elif, #else and #endif, and ##;
/// - brackets that do not balance, in each directive and in the rest with all branches of each #if;
/// - words of kernels that a pure function does without (barriers, ids, local memory, atomics, ..),
/// words that begin with imago_ other than those of hook::Code, words that imago's part of a kernel
/// has, and macros that hide words of OpenCL C;
/// - functions that call each other in a cycle, also by macros.
void check_user_text(const std::string& field, const std::string& text,
                     const std::string& function);

/// The names that a checked text defines as macros, in whatever branch, each once.
std::vector<std::string> macros_of(const std::string& text);

/// An identifier of C that a user may choose: letters, digits, _; not a keyword or type of OpenCL
/// C, not beginning with imago_ or __.
void check_user_name(const std::string& field, const std::string& name);

}  // namespace imago::problem
