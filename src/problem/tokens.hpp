// This file cuts OpenCL C that a user gives into tokens, as every compiler would: what compilers
// cut differently, or what would reach beyond the text's end, it refuses.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace imago::problem {

struct Token {
  enum class Kind { word, number, string, symbol };
  Kind kind = Kind::symbol;
  std::string text;  ///< a symbol is one character, a string has its quotes
  std::size_t line = 1;
  bool first = false;  ///< nothing but blanks and comments stands before it in its line

  bool is(std::string_view what) const { return text == what; }
};

/// "a word in line 3 of on_forward.load[0].text"
std::string in_line(std::string_view what, std::size_t line, const std::string& field);
/// 'text' for a message; what is long is cut short.
std::string quoted(std::string_view text);

bool is_letter(char c);  ///< of a word's first character: letters and _
bool is_digit(char c);

/// Throws InvalidArgument for characters that are no printable ASCII, tab or newline (in comments
/// and strings UTF-8 is), for comments and strings without an end, trigraphs, digraphs, and lines
/// that are continued where that is seen easily to be missed.
class Tokenizer {
 public:
  Tokenizer(const std::string& field, const std::string& text);
  /// All of the text but comments; once.
  std::vector<Token> tokens() &&;

 private:
  void join_lines(const std::string& text);
  void skip_line_comment();
  void skip_block_comment();
  void take_string(char quote);
  void take_word();
  void take_number();
  void take_symbol();
  void take(Token::Kind kind, std::size_t end);
  void step_over_any();
  [[noreturn]] void refuse_character() const;
  bool starts_with(std::string_view what) const;
  char at(std::size_t place) const { return place < chars_.size() ? chars_[place] : '\0'; }
  std::size_t line() const { return lines_[at_]; }

  const std::string& field_;
  std::string chars_;               ///< with continued lines joined
  std::vector<std::size_t> lines_;  ///< of each character, and of the end
  std::size_t at_ = 0;
  bool first_ = true;
  std::vector<Token> tokens_;
};

}  // namespace imago::problem
