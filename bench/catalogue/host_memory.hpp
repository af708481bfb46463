// This file holds the host's copy of the buffers of a case: random numbers for the data, marks
// everywhere else.
#pragma once

#include <array>
#include <cmath>
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

/// One side, repeated, with guards around it. A word is a real number. Planar data has two parts,
/// each with its own buffer.
struct Repeated {
  Side side;
  std::uint64_t repeats = 1;
  std::uint64_t lead = 0;  ///< marked elements before the first repetition

  std::size_t parts() const { return side.planar ? 2 : 1; }
  std::uint64_t words_per_element() const { return side.real || side.planar ? 1 : 2; }
  std::uint64_t members() const { return repeats * side.batch; }
  /// Returns the start of the array of a repetition, in elements.
  std::uint64_t start(std::uint64_t repeat) const { return lead + repeat * side.end(); }
  /// Returns the words of each part.
  std::uint64_t words() const { return words_per_element() * (start(repeats) + kGuard); }

  /// Calls visit(part, word) for every number of a member in the order of a packed array: elements
  /// row-major, the real part before the imaginary part.
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

/// Returns a side of a case, repeated until `pooled` elements of the result exist. In place with a
/// real axis there is one repetition and no lead, because its two sides count offsets in different
/// elements.
Repeated repeated_side(const Case& problem, bool source, std::uint64_t pooled);

template <Precision precision>
class Memory {
 public:
  using Word = typename Stored<precision>::Word;
  using Wide = typename Stored<precision>::Wide;

  /// Creates memory that holds only marks.
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

/// Returns the places of a packed half spectrum, in elements, that must hold conjugates of each
/// other because the signal is real. A place may be its own partner. Empty if no axis is complex:
/// then the imaginary parts in question are ignored instead.
std::vector<std::pair<std::uint64_t, std::uint64_t>> conjugates(const Case& problem);

/// The independent transforms of a side: for each member of the batch, one for every position along
/// its identity axes.
class Strangers {
 public:
  Strangers(const Case& problem, const Repeated& side);
  /// Counts of transforms: of a member, of a call, of all repetitions of the call.
  std::uint64_t of_member() const { return of_member_; }
  std::uint64_t of_call() const { return of_call_; }
  std::uint64_t all() const { return all_; }
  /// Elements of a transform.
  std::uint64_t elements() const { return elements_; }
  /// Returns the number, within its member, of the transform that an element belongs to. Elements
  /// of the member are counted row-major.
  std::uint64_t transform_of(std::uint64_t element) const {
    return places_.empty() ? 0 : places_[element];
  }

  /// Calls visit(transform, part, word) for every number of a member of `side`, in the order of
  /// Repeated::for_each_word. Transforms are numbered over all members.
  template <class Visit>
  void for_each_word(const Repeated& side, std::uint64_t member, Visit visit) const {
    const std::uint64_t words = side.side.real ? 1 : 2, first = member * of_member_;
    std::uint64_t number = 0;
    side.for_each_word(member, [&](std::size_t part, std::uint64_t word) {
      const std::uint64_t element = number++ / words;
      visit(first + transform_of(element), part, word);
    });
  }

 private:
  std::uint64_t of_member_ = 1, of_call_ = 1, all_ = 1, elements_ = 1;
  std::vector<std::uint32_t> places_;  // place of each element of a member; empty: one transform
};

/// Returns true if a call has several transforms that share no element, so that each can have its
/// own values.
bool can_differ(const Case& problem, const Repeated& source);

/// Returns the powers of two between the smallest and the largest member of a batch: at least 10^2
/// (f16), 10^6 (f32), 10^12 (f64).
int octaves(Precision precision);
/// Returns the power of two of a member, from -octaves() to 0. The first two members have these
/// limits; the others are random, so that adjacent members differ and so do members half a batch
/// apart.
int exponent_of(std::uint64_t member, Precision precision);

/// Returns the power of two that multiplies the data of each transform. The first two of a call
/// differ by octaves(); the others lie between them at random. Zeros unless can_differ().
std::vector<int> exponents(const Case& problem, const Repeated& source);

/// A value that is not finite, in the real part of an element.
struct Poison {
  std::uint64_t transform = 0, element = 0;
  double value = 0;
};
/// Returns NaN and infinity for about half of the transforms of each call: for at least one, but
/// not for all. can_differ() must hold.
std::vector<Poison> poisons(const Case& problem, const Repeated& source);

/// Fills every element with random numbers in [-1, 1), times 2^exponents(); the same for the same
/// case. A half spectrum is that of a real signal. If the call ignores some imaginary parts, they
/// are smaller, because the error is relative to the rest.
template <Precision precision>
void fill(const Case& problem, const Repeated& source, Memory<precision>& memory) {
  using Wide = typename Stored<precision>::Wide;
  Random random(hash(problem.name()));
  const Strangers strangers(problem, source);
  const std::vector<int> sizes = exponents(problem, source);
  const bool spectrum = problem.real() && !source.side.real;
  const auto pairs =
      spectrum ? conjugates(problem) : std::vector<std::pair<std::uint64_t, std::uint64_t>>();
  const int ignored = spectrum && pairs.empty() ? -3 : 0;  // octaves of imaginary parts
  using Place = std::pair<std::size_t, std::uint64_t>;
  for (std::uint64_t member = 0; member < source.members(); ++member) {
    std::vector<Place> places;
    bool imaginary = true;
    strangers.for_each_word(
        source, member, [&](std::uint64_t transform, std::size_t part, std::uint64_t word) {
          imaginary = !imaginary;
          const int size = sizes[transform] + (imaginary ? ignored : 0);
          memory.set(part, word, static_cast<Wide>(std::ldexp(random.uniform(), size)));
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

/// Data in which some transforms hold NaN or infinity.
template <Precision precision>
struct Poisoned {
  std::vector<bool> transforms;  ///< true for transforms that hold one
  Memory<precision> data;
  Memory<precision> impulses;  ///< 1 instead of each NaN and infinity, and 0 everywhere else
};

/// Returns `data` with poisons() in it.
template <Precision precision>
Poisoned<precision> poison(const Case& problem, const Repeated& source, Memory<precision> data) {
  const Strangers strangers(problem, source);
  Poisoned<precision> result{std::vector<bool>(strangers.all()), data, std::move(data)};
  std::vector<Poison> values(strangers.all());
  for (const Poison& each : poisons(problem, source)) {
    result.transforms[each.transform] = true;
    values[each.transform] = each;
  }
  const std::uint64_t words = source.side.real ? 1 : 2;
  std::vector<std::uint64_t> seen(strangers.all());  // numbers of each transform
  for (std::uint64_t member = 0; member < source.members(); ++member) {
    strangers.for_each_word(
        source, member, [&](std::uint64_t transform, std::size_t part, std::uint64_t word) {
          const bool here = seen[transform]++ == words * values[transform].element &&
                            result.transforms[transform];
          result.impulses.set(part, word, here ? 1 : 0);
          if (here) result.data.set(part, word, values[transform].value);
        });
  }
  return result;
}

/// Returns the part and the word of the first word outside the result that lost its mark. In place
/// the input may be overwritten, too.
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
