// This file has the spellings that exported files of all languages share.
#pragma once

#include <string>
#include <vector>

#include <imago/transform.hpp>

namespace imago::standalone {

/// Returns the type of numbers in C.
const char* number_type(Precision precision);
/// Returns the literal of a number, exactly.
std::string literal(double number, Precision precision);
/// Returns the definition of a constant array with these numbers.
std::string array_text(const std::string& type, const std::string& name,
                       const std::vector<std::string>& numbers);
/// Returns transforms.h: a comment, the included header and the declarations.
std::string header_text(const std::string& comment, const std::string& included,
                        const std::string& declarations);

}  // namespace imago::standalone
