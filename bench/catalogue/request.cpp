// This file converts cases to requests to the planner.
#include "catalogue/request.hpp"

namespace imago::catalogue {

lines::Request request_of(const Case& described) {
  const auto distance = [&](bool is_source) -> std::uint64_t {
    const Layout layout = layout_of(described, is_source);
    return layout.distance == 0 ? described.lengths[0] : layout.distance;
  };
  lines::Request request;
  request.length = described.lengths[0];
  request.batch = described.batch;
  request.precision = described.precision;
  request.placement = described.placement;
  request.inverse = described.direction == Direction::inverse;
  request.scale = described.scale();
  request.in.distance = distance(true);
  request.out.distance = distance(false);
  return request;
}

}  // namespace imago::catalogue
