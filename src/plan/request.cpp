// This file derives from a Request what follows from its fields.
#include "plan/request.hpp"

#include <algorithm>

#include "base/integers.hpp"
#include "plan/convolution.hpp"

namespace imago::plan {

bool Request::plain() const {
  return in.form == Form::complex && out.form == Form::complex && !cosines.any() &&
         axis_cosines.empty();
}

bool Request::arranges() const {
  const bool three = cosines.is(Kind::dct3, Kind::dst3) && cosines.can_be_arranged(length);
  return three || !axis_cosines.empty();
}

bool Request::meets_images() const { return folds() || cosines.meets_images(length); }

Mirror Request::mirror(const Parameters& p, std::size_t i) const {
  const bool first = i == 0, last = i + 1 == p.kernels.size();
  if (first == last || p.mapping != Mapping::work_group || is_convolution(p.algorithm))
    return Mirror::none;
  if ((first ? in.form : out.form) == Form::folded) return Mirror::points;
  if (!cosines.any() || cosines.extends(length)) return Mirror::none;
  const bool images = first ? cosines.is(Kind::dct3, Kind::dst3) : cosines.meets_images(length);
  if (images) return Mirror::points;
  const bool folded =
      first ? cosines.is(Kind::dct2, Kind::dst2) : cosines.is(Kind::dct3, Kind::dst3);
  return folded && !adjacent() ? Mirror::elements : Mirror::none;
}

AxisOrder Request::axis_order() const {
  const auto two = [](const Cosines& c) { return c.is(Kind::dct2, Kind::dst2); };
  const bool all = std::all_of(axis_cosines.begin(), axis_cosines.end(), two);
  return all && !axis_cosines.empty() ? AxisOrder::slowest_last : AxisOrder::slowest_first;
}

std::uint64_t Request::lines() const {
  std::uint64_t count = 1;
  for (const Loop& loop : loops) {
    const auto product = base::checked_multiply(count, loop.extent);
    if (!product) return ~std::uint64_t{0};
    count = *product;
  }
  return count;
}

}  // namespace imago::plan
