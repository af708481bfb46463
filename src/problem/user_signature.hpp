// This file compares the signature of a user's function with the one that it is called by: C would
// convert a float2 to a float, or call through a pointer of another type, without a word that all
// compilers say.
#pragma once

#include <string>
#include <vector>

#include <imago/hooks.hpp>

#include "problem/user_calls.hpp"

namespace imago::problem {

/// What a value of a signature may be.
struct SignatureValue {
  /// A value or pointer of exactly this type; any lone number; a pointer that a void* becomes.
  enum class Kind { exact, number, memory };
  Kind kind = Kind::exact;
  std::string type;  ///< as it is declared: "float2", "const imago_at*"
  std::string name;  ///< for messages
};

/// What a hook's function returns and takes.
struct Signature {
  std::string result;
  std::vector<SignatureValue> parameters;
  /// "float2 f(float2 x, const imago_at* at)"
  std::string text(const std::string& function) const;
};

/// What a hook's function gets.
struct HookElement {
  bool f64 = false, real = false;
  bool planar = false;  ///< in memory: hook::Access takes both parts
  bool stored = false;  ///< it is written: hook::Access has no result
};
/// As hook::Code and hook::Access say.
Signature signature_of(const hook::Code& code, const HookElement& element);
Signature signature_of(const hook::Access& access, const HookElement& element);

/// Throws InvalidArgument, with the signature that is wanted, where the program's definition of
/// `function` takes or returns something else. What the text's own types and macros may change is
/// left to the device's compiler. `field` is the text's, which has passed check_user_text.
void check_signature(const std::string& field, const UserProgram& program,
                     const std::string& function, const Signature& wanted);

}  // namespace imago::problem
