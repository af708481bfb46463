// This file multiplies elements by the chirp of Bluestein's convolution (plan::Chirp).
#pragma once

#include "blocks/convolution.hpp"
#include "blocks/edges/convolved.hpp"

namespace imago::blocks {

class ChirpEdge final : public ConvolvedEdge {
 public:
  ChirpEdge(const plan::Chirp& edge, const Frame& frame, plan::End end)
      : ConvolvedEdge(frame, end), points_(edge.points) {}

 private:
  Cx factor(const Index& number, unsigned lanes, ir::Value condition) const override {
    return entry(f_, {table_, points_}, number, lanes, condition);
  }

  const std::uint64_t points_;
};

}  // namespace imago::blocks
