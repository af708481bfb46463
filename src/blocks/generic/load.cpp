// This file emits the loads of generic kernels.
#include "blocks/generic/tile.hpp"
#include "blocks/rearrange.hpp"

namespace imago::blocks::generic {
namespace {

using kernel::GenericEdge;

class Loader {
 public:
  explicit Loader(const Tile& tile) : t_(tile), b_(tile.b), end_(tile.load) {}

  void load() const {
    const ir::Condition plain = end_.is(GenericEdge::none);
    const ir::Value count = b_.select(plain, t_.points, none_);
    if (t_.vectors()) load_vectors(count);
    const ir::Value rest = t_.left_by_vectors(end_, count), first = count - rest;
    t_.each(rest, [&](const At& at) {
      const ir::Value p = first + at.point;
      const Cx x = t_.gathered(at, [&](ir::Value line) { return element(p, line); });
      const ir::Value none = zero(x.im);
      keep(at, p, {x.re, b_.select(end_.whole(), x.im, none)});
    });
    const ir::Condition combination = end_.is(GenericEdge::combination);
    combine(b_.select(combination, t_.points, none_));
  }

  /// Makes points of the elements of memory that lists name.
  void combine(ir::Value count) const {
    t_.each(count, [&](const At& at) {
      const ir::Value q = t_.entry(end_, at.point);
      const Cx first = listed(at, end_.first_list + q), second = listed(at, end_.second_list + q);
      keep(at, at.point, t_.combined(end_, at, q, first, second));
    });
  }

 private:
  void keep(const At& at, ir::Value p, const Cx& x) const {
    t_.keep(none_, at, p, t_.swapped_if(x));
  }
  ir::Value zero(ir::Value like) const { return b_.real(0, like.type()); }
  /// Returns the two parts of a complex element; a real element is both.
  Cx element(ir::Value point, ir::Value line) const {
    const ir::Value index = t_.at_line(end_, point, line);
    const ir::Value parts = b_.convert(end_.parts, index.type());
    return {b_.load(end_.memory, index), b_.load(end_.memory, index + parts)};
  }
  /// Returns the elements that entries of a list name, one for each lane.
  Cx listed(const At& at, ir::Value list) const {
    return t_.gathered(at, [&](ir::Value line) {
      const ir::Value entry = b_.load(t_.frame.numbers, list + line * end_.column_step);
      const Cx x = element(entry / 2, line);
      const ir::Value none = zero(x.im);
      return Cx{x.re, b_.select(end_.whole() && entry % 2 < 1, x.im, none)};
    });
  }
  void load_vectors(ir::Value count) const {
    const auto loaded = [&](ir::Value index) { return b_.load(end_.memory, index, t_.lanes); };
    t_.in_vectors(
        end_, count,
        [&](ir::Value p) {
          const ir::Value index = t_.at_line(end_, p, none_);
          const Vectors parts = to_components({loaded(index), loaded(index + t_.lanes)});
          keep({}, p, {parts[0], parts[1]});
        },
        [&](ir::Value p) {
          Vectors block;
          for (unsigned lane = 0; lane < t_.lanes; ++lane)
            block.push_back(loaded(t_.at_line(end_, p, b_.integer(lane))));
          const Vectors parts = to_components(block);
          for (unsigned i = 0; i < t_.lanes; i += 2) keep({}, p + i / 2, {parts[i], parts[i + 1]});
        });
  }

  const Tile& t_;
  ir::Builder& b_;
  const End& end_;
  const ir::Value none_ = b_.integer(0);
};

}  // namespace

void load(const Tile& tile) { Loader(tile).load(); }
void load_listed(const Tile& tile) { Loader(tile).combine(tile.points); }

}  // namespace imago::blocks::generic
