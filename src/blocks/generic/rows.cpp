// This file emits the loads and stores of rows (kernel/generic.hpp): elements move between memory
// and the tile by whole vectors where they can, and edges read the tile.
#include "blocks/generic/tile.hpp"
#include "blocks/rearrange.hpp"

namespace imago::blocks::generic {
namespace {

using kernel::GenericEdge;

/// The ways in which vectors of elements lie in memory.
struct Adjacent {
  Adjacent(const Tile& tile, const End& end)
      : lines(equal(end.lane_stride, tile.b.integer(2)) && equal(end.parts, tile.b.integer(1)) &&
              tile.all_lines()),
        real_lines(equal(end.lane_stride, tile.b.integer(1)) && tile.all_lines()),
        points(points_of(tile, end, 2) && equal(end.parts, tile.b.integer(1))),
        real_points(points_of(tile, end, 1) && equal(end.parts, tile.b.integer(0))) {}

  ir::Condition lines;        ///< lanes are adjacent complex numbers
  ir::Condition real_lines;   ///< lanes are adjacent real numbers
  ir::Condition points;       ///< points are adjacent complex numbers, and lanes are not
  ir::Condition real_points;  ///< points are adjacent real numbers, and lanes are not

 private:
  static ir::Condition points_of(const Tile& tile, const End& end, int apart) {
    ir::Builder& b = tile.b;
    const ir::Value zero = b.integer(0);
    const ir::Value stride = b.select(end.lane_stride < 3, zero, end.point_stride);
    return equal(stride, b.integer(apart)) && tile.all_lines();
  }
};

/// Moves elements of a row between memory and a half of the tile, by vectors.
class Mover {
 public:
  Mover(const Tile& tile, const End& end)
      : t_(tile), b_(tile.b), end_(end), near_(tile, end), width_(tile.lanes) {}

  /// Calls `store` with each element of memory.
  void load(ir::Value count,
            const std::function<void(const At&, ir::Value, const Cx&)>& keep) const {
    load_lines(count, keep);
    load_points(count, keep);
    const ir::Value rest = rest_of(count), first = count - rest;
    b_.loop(rest, [&](ir::Value i) {
      const ir::Value p = first + i;
      keep({p}, p, t_.gathered({p}, [&](ir::Value line) { return element(p, line); }));
    });
  }

  /// Writes each of `count` results, which `result` returns, to memory.
  void store(ir::Value count, const std::function<Cx(const At&, ir::Value)>& result) const {
    store_lines(count, result);
    store_points(count, result);
    const ir::Value rest = rest_of(count), first = count - rest;
    b_.loop(rest, [&](ir::Value i) {
      const ir::Value p = first + i;
      write_lanes(p, result({p}, p));
    });
  }

 private:
  using Keep = std::function<void(const At&, ir::Value, const Cx&)>;

  ir::Value loaded(ir::Value index) const { return b_.load(end_.memory, index, width_); }
  /// Loads elements whose lanes are adjacent.
  void load_lines(ir::Value count, const Keep& keep) const {
    b_.when(near_.lines, [&] {
      b_.loop(count, [&](ir::Value p) {
        const ir::Value index = at_line(p, 0), behind = index + width_;
        const Vectors parts = to_components({loaded(index), loaded(behind)});
        keep({p}, p, {parts[0], parts[1]});
      });
    });
    b_.when(near_.real_lines, [&] {
      b_.loop(count, [&](ir::Value p) {
        const ir::Value index = at_line(p, 0), imaginary = index + parts_of(index);
        const ir::Value re = loaded(index), im = loaded(imaginary);
        keep({p}, p, whole({re, im}));
      });
    });
  }
  /// Loads whole vectors of adjacent points of each lane.
  void load_points(ir::Value count, const Keep& keep) const {
    const auto block = [&](ir::Value p) {
      Vectors lanes;
      for (unsigned lane = 0; lane < width_; ++lane) lanes.push_back(loaded(at_line(p, lane)));
      return to_components(lanes);
    };
    b_.when(near_.points, [&] {
      b_.loop(count / (width_ / 2), [&](ir::Value i) {
        const ir::Value p = i * (width_ / 2);
        const Vectors parts = block(p);
        for (unsigned k = 0; k < width_ / 2; ++k) {
          const ir::Value q = p + k;
          keep({q}, q, {parts[2 * k], parts[2 * k + 1]});
        }
      });
    });
    b_.when(near_.real_points, [&] {
      b_.loop(count / width_, [&](ir::Value i) {
        const ir::Value p = i * width_;
        const Vectors parts = block(p);
        const ir::Value none = b_.real(0, parts[0].type());
        for (unsigned k = 0; k < width_; ++k) {
          const ir::Value q = p + k;
          keep({q}, q, {parts[k], none});
        }
      });
    });
  }
  using Result = std::function<Cx(const At&, ir::Value)>;

