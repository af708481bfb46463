// This file divides OpenCL C into tokens.
#include "user_code/tokens.hpp"

#include <array>
#include <cstdio>
#include <utility>

#include "base/errors.hpp"

namespace imago::user_code {
namespace {

constexpr std::size_t kLongestQuote = 60;

/// Returns the bytes of the UTF-8 character at the start of a text; 0 if it is ASCII or invalid.
std::size_t utf8_size(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t size = lead >= 0xc2 && lead < 0xe0   ? 2
                           : lead >= 0xe0 && lead < 0xf0 ? 3
                           : lead >= 0xf0 && lead < 0xf5 ? 4
                                                         : 0;
  if (text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  return size;
}

bool is_plain(char c) { return c == '\t' || c == '\n' || (c >= ' ' && c <= '~'); }

}  // namespace

std::string in_line(std::string_view what, std::size_t line, const std::string& field) {
  return std::string(what) + " in line " + std::to_string(line) + " of " + field;
}

std::string quoted(std::string_view text) {
  std::string result = "'";
  result += text.substr(0, kLongestQuote);
  if (text.size() > kLongestQuote) result += "..";
  return result += "'";
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

Tokenizer::Tokenizer(const std::string& field, const std::string& text) : field_(field) {
  join_lines(text);
}

/// Joins lines that end with a backslash, as compilers do before anything else. Compilers differ if
/// blanks follow the backslash. At the text's end it would join the kernel's next line.
void Tokenizer::join_lines(const std::string& text) {
  std::size_t line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 3, "?\?/") == 0)
      base::invalid(in_line("a trigraph", line, field_), quoted("?\?/"), "write a backslash");
    if (text[i] == '\\') {
      const std::size_t next = text.find_first_not_of(" \t", i + 1);
      const bool joins = text.compare(i + 1, 1, "\n") == 0;
      const bool at_end = next == std::string::npos || (joins && i + 2 == text.size());
      if (at_end || (!joins && text[next] == '\n'))
        base::invalid(in_line("a continued line", line, field_), "'\\'",
                      "a line break and another line must follow it directly");
      if (joins) {
        ++line, ++i;
        continue;
      }
    }
    chars_ += text[i];
    lines_.push_back(line);
    if (text[i] == '\n') ++line;
  }
  lines_.push_back(line);
}

std::vector<Token> Tokenizer::tokens() && {
  while (at_ < chars_.size()) {
    const char c = chars_[at_];
    if (c == '\n') {
      first_ = true;
      ++at_;
    } else if (c == ' ' || c == '\t') {
      ++at_;
    } else if (starts_with("//")) {
      skip_line_comment();
    } else if (starts_with("/*")) {
      skip_block_comment();
    } else if (c == '"' || c == '\'') {
      take_string(c);
    } else if (is_letter(c)) {
      take_word();
    } else if (is_digit(c) || (c == '.' && is_digit(at(at_ + 1)))) {
      take_number();
    } else {
      take_symbol();
    }
  }
  return std::move(tokens_);
}

void Tokenizer::skip_line_comment() {
  const std::size_t first = line();
  while (at(at_) != '\n' && at_ < chars_.size()) step_over_any();
  if (line() != first)
    base::invalid(in_line("a comment", first, field_), "continued by '\\'",
                  "end the comment with its line, or write /* */");
}

void Tokenizer::skip_block_comment() {
  const std::size_t first = line();
  at_ += 2;
  while (!starts_with("*/")) {
    if (at_ == chars_.size())
      base::invalid(in_line("a comment", first, field_), "without an end", "close it with */");
    step_over_any();
  }
  at_ += 2;
}

void Tokenizer::take_string(char quote) {
  const std::size_t begin = at_++;
  while (at(at_) != quote) {
    if (at(at_) == '\\') ++at_;
    if (at_ >= chars_.size() || chars_[at_] == '\n')
      base::invalid(
          in_line(quote == '"' ? "a string" : "a character constant", lines_[begin], field_),
          "without an end", std::string("close it with ") + quote + " in the same line");
    step_over_any();
  }
  const std::size_t end = at_ + 1;
  at_ = begin;
  take(Token::Kind::string, end);
}

void Tokenizer::take_word() {
  std::size_t end = at_;
  while (is_letter(at(end)) || is_digit(at(end))) ++end;
  take(Token::Kind::word, end);
}

/// Adds a preprocessing number: 0x1p-3f, 1e+5, .5, and also 1.2.3.
void Tokenizer::take_number() {
  std::size_t end = at_;
  while (true) {
    const char c = at(end), next = at(end + 1);
    const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
    if (exponent && (next == '+' || next == '-'))
      end += 2;
    else if (is_letter(c) || is_digit(c) || c == '.')
      ++end;
    else
      break;
  }
  take(Token::Kind::number, end);
}

void Tokenizer::take_symbol() {
  constexpr std::array<std::string_view, 5> kDigraphs{"%:", "<:", ":>", "<%", "%>"};
  for (const auto digraph : kDigraphs) {
    if (starts_with(digraph))
      base::invalid(in_line("a digraph", line(), field_), quoted(digraph),
                    "write the # or bracket that it stands for");
  }
  constexpr std::string_view kThirds = "=/'()!<>-";
  if (starts_with("??") && kThirds.find(at(at_ + 2)) != std::string_view::npos)
    base::invalid(in_line("a trigraph", line(), field_), quoted(chars_.substr(at_, 3)),
                  "write the character that it stands for, or put blanks between");
  constexpr std::string_view kNotOfC = "@$`\\";
  if (!is_plain(chars_[at_]) || kNotOfC.find(chars_[at_]) != std::string_view::npos)
    refuse_character();
  take(Token::Kind::symbol, at_ + 1);
}

void Tokenizer::take(Token::Kind kind, std::size_t end) {
  tokens_.push_back({kind, chars_.substr(at_, end - at_), line(), first_});
  first_ = false;
  at_ = end;
}

/// Steps over one character of a comment or a string.
void Tokenizer::step_over_any() {
  if (is_plain(chars_[at_])) {
    ++at_;
    return;
  }
  const std::size_t size = utf8_size(std::string_view(chars_).substr(at_));
  if (size == 0) refuse_character();
  at_ += size;
}

void Tokenizer::refuse_character() const {
  std::array<char, 8> code{};
  std::snprintf(code.data(), code.size(), "0x%02x",
                static_cast<unsigned>(static_cast<unsigned char>(chars_[at_])));
  base::invalid(
      in_line("a character", line(), field_),
      is_plain(chars_[at_]) ? quoted(chars_.substr(at_, 1)) : code.data(),
      "use printable ASCII without @ $ ` and \\; UTF-8 is allowed in comments and strings "
      "only");
}

bool Tokenizer::starts_with(std::string_view what) const {
  return std::string_view(chars_).substr(at_, what.size()) == what;
}

}  // namespace imago::user_code
