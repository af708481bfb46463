// This file describes the uniform transforms between grids and modes.
#include "nufft/grid_transform.hpp"

#include <cstdint>

namespace imago::nufft {

std::string factors_name(std::size_t axis) { return "nufft_factors_" + std::to_string(axis); }

Transform grid_transform(const NufftTransform& transform, const Design& design, std::size_t batch) {
  Transform grid;
  grid.precision = transform.precision;
  grid.lengths = design.lengths;
  grid.batch = batch;
  grid.norm = Norm::none;
  grid.directions = transform.types == NufftTypes::type1   ? Directions::inverse
                    : transform.types == NufftTypes::type2 ? Directions::forward
                                                           : Directions::both;
  const std::size_t axes = transform.modes.size();
  std::vector<std::size_t> strides(axes, 1);
  for (std::size_t axis = axes - 1; axis > 0; --axis)
    strides[axis - 1] = strides[axis] * transform.modes[axis];
  grid.signal.strides = strides;
  grid.signal.distance = strides[0] * transform.modes[0];
  // Mode k is at index k modulo the grid's length. In memory the first mode is -n/2, or 0.
  std::vector<Hook> rolls, rolls_back, boxes, factors;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::size_t n = transform.modes[axis];
    const auto first = static_cast<std::int64_t>(n / 2);
    boxes.push_back(hook::zero_outside(axis, 0, n));
    rolls.push_back(hook::roll(axis, -first));
    rolls_back.push_back(hook::roll(axis, first));
    factors.push_back(hook::window(axis, factors_name(axis)));
  }
  const auto append = [](std::vector<Hook>& list, const std::vector<Hook>& hooks) {
    list.insert(list.end(), hooks.begin(), hooks.end());
  };
  append(grid.on_forward.load, boxes);
  append(grid.on_forward.load, rolls);
  append(grid.on_forward.load, factors);
  append(grid.on_inverse.store, factors);
  append(grid.on_inverse.store, rolls_back);
  append(grid.on_inverse.store, boxes);
  return grid;
}

std::vector<double> mode_factors(const NufftTransform& transform, const Design& design,
                                 std::size_t axis) {
  const std::size_t n = transform.modes[axis], cells = design.lengths[axis];
  std::vector<double> factors(cells, 0);
  const auto first = -static_cast<std::int64_t>(n / 2);
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t k = first + static_cast<std::int64_t>(i);
    factors[k < 0 ? cells - static_cast<std::size_t>(-k) : static_cast<std::size_t>(k)] =
        1 / design.window.transform(k, cells);
  }
  return factors;
}

Transform reordering(const NufftTransform& transform, std::size_t batch) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = 0; axis < transform.modes.size(); ++axis) axes.push_back(axis);
  Transform copy;
  copy.axes.assign(axes.size(), Kind::identity);
  copy.precision = transform.precision;
  copy.lengths = transform.modes;
  copy.batch = batch;
  copy.norm = Norm::none;
  copy.on_forward.store = {hook::shift(axes)};
  copy.on_inverse.store = {hook::shift_back(axes)};
  return copy;
}

}  // namespace imago::nufft