  /// Stores results whose lanes are adjacent.
  void store_lines(ir::Value count, const Result& result) const {
    b_.when(near_.lines, [&] {
      b_.loop(count, [&](ir::Value p) {
        const Cx x = result({p}, p);
        const Vectors block = from_components({x.re, x.im});
        const ir::Value index = at_line(p, 0);
        for (unsigned i = 0; i < 2; ++i) b_.store(end_.memory, index + i * width_, block[i]);
      });
    });
    b_.when(near_.real_lines, [&] {
      b_.loop(count, [&](ir::Value p) {
        const Cx x = result({p}, p);
        write(at_line(p, 0), x);
      });
    });
  }
  /// Stores whole vectors of adjacent points of each lane.
  void store_points(ir::Value count, const Result& result) const {
    const auto write_block = [&](ir::Value p, const Vectors& parts) {
      const Vectors block = from_components(parts);
      for (unsigned lane = 0; lane < width_; ++lane)
        b_.store(end_.memory, at_line(p, lane), block[lane]);
    };
    b_.when(near_.points, [&] {
      b_.loop(count / (width_ / 2), [&](ir::Value i) {
        const ir::Value p = i * (width_ / 2);
        Vectors parts;
        for (unsigned k = 0; k < width_ / 2; ++k) {
          const Cx x = result({p + k}, p + k);
          parts.push_back(x.re), parts.push_back(x.im);
        }
        write_block(p, parts);
      });
    });
    b_.when(near_.real_points, [&] {
      b_.loop(count / width_, [&](ir::Value i) {
        const ir::Value p = i * width_;
        Vectors parts;
        for (unsigned k = 0; k < width_; ++k) parts.push_back(result({p + k}, p + k).re);
        write_block(p, parts);
      });
    });
  }
  ir::Value at_line(ir::Value point, unsigned lane) const {
    return t_.at_line(end_, point, b_.integer(lane));
  }
  ir::Value parts_of(ir::Value index) const { return b_.convert(end_.parts, index.type()); }
  Cx whole(const Cx& x) const {
    const ir::Value none = b_.real(0, x.im.type());
    return {x.re, b_.select(end_.whole(), x.im, none)};
  }
  Cx element(ir::Value point, ir::Value line) const {
    const ir::Value index = t_.at_line(end_, point, line), imaginary = index + parts_of(index);
    const ir::Value re = b_.load(end_.memory, index), im = b_.load(end_.memory, imaginary);
    return whole({re, im});
  }
  void write(ir::Value index, const Cx& x) const {
    b_.store(end_.memory, index, x.re);
    b_.when(end_.whole(), [&] { b_.store(end_.memory, index + parts_of(index), x.im); });
  }
  /// Lanes without a line write to the place of the last line, before it does.
  void write_lanes(ir::Value point, const Cx& x) const {
    const auto index = [&](unsigned lane) { return t_.at_line(end_, point, t_.line_of(lane)); };
    for (unsigned lane = width_; lane-- > 0;) {
      const ir::Value part = b_.extract(x.re, lane), place = index(lane);
      b_.store(end_.memory, place, part);
    }
    b_.when(end_.whole(), [&] {
      for (unsigned lane = width_; lane-- > 0;) {
        const ir::Value part = b_.extract(x.im, lane), place = index(lane);
        b_.store(end_.memory, place + parts_of(place), part);
      }
    });
  }
  /// Returns the number of the last elements of `count` that are not moved by whole vectors.
  ir::Value rest_of(ir::Value count) const {
    const ir::Value none = b_.integer(0);
    const ir::Value of_points = count % (width_ / 2), of_reals = count % width_;
    const ir::Value some = b_.select(near_.real_points, of_reals, count);
    const ir::Value more = b_.select(near_.points, of_points, some);
    const ir::Value most = b_.select(near_.real_lines, none, more);
    return b_.select(near_.lines, none, most);
  }

