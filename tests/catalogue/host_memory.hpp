// This file holds the host's copy of the buffers of a case: marks wherever there is no data, random
// numbers where there is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "catalogue/catalogue.hpp"
#include "catalogue/random.hpp"
#include "catalogue/side.hpp"
#include "catalogue/stored.hpp"

namespace imago::catalogue {

/// One side as often as it is repeated, with guards around. A word is a real number; planar data
/// has two parts, buffers of their own.
struct Repeated {
  Side side;
  std::uint64_t repeats = 1;
  std::uint64_t lead = 0;  ///< marked elements before the first repetition

  std::size_t parts() const { return side.planar ? 2 : 1; }
  std::uint64_t words_per_element() const { return side.real || side.planar ? 1 : 2; }
  std::uint64_t members() const { return repeats * side.batch; }
  /// Where the array of a repetition starts, in elements.
  std::uint64_t start(std::uint64_t repeat) const { return lead + repeat * side.end(); }
  /// Of each part.
  std::uint64_t words() const { return words_per_element() * (start(repeats) + kGuard); }

  /// Calls visit(part, word) for every number of a member as a packed array would have them:
  /// elements row-major, the real part before the imaginary one.
  template <class Visit>
  void for_each_word(std::uint64_t member, Visit visit) const {
    const std::uint64_t begin = start(member / side.batch);
    side.for_each(member % side.batch, [&](std::uint64_t position) {
      const std::uint64_t word = words_per_element() * (begin + position);
      visit(std::size_t{0}, word);
      if (side.planar) visit(std::size_t{1}, word);
      if (!side.planar && !side.real) visit(std::size_t{0}, word + 1);
    });
  }
};

/// A side of a case, repeated until `pooled` elements of the result are there. In place with a real
/// axis there is one repetition and no lead: its two sides count offsets in different elements.
Repeated repeated_side(const Case& problem, bool source, std::uint64_t pooled);

template <Precision precision>
class Memory {
 public:
  using Word = typename Stored<precision>::Word;
  using Wide = typename Stored<precision>::Wide;

  /// All marks.
  Memory(std::size_t parts, std::uint64_t words) : parts_(parts) {
    for (auto& part : parts_) {
      part.resize(words);
      for (std::uint64_t i = 0; i < words; ++i) part[i] = Stored<precision>::mark(i);
    }
  }
  std::size_t parts() const { return parts_.size(); }
  std::vector<Word>& words(std::size_t part) { return parts_[part]; }
  const std::vector<Word>& words(std::size_t part) const { return parts_[part]; }
  Wide get(std::size_t part, std::uint64_t word) const {
    return Stored<precision>::unpack(parts_[part][word]);
  }
  void set(std::size_t part, std::uint64_t word, Wide value) {
    parts_[part][word] = Stored<precision>::pack(value);
  }
  bool marked(std::size_t part, std::uint64_t word) const {
    return parts_[part][word] == Stored<precision>::mark(word);
  }
  friend bool operator==(const Memory&, const Memory&) = default;

 private:
  std::vector<std::vector<Word>> parts_;
};

/// The places of a packed half spectrum that hold conjugates of each other because its signal is
/// real, in elements; a place may be its own partner. Empty where no axis is complex: there the
/// imaginary parts in question are ignored instead.
std::vector<std::pair<std::uint64_t, std::uint64_t>> conjugates(const Case& problem);

/// Random numbers in [-1, 1) for every element, the same for the same case; a half spectrum is that
/// of a real signal.
template <Precision precision>
void fill(const Case& problem, const Repeated& source, Memory<precision>& memory) {
  Random random(hash(problem.name()));
  const bool spectrum = problem.real() && !source.side.real;
  const auto pairs =
      spectrum ? conjugates(problem) : std::vector<std::pair<std::uint64_t, std::uint64_t>>();
  using Place = std::pair<std::size_t, std::uint64_t>;
  for (std::uint64_t member = 0; member < source.members(); ++member) {
    std::vector<Place> places;
    source.for_each_word(member, [&](std::size_t part, std::uint64_t word) {
      memory.set(part, word, static_cast<typename Stored<precision>::Wide>(random.uniform()));
      if (!pairs.empty()) places.emplace_back(part, word);
    });
    const auto value = [&](std::uint64_t index) {
      return memory.get(places[index].first, places[index].second);
    };
    const auto set = [&](std::uint64_t index, auto number) {
      memory.set(places[index].first, places[index].second, number);
    };
    for (const auto& [a, b] : pairs) {
      set(2 * b, value(2 * a));
      set(2 * b + 1, a == b ? 0 : -value(2 * a + 1));
    }
  }
}

/// The part and the word of the first word outside the result that lost its mark; in place what the
/// call reads may be written, too.
template <Precision precision>
std::optional<std::pair<std::size_t, std::uint64_t>> first_damage(const Memory<precision>& memory,
                                                                  const Repeated& target,
                                                                  const Repeated* source) {
  std::vector<std::vector<bool>> data(memory.parts());
  for (std::size_t part = 0; part < memory.parts(); ++part)
    data[part].resize(memory.words(part).size());
  for (const Repeated* side : {&target, source}) {
    if (side == nullptr) continue;
    for (std::uint64_t member = 0; member < side->members(); ++member) {
      side->for_each_word(member,
                          [&](std::size_t part, std::uint64_t word) { data[part][word] = true; });
    }
  }
  for (std::size_t part = 0; part < memory.parts(); ++part) {
    for (std::uint64_t word = 0; word < data[part].size(); ++word) {
      if (!data[part][word] && !memory.marked(part, word)) return std::pair{part, word};
    }
  }
  return std::nullopt;
}

}  // namespace imago::catalogue
