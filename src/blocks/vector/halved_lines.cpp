// This file loads and stores whole lines of cosine and sine transforms of half length.
#include "blocks/vector/halved_lines.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <variant>

#include "blocks/edges/half_cosines.hpp"
#include "blocks/edges/roots.hpp"
#include "blocks/rearrange.hpp"
#include "blocks/vector/along_points.hpp"

namespace imago::blocks {
namespace {

using ir::Value;

/// Four adjacent real numbers, 4j to 4j + 3, for each lane j.
using Quads = std::array<Value, 4>;

/// The real numbers of a line in memory.
class HalvedReals {
 public:
  HalvedReals(const Frame& f, const kernel::Side& side, const kernel::Edge& edge)
      : f_(f), side_(side), line_{f.b, std::get<kernel::Cosines>(edge), f.step.line} {}

  const CosineLine& line() const { return line_; }
  std::int64_t points() const { return to_signed(line_.points); }
  bool sine() const { return line_.cosines.sine(); }
  /// Returns true if adjacent numbers can be moved as vectors and rearranged in registers.
  bool in_blocks(unsigned width) const {
    return width > 1 && side_.line_stride() == 1 && !side_.hooked;
  }
  Spread spread(unsigned width, std::uint64_t apart) const {
    return {width, apart * side_.line_stride(), true};
  }

 protected:
  const Frame& f_;
  const kernel::Side& side_;
  const CosineLine line_;
};

class LineReader : public HalvedReals {
 public:
  explicit LineReader(const TileSite& site)
      : HalvedReals(site.f, site.f.step.in, site.f.step.in.edge),
        input_(site.f),
        tile_(site.tile.in) {}

  Value read(Value number, unsigned width, std::uint64_t apart = 1) const {
    return input_.element_of_line(tile_.base, number, spread(width, apart), ir::Condition::always())
        .re;
  }
  /// Returns pairs p, p + 1 and so on of partners.
  Cx partners(Value p, unsigned width) const {
    const Reals reals = partners_at(line_, p);
    const std::int64_t back = 1 - std::int64_t{width};
    const Cx x = sine() ? Cx{reversed(read(reals.first + back, width)), read(reals.second, width)}
                        : Cx{read(reals.first, width), reversed(read(reals.second + back, width))};
    return signed_as(reals, x);
  }
  Quads quads(Value j, unsigned width) const {
    Quads quads;
    const Value first = j * 4;
    if (in_blocks(width)) {
      Vectors block;
      for (unsigned v = 0; v < 4; ++v)
        block.push_back(read(first + std::int64_t{v * width}, width));
      block = to_components(block);
      std::copy(block.begin(), block.end(), quads.begin());
    } else {
      for (unsigned c = 0; c < 4; ++c) quads[c] = read(first + std::int64_t{c}, width, 4);
    }
    return quads;
  }

 private:
  const Input input_;
  const TileSide& tile_;
};

class LineWriter : public HalvedReals {
 public:
  explicit LineWriter(const TileSite& site)
      : HalvedReals(site.f, site.f.step.out, site.f.step.out.edge),
        output_(site.f),
        tile_(site.tile.out) {}

  void write(Value number, Value x, std::uint64_t apart = 1) const {
    output_.real(output_.index_of_line(tile_.base, number), x, spread(x.type().lanes, apart));
  }
  void partners(Value p, const Cx& x) const {
    const Reals reals = partners_at(line_, p);
    const std::int64_t back = 1 - std::int64_t{x.re.type().lanes};
    const Value re = sine() ? reversed(x.re) : x.re;
    write(sine() ? reals.first + back : reals.first, re);
    const Value im = sine() ? x.im : reversed(x.im);
    write(sine() ? reals.second : reals.second + back, im);
  }
  void quads(Value j, const Quads& quads) const {
    const unsigned width = quads[0].type().lanes;
    const Value first = j * 4;
    if (in_blocks(width)) {
      const Vectors block = from_components({quads.begin(), quads.end()});
      for (unsigned v = 0; v < 4; ++v) write(first + std::int64_t{v * width}, block[v]);
    } else {
      for (unsigned c = 0; c < 4; ++c) write(first + std::int64_t{c}, quads[c], 4);
    }
  }

