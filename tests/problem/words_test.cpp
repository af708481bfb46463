// This file tests the tables of words: every value has one word, and the two look-ups are inverses.
#include "problem/words.hpp"

#include <set>
#include <string>

#include "support/catch.hpp"

using namespace imago;

namespace {

/// Checks a table of `count` values, numbered from 0, each of which has its own word.
template <class Value, std::size_t count>
void check_table(const std::array<base::Word<Value>, count>& words) {
  std::set<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<Value>(i);
    const auto text = base::word_of(words, value);
    CAPTURE(i, text);
    CHECK_FALSE(text.empty());
    CHECK(texts.emplace(text).second);
    CHECK(base::value_of(words, text) == value);
  }
  CHECK(base::word_of(words, static_cast<Value>(count)).empty());
  CHECK_FALSE(base::value_of(words, "").has_value());
}

}  // namespace

TEST_CASE("every value of a public enumeration has one word") {
  check_table(problem::kKinds);
  check_table(problem::kKindLetters);
  check_table(problem::kPrecisions);
  check_table(problem::kPlacements);
  check_table(problem::kStorages);
  check_table(problem::kNorms);
  check_table(problem::kMappings);
  check_table(problem::kAlgorithms);
  check_table(problem::kTwiddles);
  check_table(problem::kExchanges);
  check_table(problem::kLaneAxes);
  check_table(problem::kSparseMethods);
  check_table(problem::kVerdicts);
}

TEST_CASE("a number that is no value is refused with the numbers and words that are") {
  CHECK_THROWS_WITH(base::check_word(problem::kPrecisions, "precision", static_cast<Precision>(7)),
                    "precision is 7; it must be 0 (f16), 1 (f32) or 2 (f64)");
}

TEST_CASE("a table without some of its values keeps the order of the others") {
  constexpr auto kept = base::without(problem::kMappings, Mapping::automatic);
  static_assert(kept.size() == 2);
  CHECK(kept[0].text == "work_group");
  CHECK(kept[1].value == Mapping::vector);
  CHECK(base::word_of(kept, Mapping::automatic).empty());
  CHECK_FALSE(base::value_of(kept, "automatic").has_value());
}
