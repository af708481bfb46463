// This file divides a user's OpenCL C into tokens, as every compiler would. It rejects text that
// compilers divide differently, or that would affect code after its end.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace imago::user_code {

struct Token {
  enum class Kind { word, number, string, symbol };
  Kind kind = Kind::symbol;
  std::string text;  ///< one character for a symbol; with its quotes for a string
  std::size_t line = 1;
  bool first = false;  ///< true if only blanks and comments are before it in its line

  bool is(std::string_view what) const { return text == what; }
};

/// Returns a place for a message: "a word in line 3 of on_forward.load[0].text".
std::string in_line(std::string_view what, std::size_t line, const std::string& field);
/// Returns 'text' in quotes for a message; cuts long text.
std::string quoted(std::string_view text);

bool is_letter(char c);  ///< true for characters that may begin a word: letters and _
bool is_digit(char c);

/// Divides a text into tokens. Throws InvalidArgument for characters other than printable ASCII,
/// tabs and newlines; comments and strings may contain UTF-8. Also throws for comments and strings
/// without an end, trigraphs, digraphs, and line continuations that are easy to overlook.
class Tokenizer {
 public:
  Tokenizer(const std::string& field, const std::string& text);
  /// Returns the tokens of the text, without comments. Call it once.
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
  char at(std::size_t index) const { return index < chars_.size() ? chars_[index] : '\0'; }
  std::size_t line() const { return lines_[at_]; }

  const std::string& field_;
  std::string chars_;               ///< the text with continued lines joined
  std::vector<std::size_t> lines_;  ///< line of each character, and of the end
  std::size_t at_ = 0;
  bool first_ = true;
  std::vector<Token> tokens_;
};

}  // namespace imago::user_code
