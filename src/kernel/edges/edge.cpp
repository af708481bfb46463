// This file calls the functions of the edges.
#include "kernel/edges/edge.hpp"

namespace imago::kernel {

EdgeFacts facts_of(const NoEdge&, End, std::uint64_t points) { return {.elements = points}; }

EdgeFacts facts_of(const Edge& edge, End end, std::uint64_t points) {
  return std::visit([&](const auto& held) { return facts_of(held, end, points); }, edge);
}

Kind kind_of(const Edge& edge) {
  const auto* cosines = std::get_if<Cosines>(&edge);
  return cosines ? cosines->kind : Kind::complex;
}

}  // namespace imago::kernel
