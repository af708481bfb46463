// This file checks the arguments of hooks.
#include "problem/hook_arguments.hpp"

#include <algorithm>
#include <optional>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "problem/checks.hpp"
#include "user_code/user_text.hpp"

namespace imago::problem {
namespace {

constexpr std::uint64_t kMostFactors = std::uint64_t{1} << 62;

}  // namespace

void ArgumentList::add(const std::string& field, HookArgument argument) {
  user_code::check_user_name(field, argument.name);
  arguments_.push_back(std::move(argument));
}

void ArgumentList::add_factors(const std::string& field, const hook::Multiply& multiply,
                               std::uint64_t arrays, bool real) {
  std::optional<std::uint64_t> count = arrays;
  const auto times = [&](std::uint64_t factor) {
    if (count) count = base::checked_multiply(*count, factor);
  };
  if (multiply.batched) times(batch_);
  for (std::size_t d = 0; d < lengths_.size(); ++d) {
    if (!multiply.axes || std::count(multiply.axes->begin(), multiply.axes->end(), d) > 0)
      times(lengths_[d]);
  }
  if (multiply.axes) {
    for (std::size_t i = 0; i < multiply.axes->size(); ++i) {
      const std::size_t axis = (*multiply.axes)[i];
      const std::string name = field + ".axes[" + std::to_string(i) + "]";
      check_axis(name, axis, lengths_.size());
      if (i > 0 && axis <= (*multiply.axes)[i - 1])
        base::invalid(name, axis, "give the axes in ascending order, each once");
    }
  }
  if (!count || *count > kMostFactors)
    base::invalid(field + ".argument", multiply.argument, "it must have at most 2^62 factors");
  add(field + ".argument",
      {multiply.real || real ? HookArgument::Type::real_buffer : HookArgument::Type::complex_buffer,
       multiply.argument, *count});
}

void ArgumentList::add_terms(const std::string& field, const hook::Add& add, bool real) {
  if (!add.strides.empty() && add.strides.size() != lengths_.size())
    base::invalid("the size of " + field + ".strides", add.strides.size(),
                  "give one stride per length, or none");
  std::optional<std::uint64_t> end = base::checked_add(add.offset, 1);
  const auto reach = [&](std::uint64_t extent, std::uint64_t stride) {
    const auto further = base::checked_multiply(extent - 1, stride);
    end = end && further ? base::checked_add(*end, *further) : std::nullopt;
  };
  reach(batch_, add.distance);
  if (add.strides.empty()) {
    std::optional<std::uint64_t> size = 1;
    for (const std::uint64_t length : lengths_)
      if (size) size = base::checked_multiply(*size, length);
    if (size) reach(*size, 1);
  }
  for (std::size_t d = 0; d < add.strides.size(); ++d) reach(lengths_[d], add.strides[d]);
  if (!end || *end > kMostFactors)
    base::invalid(field + ".argument", add.argument, "it must have at most 2^62 numbers");
  using Type = HookArgument::Type;
  this->add(field + ".argument",
            {add.real || real ? Type::real_buffer : Type::complex_buffer, add.argument, *end});
}

std::vector<HookArgument> Problem::arguments(bool inverse) const {
  std::vector<HookArgument> all;
  std::vector<const HookedEnd*> ends;
  for (const auto& end : hooked[inverse]) {
    if (end) ends.push_back(&*end);
  }
  if (filter && !inverse) ends.push_back(&*filter);
  for (const HookedEnd* end : ends) {
    for (const HookArgument& argument : end->arguments) {
      const auto known = std::find_if(all.begin(), all.end(), [&](const HookArgument& other) {
        return other.name == argument.name;
      });
      if (known == all.end()) {
        all.push_back(argument);
        continue;
      }
      if (known->type != argument.type)
        base::invalid(end->field, argument.name,
                      "use another name: an argument of another type has this one");
      known->numbers = std::max(known->numbers, argument.numbers);
    }
  }
  return all;
}

}  // namespace imago::problem
