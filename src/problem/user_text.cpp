// This file checks a user's OpenCL C: its words, directives and brackets.
#include "problem/user_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/errors.hpp"
#include "problem/tokens.hpp"
#include "problem/user_words.hpp"

namespace imago::problem {
namespace {

using Tokens = std::vector<Token>;

/// What C promises to tell apart.
constexpr std::size_t kLongestName = 63;
constexpr std::array<std::string_view, 8> kDirectives{"define", "undef", "if",   "ifdef",
                                                      "ifndef", "elif",  "else", "endif"};

/// What is open: brackets, branches of #if, and a #define. A branch holds back the brackets before
/// it, so that each balances alone.
class Nesting {
 public:
  explicit Nesting(const std::string& field) : field_(field) {}
  void bracket(const Token& token) {
    if (token.kind != Token::Kind::symbol) return;
    if (token.is("(") || token.is("[") || token.is("{")) open(token.text, token.line);
    if (token.is(")")) close("(", token);
    if (token.is("]")) close("[", token);
    if (token.is("}")) close("{", token);
  }
  /// A line with a directive; brackets balance in it.
  void directive(const Tokens& line) {
    const std::string name = line[1].text;
    if (name == "else" || name == "elif" || name == "endif") end_branch(line[1]);
    open("#" + name, line[1].line);
    for (const Token& token : line) bracket(token);
    close("#" + name, line.back());
    if (name.starts_with("if") || name == "elif") open(kIf, line[1].line);
    if (name == "else") open(kElse, line[1].line);
  }
  void end() const {
    if (!open_.empty()) refuse_open(open_.back());
  }

 private:
  static constexpr const char *kIf = "#if", *kElse = "#else";
  struct Open {
    std::string what;
    std::size_t line;
  };

  void open(const std::string& what, std::size_t line) { open_.push_back({what, line}); }
  /// A directive's end is not written anywhere: what is open there is what is wrong.
  void close(const std::string& what, const Token& token) {
    const Open last = open_.empty() ? Open{"#", 0} : open_.back();
    if (last.what != what && what.front() == '#') refuse_open(last);
    if (last.what != what && last.what.front() == '#')
      base::invalid(in_line("a bracket", token.line, field_), quoted(token.text),
                    "nothing is open there that it closes; brackets balance in each directive and "
                    "in each branch of an #if");
    if (last.what != what)
      base::invalid(
          in_line("a bracket", token.line, field_), quoted(token.text),
          quoted(last.what) + " of line " + std::to_string(last.line) + " must be closed first");
    open_.pop_back();
  }
  void end_branch(const Token& name) {
    const bool ends = name.is("endif");
    if (open_.empty() || (open_.back().what == kElse && !ends))
      base::invalid(in_line("a directive", name.line, field_), quoted("#" + name.text),
                    "it must follow an #if" + std::string(ends ? "" : " without #else"));
    if (open_.back().what != kIf && open_.back().what != kElse) refuse_open(open_.back());
    open_.pop_back();
  }
  [[noreturn]] void refuse_open(const Open& open) const {
    const bool branch = open.what.front() == '#';
    base::invalid(in_line(branch ? "a directive" : "a bracket", open.line, field_),
                  quoted(open.what),
                  branch ? "it must be closed by #endif"
                         : "it must be closed, in the same directive or branch of an #if");
  }

