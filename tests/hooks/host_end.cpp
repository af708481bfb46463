// This file implements the ends of a transform in host memory.
#include "hooks/host_end.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <variant>

#include "base/half.hpp"

namespace imago::test {
namespace {

template <class Real>
Real read(const std::vector<std::byte>& bytes, std::size_t number) {
  Real value;
  std::memcpy(&value, bytes.data() + number * sizeof value, sizeof value);
  return value;
}

template <class Real>
void write(std::vector<std::byte>& bytes, std::size_t number, Real value) {
  std::memcpy(bytes.data() + number * sizeof value, &value, sizeof value);
}

}  // namespace

/// Returns the lower corner of the box next to memory.
std::vector<std::size_t> box_corner(const std::vector<Hook>& hooks, std::size_t dims, bool store) {
  std::vector<std::size_t> begin(dims, 0);
  for (const Hook& hook : hooks) {
    if (std::holds_alternative<hook::Shift>(hook) || std::holds_alternative<hook::Roll>(hook)) {
      if (!store) break;
      begin.assign(dims, 0);
    }
    if (const auto* box = std::get_if<hook::ZeroOutside>(&hook))
      begin[box->axis] = std::max(begin[box->axis], box->begin);
  }
  return begin;
}

HostEnd::HostEnd(const problem::Problem& p, bool inverse, bool store)
    : side_(p.side(inverse, store)), memory_(p.memory(inverse, store)), batch_(p.batch) {
  if (p.hooked[inverse][store]) integers_ = p.hooked[inverse][store]->integers;
  precision_ = p.precision;
  numbers_ = memory_.real ? 1 : 2;
  planar_ = memory_.storage == Storage::planar;
}

std::size_t HostEnd::number_bytes() const {
  if (!integers_) return precision_ == Precision::f64 ? 8 : precision_ == Precision::f32 ? 4 : 2;
  return *integers_ == Integer::i8 || *integers_ == Integer::u8 ? 1 : 2;
}

double HostEnd::get(const std::vector<std::byte>& bytes, std::size_t number) const {
  if (!integers_ && precision_ == Precision::f64) return read<double>(bytes, number);
  if (!integers_ && precision_ == Precision::f32) return read<float>(bytes, number);
  if (!integers_) return base::from_half(read<std::uint16_t>(bytes, number));
  switch (*integers_) {
    case Integer::i8:
      return read<std::int8_t>(bytes, number);
    case Integer::u8:
      return read<std::uint8_t>(bytes, number);
    case Integer::i16:
      return read<std::int16_t>(bytes, number);
    case Integer::u16:
      break;
  }
  return read<std::uint16_t>(bytes, number);
}

void HostEnd::put(std::vector<std::byte>& bytes, std::size_t number, double value) const {
  if (precision_ == Precision::f64) return write(bytes, number, value);
  const auto narrow = static_cast<float>(value);
  if (precision_ == Precision::f32) return write(bytes, number, narrow);
  write(bytes, number, base::to_half(narrow));
}

double HostEnd::stored(double value) const {
  if (!integers_) return value;
  const double values = number_bytes() == 1 ? 256 : 65536;
  const bool with_sign = *integers_ == Integer::i8 || *integers_ == Integer::i16;
  const double least = with_sign ? -values / 2 : 0;
  return std::nearbyint(std::min(std::max(value, least), least + values - 1));
}

}  // namespace imago::test