  const Tile& t_;
  ir::Builder& b_;
  const End& end_;
  const Adjacent near_;
  const unsigned width_;
};

/// Moves elements of a row between memory and a half of the tile, by work-items.
class ItemMover {
 public:
  ItemMover(const Tile& tile, const End& end) : t_(tile), b_(tile.b), end_(end) {}

  /// Calls body for each of the elements, in their order in memory.
  void each(const Divisor& count, const std::function<void(const At&)>& body) const {
    t_.each(count.value, body, end_.point_stride < end_.lane_stride, count);
  }
  Cx element(ir::Value point, ir::Value line) const {
    const ir::Value re = b_.load(end_.memory, t_.at_line(end_, point, line));
    const ir::Value im = b_.load(end_.memory, t_.at_line(end_, point, line, end_.parts));
    const ir::Value none = b_.real(0, im.type());
    return {re, b_.select(end_.whole(), im, none)};
  }
  /// Writes a result of a line that exists, times a factor.
  void write(const At& at, ir::Value point, const Cx& x, ir::Value scale) const {
    b_.when(at.lane < t_.lines, [&] {
      const ir::Value index = t_.at_line(end_, point, at.lane), re = x.re * scale;
      b_.store(end_.memory, index, re);
      b_.when(end_.whole(), [&] {
        const ir::Value behind = t_.at_line(end_, point, at.lane, end_.parts), im = x.im * scale;
        b_.store(end_.memory, behind, im);
      });
    });
  }

