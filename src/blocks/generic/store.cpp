// This file emits the stores of generic kernels.
#include "blocks/generic/tile.hpp"
#include "blocks/rearrange.hpp"

namespace imago::blocks::generic {
namespace {

using kernel::GenericEdge;

class Storer {
 public:
  Storer(const Tile& tile, ir::Value half)
      : t_(tile), b_(tile.b), end_(tile.store()), half_(half), plain_(end_.is(GenericEdge::none)) {}

  void store() const {
    const ir::Value results = t_.number(kernel::kResults);
    if (t_.vectors()) return store_vectors(results);
    t_.each(results, [&](const At& at) {
      const Cx x = scaled_up(result(at));
      b_.when(at.lane < t_.lines, [&] {
        const ir::Value index = t_.at_line(end_, at.point, at.lane);
        b_.store(end_.memory, index, x.re);
        b_.when(end_.whole(), [&] { b_.store(end_.memory, behind(index), x.im); });
      });
    });
  }

 private:
  /// Returns a result without its scale.
  Cx result(const At& at) const {
    const ir::Condition combination = end_.is(GenericEdge::combination);
    const ir::Value q = t_.entry(end_, at.point);
    const auto listed = [&](ir::Value list) {
      const ir::Value entry = b_.load_if(combination, t_.frame.numbers, list + q);
      return t_.swapped_back_if(t_.point(half_, at, b_.select(combination, entry, at.point)));
    };
    const Cx first = listed(end_.first_list), second = listed(end_.second_list);
    const Cx multiplied = t_.factor(end_, end_.first_table, at, q) * first;
    const Cx x = unless(end_.is(GenericEdge::factors), first, multiplied);
    return unless(combination, x, t_.combined(end_, at, q, first, second));
  }
  Cx scaled_up(const Cx& x) const {
    const ir::Value scale = t_.in_all_lanes(t_.scale);
    return {x.re * scale, x.im * scale};
  }
  /// Returns the index of an imaginary part.
  ir::Value behind(ir::Value index) const { return index + b_.convert(end_.parts, index.type()); }

  /// Computes results with an edge in the other half of the memory, then moves all of them.
  void store_vectors(ir::Value results) const {
    const ir::Value other = t_.other_half(half_);
    b_.loop(b_.select(plain_, b_.integer(0), results),
            [&](ir::Value p) { t_.keep(other, {}, p, result({p})); });
    const ir::Value source = b_.select(plain_, half_, other);
    const ir::Condition swaps = t_.swaps_back && plain_;
    const auto moved = [&](ir::Value p) {
      const Cx x = t_.point(source, {}, p);
      return scaled_up(unless(swaps, x, swapped(x)));
    };
    t_.in_vectors(
        end_, results,
        [&](ir::Value p) {
          const Cx x = moved(p);
          const Vectors block = from_components({x.re, x.im});
          const ir::Value index = t_.at_line(end_, p, b_.integer(0));
          for (unsigned i = 0; i < 2; ++i) b_.store(end_.memory, index + i * t_.lanes, block[i]);
        },
        [&](ir::Value p) {
          Vectors parts;
          for (unsigned i = 0; i < t_.lanes / 2; ++i) {
            const Cx x = moved(p + i);
            parts.push_back(x.re), parts.push_back(x.im);
          }
          const Vectors block = from_components(parts);
          for (unsigned lane = 0; lane < t_.lanes; ++lane)
            b_.store(end_.memory, t_.at_line(end_, p, b_.integer(lane)), block[lane]);
        });
    const ir::Value rest = t_.left_by_vectors(end_, results), first = results - rest;
    b_.loop(rest, [&](ir::Value i) {
      const Cx x = moved(first + i);
      // Lanes without a line write to the place of the last line, before it does.
      const auto index = [&](unsigned lane) {
        const ir::Value line = t_.line_of(lane);
        return t_.at_line(end_, first + i, line);
      };
      for (unsigned lane = t_.lanes; lane-- > 0;) {
        const ir::Value part = b_.extract(x.re, lane);
        b_.store(end_.memory, index(lane), part);
      }
      b_.when(end_.whole(), [&] {
        for (unsigned lane = t_.lanes; lane-- > 0;) {
          const ir::Value part = b_.extract(x.im, lane);
          b_.store(end_.memory, behind(index(lane)), part);
        }
      });
    });
  }

  const Tile& t_;
  ir::Builder& b_;
  const End end_;
  const ir::Value half_;
  const ir::Condition plain_;
};

}  // namespace

void store(const Tile& tile, ir::Value half) { Storer(tile, half).store(); }

}  // namespace imago::blocks::generic
