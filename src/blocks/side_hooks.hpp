// This file applies the hooks of one side, or of a filter's fused point, to elements, in their
// order. blocks/hooks determines the elements.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "blocks/hook_places.hpp"
#include "blocks/rearrange.hpp"
#include "blocks/twiddle.hpp"

namespace imago::blocks {

/// An element between hooks: a complex number, or a real one, whose imaginary part is not valid().
struct Element {
  Cx x;
  bool real() const { return !x.im.valid(); }
  unsigned lanes() const { return x.re.type().lanes; }

  template <class Function>
  Element mapped(const Function& function) const {
    return {{function(x.re), real() ? ir::Value{} : function(x.im)}};
  }
};

/// Larger numbers of arrays are summed in a loop.
inline constexpr std::uint64_t kUnrolledSum = 8;

/// Returns |x|^2.
ir::Value square_of(const Cx& x);
/// Returns x times the conjugate of y, which is real if they are equal: the rounding errors of the
/// two sums are opposite then. Imaginary parts come first, because products of pairs do not
/// commute.
Cx times_conjugate(const Cx& x, const Cx& y);
/// Returns log2 |x|^2 although |x|^2 may overflow or underflow; NaN only if x has one.
ir::Value log2_of_power(const Element& x);

/// Joins elements to the lanes of one; and extracts one lane.
Element assembled(const std::vector<Element>& lanes);
Element lane_of(const Element& element, unsigned lane);

/// Returns the element that memory holds at a place.
using Fetch = std::function<Element(const LaneIndex& place, const Spread& spread,
                                    const ir::Condition& condition)>;

/// Private memory for the lanes of elements. It joins lanes that boxes treat differently,
/// accumulates sums, and holds the results of calls. Each use has a name, because uses can be
/// nested.
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

/// The hooks of one side, or of a filter's fused point.
class SideHooks {
 public:
  SideHooks(const Frame& frame, const ArrayLines& lines, const FrameSide& memory)
      : f_(frame),
        b_(frame.b),
        memory_(memory),
        hooked_(lines.hooked),
        array_(frame, lines),
        places_(frame.b, lines.hooked, array_, memory) {}
  SideHooks(const SideHooks&) = delete;
  SideHooks& operator=(const SideHooks&) = delete;

  const HookedArray& array() const { return array_; }
  const HookPlaces& places() const { return places_; }
  /// Loads the factors of an element before applied() needs them, if the work-item is active and
  /// boxes contain the element.
  void load_factors(const std::vector<Numbers>& numbers, const ir::Condition& active) const;
  /// Returns the elements that memory holds, at the numbers before the first hook.
  Element fetched(const Numbers& first, const ir::Condition& exists, const Fetch& fetch) const;
  /// Applies all hooks; an element exists if the condition `exists` is true.
  Element applied(Element x, const std::vector<Numbers>& numbers,
                  const ir::Condition& exists) const;

  /// Return true if the kernel would be too long with the text of the hooks for each lane, or for
  /// each leg of a butterfly. In a loop, legs pass through private memory, and all of them are
  /// tested for boxes. `parted` returns true if the lanes pass through the hooks one by one.
  bool loops_over_lanes(unsigned lanes) const;
  bool loops_over_legs(unsigned legs, const std::function<bool()>& parted) const;
  /// True if lanes that boxes part are the numbers of a pair, too few for a loop.
  bool has_few_lanes() const { return f_.step.interleaved(); }
  /// Returns true if memory holds real numbers although the transform's elements are complex.
  bool real_in_memory() const { return hooked_.real_in_memory(); }
  /// Returns true if a user's function reads or writes memory; read() and write() then call it.
  bool by_user() const { return hooked_.access() != nullptr; }
  /// Reads elements at a place in memory, one for each lane; returns `nothing`, which has one lane,
  /// if the condition is false.
  Element read(const LaneIndex& place, const Spread& spread, const ir::Condition& condition,
               const Element& nothing) const;
  void write(const LaneIndex& place, const Element& x) const;

 private:
  /// The place of an element, and the condition under which it exists.
  struct At : Numbers {
    ir::Condition exists;
  };

  // These hooks only determine the places of elements, or which elements exist.
  Element apply(const kernel::WeightedSum&, const Element& x, const At&) const { return x; }
  Element apply(const kernel::Box&, const Element& x, const At&) const { return x; }
  Element apply(const kernel::Framing&, const Element& x, const At&) const { return x; }
  Element apply(const kernel::Rotation&, const Element& x, const At&) const { return x; }
  Element apply(const kernel::Access&, const Element& x, const At&) const { return x; }
  // The output adds elements as it writes them.
  Element apply(const kernel::Accumulation&, const Element& x, const At&) const { return x; }

  Element apply(const kernel::Scaling& scaling, const Element& x, const At& at) const;
  /// Multiplies by the factors that are `further` numbers (or pairs) after those of the element.
  Element apply(const kernel::Factors& factors, const Element& x, const At& at,
                ir::Value further = {}) const;
  /// Returns the place of the elements' factors.
  LaneIndex place_of(const kernel::Factors& factors, const Numbers& at) const;
  /// Returns those factors; real ones have no valid imaginary part.
  Cx numbers_of(const kernel::Factors& factors, unsigned lanes, const At& at,
                ir::Value further) const;
  Element apply(const kernel::Addition& addition, const Element& x, const At& at) const;
  Element apply(const kernel::Power& power, const Element& x, const At& at) const;
  Element apply(const kernel::Conjugation& conjugation, const Element& x, const At& at) const;
  Element apply(const kernel::RealPart& part, const Element& x, const At& at) const;
  Element apply(const kernel::Modulation& modulation, const Element& x, const At& at) const;
  Element apply(const kernel::LineTwiddle& twiddle, const Element& x, const At& at) const;
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
