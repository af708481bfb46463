// This file holds the vector mapping's way of whole lines whose points meet their mirror images in
// scratch: half spectra, cosine and sine transforms.
#pragma once

#include "blocks/elements.hpp"
#include "blocks/vector/tile.hpp"

namespace imago::blocks {

class TileLoad;
class TileStore;

/// One line to scratch, as points of its DFT.
class LineLoad {
 public:
  LineLoad(const TileSite& site, const TileLoad& load)
      : f_(site.f), b_(site.f.b), site_(site), load_(load), input_(site.f) {}
  void copy(unsigned stage) const;

 private:
  void copy_folded(unsigned stage) const;
  void copy_half(unsigned stage) const;
  Cx element(ir::Value number, unsigned width) const;
  void keep(unsigned stage, ir::Value point, const Cx& x) const;

  const Frame& f_;
  ir::Builder& b_;
  const TileSite& site_;
  const TileLoad& load_;
  const Input input_;
};

/// Points in scratch become the half spectrum that they stand for, or sums of cosines.
class LineStore {
 public:
  LineStore(const TileSite& site, const TileStore& store)
      : f_(site.f), b_(site.f.b), site_(site), store_(store), output_(site.f) {}
  void copy(unsigned stage) const;

 private:
  void copy_images(unsigned stage) const;
  void copy_images_of_columns(unsigned stage, std::uint64_t count) const;
  void copy_image(unsigned stage, ir::Value p, unsigned width) const;

  const Frame& f_;
  ir::Builder& b_;
  const TileSite& site_;
  const TileStore& store_;
  const Output output_;
};

}  // namespace imago::blocks
