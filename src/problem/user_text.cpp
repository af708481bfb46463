// This file checks the words, directives and brackets of a user's OpenCL C.
#include "problem/user_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/errors.hpp"
#include "problem/tokens.hpp"
#include "problem/user_calls.hpp"
#include "problem/user_words.hpp"

namespace imago::problem {
namespace {

using Tokens = std::vector<Token>;

/// Number of characters of a name that C guarantees to compare.
constexpr std::size_t kLongestName = 63;
constexpr std::array<std::string_view, 8> kDirectives{"define", "undef", "if",   "ifdef",
                                                      "ifndef", "elif",  "else", "endif"};

/// Words of imago that texts may use; all except the first exist for lanes only.
constexpr std::array<std::string_view, 6> kOurWords{
    "imago_at", "imago_real", "imago_int", "imago_complex", "imago_gather", "imago_gather_complex"};

void check_word(const std::string& field, const Token& token) {
  if (is_for_kernels_only(token.text))
    base::invalid(in_line("a word", token.line, field), quoted(token.text),
                  "a hook cannot use kernels, local memory, barriers, ids, groups, atomics, "
                  "printf, goto, asm or attributes");
  if (is_helper_of_kernels(token.text))
    base::invalid(in_line("a word", token.line, field), quoted(token.text),
                  "use another name: imago's part of the kernel has this one");
  if (is_kept_by_imago(token.text) &&
      std::find(kOurWords.begin(), kOurWords.end(), token.text) == kOurWords.end())
    base::invalid(in_line("a word", token.line, field), quoted(token.text),
                  "the names that begin with imago_ and that a hook can use are imago_at, "
                  "imago_real, imago_int, imago_complex, imago_gather and imago_gather_complex");
}

/// Throws if brackets do not balance. Compilers would report such errors in lines outside the text,
/// and the functions of a text are found by their brackets.
void check_brackets(const std::string& field, const Tokens& tokens) {
  Tokens open;
  for (const Token& token : tokens) {
    if (token.is("(") || token.is("[") || token.is("{")) open.push_back(token);
    const char* const opening = token.is(")")   ? "("
                                : token.is("]") ? "["
                                : token.is("}") ? "{"
                                                : nullptr;
    if (!opening) continue;
    if (open.empty() || !open.back().is(opening))
      base::invalid(in_line("a bracket", token.line, field), quoted(token.text),
                    open.empty() ? "it closes no open bracket"
                                 : quoted(open.back().text) + " of line " +
                                       std::to_string(open.back().line) + " must be closed first");
    open.pop_back();
  }
  if (!open.empty())
    base::invalid(in_line("a bracket", open.back().line, field), quoted(open.back().text),
                  "close it in the same text or #define");
}

void check_hash(const std::string& field, const Tokens& line) {
  for (std::size_t i = 2; i < line.size(); ++i) {
    if (line[i].is("#") && line[i - 1].is("#"))
      base::invalid(in_line("an operator", line[i].line, field), "'##'",
                    "write words whole, so that imago can check them");
  }
}

void check_directive(const std::string& field, const Tokens& line, const std::string& function) {
  const std::string name = line.size() > 1 ? line[1].text : "";
  if (std::find(kDirectives.begin(), kDirectives.end(), name) == kDirectives.end())
    base::invalid(in_line("a directive", line[0].line, field), quoted("#" + name),
                  "use #define, #undef, #if, #ifdef, #ifndef, #elif, #else or #endif");
  check_hash(field, line);
  check_brackets(field, line);
  if ((name != "define" && name != "undef") || line.size() < 3) return;
  const std::string macro = in_line("a macro", line[0].line, field);
  check_user_name(macro, line[2].text);
  if (line[2].is(function))
    base::invalid(macro, quoted(function), "the hook must be a function, not a macro");
  if (is_used_by_kernels(line[2].text))
    base::invalid(macro, quoted(line[2].text),
                  "use another name: imago's part of the kernel calls this function of OpenCL C");
}

UserProgram split(Tokens tokens) {
  UserProgram program;
  bool in_directive = false;
  for (Token& token : tokens) {
    if (token.first) in_directive = token.is("#");
    if (token.first && in_directive) program.directives.emplace_back();
    (in_directive ? program.directives.back() : program.code).push_back(std::move(token));
  }
  return program;
}

}  // namespace

void check_user_text(const std::string& field, const std::string& text,
                     const std::string& function) {
  if (text.size() > kLongestUserText)
    base::invalid("the size of " + field, text.size(),
                  "it must be at most " + std::to_string(kLongestUserText) + " bytes");
  Tokens tokens = Tokenizer(field, text).tokens();
  for (const Token& token : tokens) {
    if (token.kind == Token::Kind::word) check_word(field, token);
  }
  const UserProgram program = split(std::move(tokens));
  for (const Tokens& line : program.directives) check_directive(field, line, function);
  check_brackets(field, program.code);
  check_functions(field, program, function);
}

std::vector<std::string> macros_of(const std::string& text) {
  std::vector<std::string> names;
  for (const Tokens& line : split(Tokenizer("", text).tokens()).directives) {
    if (line.size() < 3 || !line[1].is("define")) continue;
    if (std::find(names.begin(), names.end(), line[2].text) == names.end())
      names.push_back(line[2].text);
  }
  return names;
}

void check_user_name(const std::string& field, const std::string& name) {
  const bool made_of_letters =
      !name.empty() && is_letter(name.front()) &&
      std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
  if (!made_of_letters)
    base::invalid(field, quoted(name),
                  "it must consist of letters, digits and _, without a digit first");
  if (name.size() > kLongestName)
    base::invalid(field, quoted(name),
                  "it must have at most " + std::to_string(kLongestName) + " characters");
  if (is_keyword(name) || is_for_kernels_only(name))
    base::invalid(field, quoted(name),
                  "it must not be a keyword, type or kernel function of OpenCL C");
  if (is_kept_by_imago(name) || name.starts_with("__"))
    base::invalid(field, quoted(name), "it must not begin with imago_ or __");
}

}  // namespace imago::problem
