// This file leads elements through the hooks of one side, or of a filter's turn, in their order:
// what each makes of them. Which elements there are, blocks/hooks says.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "blocks/hook_places.hpp"
#include "blocks/rearrange.hpp"
#include "blocks/twiddle.hpp"

namespace imago::blocks {

/// An element on its way: a complex number, or a real one, whose imaginary part is not valid().
struct Element {
  Cx x;
  bool real() const { return !x.im.valid(); }
  unsigned lanes() const { return x.re.type().lanes; }

  template <class Function>
  Element mapped(const Function& function) const {
    return {{function(x.re), real() ? ir::Value{} : function(x.im)}};
  }
};

/// Lanes side by side, and one of them.
Element assembled(const std::vector<Element>& lanes);
Element lane_of(const Element& element, unsigned lane);

/// What memory holds at a place.
using Fetch =
    std::function<Element(const LaneIndex& place, const Spread& spread, ir::Value condition)>;

/// Private memory for the lanes of elements: where those meet that boxes part, where sums grow, and
/// where calls leave what they read. Each such use has a name, for one may be inside of another.
struct LaneCells {
  LaneCells(ir::Builder& builder, const std::string& name, const Element& like, unsigned width)
      : b(builder) {
    re = b.private_array(name + "_re", like.x.re.type().with_lanes(1), width);
    if (!like.real()) im = b.private_array(name + "_im", like.x.re.type().with_lanes(1), width);
    real = like.real();
  }
  void keep(ir::Value at, const Element& x) const {
    b.store(re, at, x.x.re);
    if (!real) b.store(im, at, x.x.im);
  }
  Element load(ir::Value at, unsigned width) const {
    return {{b.load(re, at, width), real ? ir::Value{} : b.load(im, at, width)}};
  }

  ir::Builder& b;
  ir::MemoryId re, im;
  bool real = false;
};

/// The hooks of one side, or of a filter's turn.
class Chain {
 public:
  Chain(const Frame& frame, const ArrayLines& lines, const FrameSide& memory)
      : f_(frame),
        b_(frame.b),
        memory_(memory),
        hooked_(lines.hooked),
        array_(frame, lines),
        places_(frame.b, lines.hooked, array_, memory.origin) {}
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;

  const HookedArray& array() const { return array_; }
  const HookPlaces& places() const { return places_; }
  /// Loads the factors of an element, for `applied`.
  void load_factors(const std::vector<Numbers>& stages, ir::Value exists) const;
  /// What memory holds of elements, from the first hook's numbers on.
  Element fetched(const Numbers& first, ir::Value exists, const Fetch& fetch) const;
  /// Through all hooks; an element exists where the condition is met.
  Element applied(Element x, const std::vector<Numbers>& stages, ir::Value exists) const;

  /// Whether a function of the user reads or writes memory; then these are how.
  bool by_user() const { return hooked_.access() != nullptr; }
  /// Elements at a place in memory, as many as there are lanes; `nothing`, one lane, where the
  /// condition is not met.
  Element read(const LaneIndex& place, const Spread& spread, ir::Value condition,
               const Element& nothing) const;
  void write(const LaneIndex& place, const Element& x) const;

 private:
  /// Where an element is, and on which condition.
  struct At : Numbers {
    ir::Value exists;
  };

  // These say only where elements lie, or which there are.
  Element apply(const kernel::WeightedSum&, const Element& x, const At&) const { return x; }
  Element apply(const kernel::Box&, const Element& x, const At&) const { return x; }
  Element apply(const kernel::Framing&, const Element& x, const At&) const { return x; }
  Element apply(const kernel::Rotation&, const Element& x, const At&) const { return x; }
  Element apply(const kernel::Access&, const Element& x, const At&) const { return x; }

  Element apply(const kernel::Scaling& scaling, const Element& x, const At& at) const;
  /// By the factors that lie `further` numbers (or pairs) behind.
  Element apply(const kernel::Factors& factors, const Element& x, const At& at,
                ir::Value further = {}) const;
  Element apply(const kernel::Power& power, const Element& x, const At& at) const;
  Element apply(const kernel::Modulation& modulation, const Element& x, const At& at) const;
  Element apply(const kernel::Snippet& snippet, const Element& x, const At& at) const;
  Element called_one_by_one(const kernel::Snippet& snippet, ir::UserCall call, const Element& x,
                            const Numbers& at) const;
  Element called_at_once(const kernel::Snippet& snippet, ir::UserCall call, const Element& x,
                         const Numbers& at) const;
  void each_lane(const LaneIndex& place, unsigned lanes,
                 const std::function<void(ir::Value lane, ir::Value offset)>& one) const;
  Element access_call(const Element& like, std::vector<ir::Value> values, bool store) const;

  const Frame& f_;
  ir::Builder& b_;
  const FrameSide& memory_;
  const kernel::Hooked& hooked_;
  const HookedArray array_;
  const HookPlaces places_;
};

}  // namespace imago::blocks
