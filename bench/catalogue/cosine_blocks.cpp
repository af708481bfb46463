// This file holds cosine and sine transforms along several axes, and transforms that one kernel
// arranges in local memory.
#include "catalogue/cosine_blocks.hpp"

#include <array>

#include "catalogue/catalogue.hpp"

namespace imago::catalogue {
namespace {

constexpr std::array kMappings{Mapping::vector, Mapping::work_group};
constexpr std::array kDirections{Direction::forward, Direction::inverse};

/// Kinds that differ from axis to axis, odd lengths and batches, axes of one pass and of several,
/// gaps, neighbours on either side, complex data, in place.
constexpr std::array kArranged{
    "8x8*33-f32-in-forward-ortho-axes_C2C3-work_group",
    "8x8*16-f64-out-inverse-backward-axes_S2C3-work_group",
    "7x9*21-f32-in-forward-ortho-axes_S3S2-work_group",
    "16x64*5-f32-out-inverse-none-axes_C3S2-work_group",
    "64x24*4-f32-in-forward-ortho-axes_C2S3-work_group",
    "40x40*3-f32-out-inverse-forward-axes_S3S3-work_group",
    "6x10x14*3-f32-in-forward-none-axes_C3S2C2-work_group",
    "5x4x12*6-f64-out-forward-ortho-axes_S3C3C3-work_group",
    "4x6x8*3-f32-out-forward-none-axes_cC2C3-work_group",
    "2x10x33*3-f32-out-inverse-ortho-axes_cS2S3-s0+0:planar-work_group",
    "3x12x20*2-f32-in-forward-none-axes_iC2S3-work_group",
    "12x18*5-f32-out-forward-none-axes_C2C2-s1:18.1/220-t2:18.1/219-work_group",
    "8x8*9-f16-out-forward-ortho-axes_C3C2-work_group",
    "128x96*2-f32-in-forward-none-axes_C3C2-work_group",
    "16x16*1-f32-out-forward-none-dct3-work_group",
    "7*33-f32-in-forward-ortho-dct3-work_group",
    "64*40-f32-out-forward-none-dct3-s0:40/1-t0:40/1-work_group",
    "36*30-f32-out-inverse-ortho-dst2-s1:31/1-t0+3-work_group",
    "360*6-f64-in-forward-none-dst3-s1+1-work_group",
    "2x64*3-f32-out-forward-none-axes_cC3-work_group",
    "1024*5-f32-in-forward-ortho-dst3-work_group",
    "2000*3-f32-out-forward-none-dct3-work_group",
    "16384*2-f32-out-forward-none-dct3-work_group"};

/// Long axes whose kernels process columns in pairs: odd extents, few columns, three kernels, large
/// strides, complex data, in place.
constexpr std::array kLong{
    "9000*3-f32-in-forward-none-dst3-work_group-hierarchy-k45-k100",
    "3375*2-f32-out-inverse-ortho-dst2-work_group-hierarchy-k15-k15-k15",
    "3375*2-f32-in-forward-none-dct2-work_group-hierarchy-k15-k15-k15",
    "4096*3-f64-in-forward-none-dct2-work_group-hierarchy-k32:c2-k64:c6",
    "4096*3-f32-out-forward-ortho-dst3-work_group-hierarchy-k32:c6-k64:c2",
    "360x9*2-f32-out-forward-none-axes_C3i-work_group-hierarchy",
    "360x8*1-f32-in-inverse-none-axes_S2i-work_group-hierarchy",
    "4x1024*3-f32-out-forward-none-axes_cC3-s0+0:planar-work_group-hierarchy",
    "6x2048*2-f32-in-forward-ortho-axes_C2S2-work_group-hierarchy"};

/// Adds blocks of images and similar shapes.
void add_blocks(std::vector<Case>& cases) {
  for (const auto& lengths :
       std::vector<std::vector<std::uint64_t>>{{8, 8}, {16, 16}, {64, 64}, {5, 12}, {4, 8, 8}}) {
    for (const auto kind : {Kind::dct2, Kind::dct3}) {
      for (const auto mapping : kMappings) {
        Case block;
        block.lengths = lengths;
        block.batch = 65;
        block.kind = kind;
        block.norm = kind == Kind::dct2 ? Norm::ortho : Norm::backward;
        block.direction = kDirections[cases.size() / 2 % 2];
        block.placement = cases.size() % 4 < 2 ? Placement::out_of_place : Placement::in_place;
        block.parameters.mapping = mapping;
        cases.push_back(std::move(block));
      }
    }
  }
}

}  // namespace

std::vector<Case> cosine_blocks() {
  std::vector<Case> cases;
  add_blocks(cases);
  std::vector<const char*> names{kArranged.begin(), kArranged.end()};
  names.insert(names.end(), kLong.begin(), kLong.end());
  for (const char* name : names) {
    cases.push_back(parse(name));
  }
  return cases;
}

}  // namespace imago::catalogue