  const std::string& field_;
  std::vector<Open> open_;
};

/// The words of imago's that texts may have; for lanes all of them.
constexpr std::array<std::string_view, 6> kOurWords{
    "imago_at", "imago_real", "imago_int", "imago_complex", "imago_gather", "imago_gather_complex"};

void check_word(const std::string& field, const Token& token, bool of_lanes) {
  if (is_for_kernels_only(token.text))
    base::invalid(in_line("a word", token.line, field), quoted(token.text),
                  "a function of one point does without kernels, local memory, barriers, ids, "
                  "groups, atomics, printf, goto, asm and attributes");
  if (is_helper_of_kernels(token.text))
    base::invalid(in_line("a word", token.line, field), quoted(token.text),
                  "another name: imago's part of the kernel has this one");
  if (!is_kept_by_imago(token.text)) return;
  const auto end = of_lanes ? kOurWords.end() : kOurWords.begin() + 1;
  if (std::find(kOurWords.begin(), end, token.text) == end)
    base::invalid(in_line("a word", token.line, field), quoted(token.text),
                  of_lanes ? "of the words that begin with imago_ only imago_at, imago_real, "
                             "imago_int, imago_complex, imago_gather and imago_gather_complex are "
                             "for texts"
                           : "of the words that begin with imago_ only imago_at is for texts");
}

void check_hash(const std::string& field, const Tokens& line) {
  for (std::size_t i = 2; i < line.size(); ++i) {
    if (line[i].is("#") && line[i - 1].is("#"))
      base::invalid(in_line("an operator", line[i].line, field), "'##'",
                    "words are written whole, so that they can be checked");
  }
}

void check_directive(const std::string& field, const Tokens& line, const std::string& function) {
  const std::string name = line.size() > 1 ? line[1].text : "";
  if (std::find(kDirectives.begin(), kDirectives.end(), name) == kDirectives.end())
    base::invalid(in_line("a directive", line[0].line, field), quoted("#" + name),
                  "#define, #undef, #if, #ifdef, #ifndef, #elif, #else and #endif are allowed");
  check_hash(field, line);
  if (name != "define" && name != "undef") return;
  const std::string macro = in_line("a macro", line[0].line, field);
  if (line.size() < 3) base::invalid(macro, "without a name", "give it one");
  check_user_name(macro, line[2].text);
  if (line[2].is(function)) base::invalid(macro, quoted(function), "the hook must be a function");
  if (is_used_by_kernels(line[2].text))
    base::invalid(macro, quoted(line[2].text),
                  "not a function of OpenCL C: imago's part of the kernel calls it");
}

UserProgram split(const std::string& field, Tokens tokens) {
  UserProgram program;
  bool in_directive = false;
  for (Token& token : tokens) {
    if (token.first) in_directive = token.is("#");
    if (token.first && in_directive) program.directives.emplace_back();
    if (!in_directive && token.is("#"))
      base::invalid(in_line("a character", token.line, field), "'#'",
                    "a directive begins its line");
    (in_directive ? program.directives.back() : program.code).push_back(std::move(token));
  }
  return program;
}

/// Lines of directives and tokens of code, in the order of the text.
void check_nesting(const std::string& field, const UserProgram& program) {
  Nesting nesting(field);
  auto token = program.code.begin();
  const auto code_before = [&](std::size_t line) {
    for (; token != program.code.end() && token->line < line; ++token) nesting.bracket(*token);
  };
  for (const Tokens& line : program.directives) {
    code_before(line[0].line);
    nesting.directive(line);
  }
  for (; token != program.code.end(); ++token) nesting.bracket(*token);
  nesting.end();
}

}  // namespace

UserProgram check_user_text(const std::string& field, const std::string& text,
                            const std::string& function, bool of_lanes) {
  if (text.empty())
    base::invalid("the size of " + field, 0, "a text that defines " + quoted(function));
  if (text.size() > kLongestUserText)
    base::invalid("the size of " + field, text.size(),
                  "at most " + std::to_string(kLongestUserText) + " bytes");
  Tokens tokens = Tokenizer(field, text).tokens();
  for (const Token& token : tokens) {
    if (token.kind == Token::Kind::word) check_word(field, token, of_lanes);
  }
  UserProgram program = split(field, std::move(tokens));
  for (const Tokens& line : program.directives) check_directive(field, line, function);
  check_nesting(field, program);
  check_functions(field, program, function);
  return program;
}

std::vector<std::string> macros_of(const std::string& text) {
  std::vector<std::string> names;
  for (const Tokens& line : split("", Tokenizer("", text).tokens()).directives) {
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
    base::invalid(field, quoted(name), "letters, digits and _, not a digit first");
  if (name.size() > kLongestName)
    base::invalid(field, quoted(name), "at most " + std::to_string(kLongestName) + " characters");
  if (is_keyword(name) || is_for_kernels_only(name))
    base::invalid(field, quoted(name), "not a keyword, type or kernel's function of OpenCL C");
  if (is_kept_by_imago(name) || name.starts_with("__"))
    base::invalid(field, quoted(name), "not a name that begins with imago_ or __");
}

}  // namespace imago::problem