 private:
  const Tile& t_;
  ir::Builder& b_;
  const End& end_;
};

/// The two elements, or points, k and h - k of GenericEdge::half, from the points, or elements.
struct HalfPair {
  Cx own, other;
};
HalfPair half_pair(const Cx& own, const Cx& other, const Cx& turned) {
  const Cx sum{own.re + other.re, own.im - other.im};
  const Cx difference = turned * Cx{own.re - other.re, own.im + other.im};
  const Cx less = sum - difference;
  return {sum + difference, {less.re, -less.im}};
}

/// Returns the factor q of an edge that is the same for all columns.
Cx shared_factor(const Tile& tile, const End& end, ir::Value table, ir::Value q) {
  const ir::Value re = tile.b.load(tile.frame.table, table + q);
  const ir::Value im = tile.b.load(tile.frame.table, table + q + end.entries);
  return {tile.in_all_lanes(re), tile.in_all_lanes(im)};
}

/// Returns a[q] * first + b[q] * second, as Tile::combined() does.
Cx shared_combined(const Tile& tile, const End& end, ir::Value q, const Cx& first,
                   const Cx& second) {
  ir::Builder& b = tile.b;
  const ir::Value conjugated = -second.im;
  const Cx other{second.re, b.select(equal(end.conjugate, b.integer(1)), conjugated, second.im)};
  const Cx second_term = shared_factor(tile, end, end.second_table, q) * other;
  const Cx first_term = shared_factor(tile, end, end.first_table, q) * first;
  return first_term + second_term;
}

/// Makes the points of a row of the elements of a half spectrum, which are read at once.
void load_half(const Tile& tile) {
  ir::Builder& b = tile.b;
  const End& end = tile.load;
  const ItemMover mover(tile, end);
  const ir::Value none = b.integer(0), first = tile.half(none);
  mover.each(tile.by_pairs(), [&](const At& at) {
    const ir::Value k = at.point, opposite = tile.points - k, line = tile.line_of(at.lane);
    Cx own = mover.element(k, line), other = mover.element(opposite, line);
    const ir::Value zero = b.real(0, own.im.type());
    for (Cx* x : {&own, &other}) x->im = b.select(none < k, x->im, zero);
    const HalfPair pair = half_pair(own, other, tile.factor_at(end.first_table + k));
    tile.keep(first, at, k, tile.swapped_if(pair.own));
    b.when(none < k, [&] { tile.keep(first, at, opposite, tile.swapped_if(pair.other)); });
  });
}

/// Stores the results of a row by work-items, which make them of the points.
void store_items(const Tile& tile, ir::Value half) {
  ir::Builder& b = tile.b;
  const End end = tile.store();
  const ItemMover mover(tile, end);
  const Divisor results{tile.number(kernel::kResults), tile.number(kernel::kResultsFactor),
                        tile.number(kernel::kResultsShift)};
  const auto point = [&](const At& at, ir::Value p) {
    return tile.swapped_back_if(tile.point(half, at, p));
  };
  const auto when = [&](GenericEdge edge, const std::function<Cx(const At&)>& result) {
    b.when(end.is(edge), [&] {
      mover.each(results, [&](const At& at) { mover.write(at, at.point, result(at), tile.scale); });
    });
  };
  when(GenericEdge::none, [&](const At& at) { return point(at, at.point); });
  when(GenericEdge::factors, [&](const At& at) {
    const Cx factor = tile.factor(end, end.first_table, at, tile.entry(end, at.point));
    return factor * point(at, at.point);
  });
  when(GenericEdge::combination, [&](const At& at) {
    const ir::Value q = at.point;
    const ir::Value i = b.load(tile.frame.numbers, end.first_list + q);
    const ir::Value j = b.load(tile.frame.numbers, end.second_list + q);
    const Cx one = point(at, i), two = point(at, j);
    return shared_combined(tile, end, q, one, two);
  });
  b.when(end.is(GenericEdge::half), [&] {
    const ir::Value scale = ir::scaled(tile.scale, 0.5), none = b.integer(0);
    mover.each(tile.by_pairs(), [&](const At& at) {
      const ir::Value k = at.point, opposite = tile.points - k;
      const Cx own = point(at, k), other = point(at, b.select(none < k, opposite, none));
      const HalfPair pair = half_pair(own, other, tile.factor_at(end.first_table + k));
      const auto write = [&](ir::Value result, const Cx& x) {
        b.when(result < results.value, [&] { mover.write(at, result, x, scale); });
      };
      write(k, pair.own), write(opposite, pair.other);
    });
  });
}

/// Makes points of elements in a half of the tile.
void combine_in_tile(const Tile& tile, ir::Value from, ir::Value to) {
  ir::Builder& b = tile.b;
  const End& end = tile.load;
  const auto listed = [&](const At& at, ir::Value list) {
    const ir::Value entry = b.load(tile.frame.numbers, list);
    const Cx x = tile.point(from, at, entry / 2);
    const ir::Value zero = b.real(0, x.im.type());
    return Cx{x.re, b.select(entry % 2 < 1, x.im, zero)};
  };
  tile.each(tile.points, [&](const At& at) {
    const ir::Value q = at.point;
    const Cx one = listed(at, end.first_list + q), other = listed(at, end.second_list + q);
    tile.keep(to, at, q, tile.swapped_if(shared_combined(tile, end, q, one, other)));
  });
}

}  // namespace

void load_row(const Tile& tile) {
  ir::Builder& b = tile.b;
  const End& end = tile.load;
  const ir::Value none = b.integer(0), first = tile.half(none), second = tile.other_half(first);
  const ir::Condition combination = end.is(GenericEdge::combination);
  const ir::Condition factors = end.is(GenericEdge::factors);
  const ir::Value elements = tile.row_number(kernel::kRowElements);
  const ir::Value staged = b.select(combination, second, first);
  const ir::Condition plain = end.is(GenericEdge::none);
  const ir::Condition swaps = tile.swaps && plain;
  const auto keep = [&](const At& at, ir::Value p, const Cx& x) {
    tile.keep(staged, at, p, unless(swaps, x, swapped(x)));
  };
  if (tile.vectors()) {
    Mover(tile, end).load(elements, keep);
  } else {
    b.when(end.is(GenericEdge::half), [&] { load_half(tile); });
    const ItemMover mover(tile, end);
    mover.each(
        {elements, tile.row_number(kernel::kRowElementsFactor),
         tile.row_number(kernel::kRowElementsShift)},
        [&](const At& at) { keep(at, at.point, mover.element(at.point, tile.line_of(at.lane))); });
  }
  // Points after the elements are 0.
  const ir::Condition padded = end.edge < static_cast<int>(GenericEdge::combination);
  const ir::Value count = b.select(padded, tile.points - elements, none);
  tile.each(count, [&](const At& at) {
    const ir::Value zero = b.real(0, tile.frame.real.with_lanes(tile.lanes));
    tile.keep(first, at, elements + at.point, {zero, zero});
  });
  tile.barrier();
  b.when(factors, [&] {
    tile.each(elements, [&](const At& at) {
      const Cx x = tile.point(first, at, at.point);
      const Cx factor = shared_factor(tile, end, end.first_table, at.point);
      tile.keep(first, at, at.point, tile.swapped_if(factor * x));
    });
  });
  const ir::Condition in_tile = none < elements;
  b.when(combination && in_tile, [&] { combine_in_tile(tile, second, first); });
  b.when(combination && elements < 1, [&] { load_listed(tile); });
}

void multiply_row(const Tile& tile, ir::Value half, ir::Value points) {
  ir::Builder& b = tile.b;
  const ir::Value table = tile.row_number(kernel::kRowProduct);
  const ir::Value entries = tile.row_number(kernel::kRowProductEntries);
  tile.each(points, [&](const At& at) {
    const ir::Value index = table + at.point;
    const ir::Value re = tile.in_all_lanes(b.load(tile.frame.table, index));
    const ir::Value im = tile.in_all_lanes(b.load(tile.frame.table, index + entries));
    const Cx x = tile.point(half, at, at.point) * Cx{re, im};
    tile.keep(half, at, at.point, swapped(x));
  });
}

void store_row(const Tile& tile, ir::Value half) {
  if (!tile.vectors()) return store_items(tile, half);
  ir::Builder& b = tile.b;
  const End end = tile.store();
  const ir::Value results = tile.number(kernel::kResults);
  const ir::Value scale = tile.in_all_lanes(tile.scale);
  const ir::Condition plain = end.is(GenericEdge::none);
  const ir::Condition factors = end.is(GenericEdge::factors);
  const ir::Condition combination = end.is(GenericEdge::combination);
  const auto point = [&](const At& at, ir::Value p) {
    return tile.swapped_back_if(tile.point(half, at, p));
  };
  const auto scaled_up = [&](const Cx& x) { return Cx{x.re * scale, x.im * scale}; };
  const Mover mover(tile, end);
  // The results of an edge go to the other half, then all of them to memory.
  const ir::Value other = tile.other_half(half);
  const ir::Condition columns = equal(end.column_step, b.integer(1));
  b.when(factors && columns, [&] {
    tile.each(results, [&](const At& at) {
      const ir::Value q = tile.entry(end, at.point);
      const Cx factor = tile.factor(end, end.first_table, at, q);
      tile.keep(other, at, at.point, factor * point(at, at.point));
    });
  });
  const ir::Condition shared = end.column_step < 1;
  b.when(factors && shared, [&] {
    tile.each(results, [&](const At& at) {
      const Cx factor = shared_factor(tile, end, end.first_table, at.point);
      tile.keep(other, at, at.point, factor * point(at, at.point));
    });
  });
  b.when(combination, [&] {
    tile.each(results, [&](const At& at) {
      const ir::Value q = at.point;
      const ir::Value i = b.load(tile.frame.numbers, end.first_list + q);
      const ir::Value j = b.load(tile.frame.numbers, end.second_list + q);
      const Cx one = point(at, i), two = point(at, j);
      tile.keep(other, at, q, shared_combined(tile, end, q, one, two));
    });
  });
  const ir::Value source = b.select(plain, half, other);
  const ir::Condition swaps = tile.swaps_back && plain;
  mover.store(results, [&](const At& at, ir::Value p) {
    const Cx x = tile.point(source, at, p);
    return scaled_up(unless(swaps, x, swapped(x)));
  });
}

}  // namespace imago::blocks::generic