 private:
  const Output output_;
  const TileSide& tile_;
};

/// Calls body(p, width) for all points but the first, which is its own partner.
void over_partners(const Frame& f, const std::function<void(Value, unsigned)>& body) {
  over_points(f.b, f.step, f.step.line - 1, [&](Value i, unsigned width) { body(i + 1, width); });
}

/// Calls body(j, width) for the points of the first half, and `middle` for the point between the
/// halves.
void over_half(const Frame& f, const std::function<void(Value, unsigned)>& body,
               const std::function<void(Value)>& middle) {
  over_points(f.b, f.step, f.step.line / 2, body);
  if (f.step.line % 2 != 0) middle(f.b.integer(to_signed(f.step.line / 2)));
}

}  // namespace

void load_halved_line(const TileSite& site, const TileLoad& tile, unsigned buffer) {
  const Frame& f = site.f;
  const LineReader reader(site);
  const std::int64_t m = reader.points();
  const auto keep = [&](Value p, const Cx& x) {
    site.store(buffer, p, tile.as_loaded({x}, {{p, 0}, 1})[0]);
  };
  if (!f.step.at_load().joins) {
    const bool sine = reader.sine();
    return over_half(
        f,
        [&](Value j, unsigned width) {
          const Quads x = reader.quads(j, width);
          const Cx far = reversed(Cx{x[3], x[1]});
          keep(j, {x[0], x[2]});
          const Cx kept = sine ? negated(far) : far;
          keep(f.b.integer(m - width) - j, kept);
        },
        [&](Value j) {
          const Value last = reader.read(j * 4 + 1, 1);
          keep(j, {reader.read(j * 4, 1), sine ? -last : last});
        });
  }
  const auto join = [&](Value p, const Cx& own, const Cx& partner, const Factors& factors) {
    keep(p, halved_point_of(reader.line(), p, factors, own_and_partner(own, partner)));
  };
  over_partners(f, [&](Value p, unsigned width) {
    const Cx partner = reversed(reader.partners(f.b.integer(m - width + 1) - p, width));
    const Factors factors = factors_in(f, {p, 1}, width);
    join(p, reader.partners(p, width), partner, factors);
  });
  const Value zero = f.b.integer(0);
  const Cx first = reader.partners(zero, 1);
  join(zero, first, first, factors_in(f, {zero, 0}, 1));
}

void store_halved_line(const TileSite& site, const TileStore& tile, unsigned buffer) {
  const Frame& f = site.f;
  const LineWriter writer(site);
  const std::int64_t m = writer.points();
  if (!f.step.at_store().joins) {
    const bool sine = writer.sine();
    return over_half(
        f,
        [&](Value j, unsigned width) {
          const Cx near = tile.as_stored(site.load(buffer, j, width));
          const Cx there = tile.as_stored(site.load(buffer, f.b.integer(m - width) - j, width));
          const Cx far = sine ? negated(reversed(there)) : reversed(there);
          writer.quads(j, {near.re, -far.im, -near.im, far.re});
        },
        [&](Value j) {
          const Cx x = tile.as_stored(site.load(buffer, j, 1));
          writer.write(j * 4, x.re);
          const Value im = sine ? x.im : -x.im;
          writer.write(j * 4 + 1, im);
        });
  }
  const auto join = [&](Value p, const Cx& own, const Cx& partner, const Factors& factors) {
    writer.partners(p, tile.as_stored(partners_of(writer.line(), p, own, partner, factors)));
  };
  over_partners(f, [&](Value p, unsigned width) {
    const Cx partner = reversed(site.load(buffer, f.b.integer(m - width + 1) - p, width));
    const Factors factors = factors_out(f, {p, 1}, width);
    join(p, site.load(buffer, p, width), partner, factors);
  });
  const Value zero = f.b.integer(0);
  const Cx first = site.load(buffer, zero, 1);
  join(zero, first, first, factors_out(f, {zero, 0}, 1));
}

}  // namespace imago::blocks
