// This file maps the values of an enumeration to their words in texts, and back.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/errors.hpp"

namespace imago::base {

template <class Value>
struct Word {
  std::string_view text{};
  Value value{};
};

/// Returns the word of a value; empty if the table has none.
template <class Value, std::size_t count>
constexpr std::string_view word_of(const std::array<Word<Value>, count>& words, Value value) {
  for (const auto& word : words) {
    if (word.value == value) return word.text;
  }
  return {};
}

/// Returns the value of a word; nullopt if the table has none.
template <class Value, std::size_t count>
constexpr std::optional<Value> value_of(const std::array<Word<Value>, count>& words,
                                        std::string_view text) {
  for (const auto& word : words) {
    if (word.text == text) return word.value;
  }
  return std::nullopt;
}

/// Returns what a value may be: "0 (none), 1 (backward) or 2 (ortho)".
template <class Value, std::size_t count>
std::string choice_of(const std::array<Word<Value>, count>& words) {
  std::string choice;
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) choice += i + 1 == count ? " or " : ", ";
    choice += std::to_string(static_cast<long long>(words[i].value)) + " (" +
              std::string(words[i].text) + ")";
  }
  return choice;
}

/// Throws InvalidArgument if the table has no word for the value, which then was cast from a
/// number.
template <class Value, std::size_t count>
void check_word(const std::array<Word<Value>, count>& words, std::string_view name, Value value) {
  if (word_of(words, value).empty())
    invalid(name, static_cast<long long>(value), "it must be " + choice_of(words));
}

/// Returns the table without the words of some values, each of which it must contain.
template <class Value, std::size_t count, class... Dropped>
constexpr auto without(const std::array<Word<Value>, count>& words, Dropped... dropped) {
  std::array<Word<Value>, count - sizeof...(dropped)> kept{};
  std::size_t next = 0;
  for (const auto& word : words) {
    if (((word.value != dropped) && ...)) kept.at(next++) = word;
  }
  return kept;
}

}  // namespace imago::base
