// This file reads and writes .npy files. The header is a Python dictionary. The parser accepts only
// the entries that NumPy writes, in any order and spacing.
#include "formats/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "base/half.hpp"

namespace imago::formats {
namespace {

static_assert(std::endian::native == std::endian::little,
              "numbers are copied as they lie in files");

constexpr std::size_t kMaxDimensions = 64;  // NumPy's own limit, since version 2

struct DtypeInfo {
  Dtype dtype;
  const char* code;  ///< the code after the byte order
  const char* name;
  std::size_t bytes;
  std::size_t part;  ///< bytes of a number
};
constexpr std::array<DtypeInfo, 15> kDtypes{{{Dtype::boolean, "b1", "bool", 1, 1},
                                             {Dtype::int8, "i1", "int8", 1, 1},
                                             {Dtype::uint8, "u1", "uint8", 1, 1},
                                             {Dtype::int16, "i2", "int16", 2, 2},
                                             {Dtype::uint16, "u2", "uint16", 2, 2},
                                             {Dtype::int32, "i4", "int32", 4, 4},
                                             {Dtype::uint32, "u4", "uint32", 4, 4},
                                             {Dtype::int64, "i8", "int64", 8, 8},
                                             {Dtype::uint64, "u8", "uint64", 8, 8},
                                             {Dtype::float16, "f2", "float16", 2, 2},
                                             {Dtype::float32, "f4", "float32", 4, 4},
                                             {Dtype::float64, "f8", "float64", 8, 8},
                                             {Dtype::complex32, "c4", "complex32", 4, 2},
                                             {Dtype::complex64, "c8", "complex64", 8, 4},
                                             {Dtype::complex128, "c16", "complex128", 16, 8}}};

const DtypeInfo& info(Dtype dtype) { return kDtypes[static_cast<std::size_t>(dtype)]; }

[[noreturn]] void damaged(const std::string& what) {
  throw FormatError("the .npy header is damaged: " + what);
}

/// The entries of the dictionary.
struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::size_t>> shape;
};

class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  Header parse() {
    Header header;
    expect('{');
    while (!accept('}')) {
      const std::string key = quoted();
      expect(':');
      if (key == "descr" && !header.descr)
        header.descr = descr();
      else if (key == "fortran_order" && !header.fortran_order)
        header.fortran_order = boolean();
      else if (key == "shape" && !header.shape)
        header.shape = tuple();
      else
        damaged("unexpected key '" + key + "'");
      if (!accept(',') && peek() != '}') damaged("expected , or } after '" + key + "'");
    }
    if (peek() != '\0') damaged("text after the closing brace");
    return header;
  }

 private:
  /// Returns the next character that is not white space; 0 at the end.
  char peek() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n' || text_[0] == '\t')) {
      text_.remove_prefix(1);
    }
    return text_.empty() ? '\0' : text_[0];
  }
  bool accept(char c) {
    if (peek() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) damaged(std::string("expected ") + c);
  }
  std::string quoted() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') damaged("expected a quoted word");
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) damaged("a quote is not closed");
    const std::string word(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return word;
  }
  std::string descr() {
    if (peek() == '[') throw FormatError("the dtype is a structure; save one field of it");
    return quoted();
  }
  bool boolean() {
    peek();
    for (const bool value : {true, false}) {
      const std::string_view word = value ? "True" : "False";
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(word.size());
      return value;
    }
    damaged("fortran_order is neither True nor False");
  }
  std::vector<std::size_t> tuple() {
    std::vector<std::size_t> values;
    expect('(');
    while (!accept(')')) {
      if (values.size() == kMaxDimensions) damaged("shape has more than 64 dimensions");
      values.push_back(number());
      if (!accept(',') && peek() != ')') damaged("expected , or ) in shape");
    }
    return values;
  }
  std::size_t number() {
    peek();
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) damaged("a number in shape is too large");
    if (error != std::errc()) damaged("shape holds something that is not a number");
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    if (text_.starts_with('L')) text_.remove_prefix(1);  // Python 2's long integers
    return value;
  }

  std::string_view text_;
};

/// Returns the header's text; leaves the data in `bytes`.
std::string_view split_header(std::string_view& bytes) {
  if (!bytes.starts_with(kNpyMagic)) throw FormatError("is not a .npy file");
  bytes.remove_prefix(kNpyMagic.size());
  if (bytes.size() < 2) throw FormatError("is truncated inside the .npy header");
  const int version = bytes[0];
  if (version < 1 || version > 3) {
    throw FormatError("has .npy version " + std::to_string(version) +
                      "; imago reads versions 1 to 3");
  }
  const std::size_t width = version == 1 ? 2 : 4;
  if (bytes.size() < 2 + width) throw FormatError("is truncated inside the .npy header");
  std::uint32_t length = 0;
  std::memcpy(&length, bytes.data() + 2, width);
  bytes.remove_prefix(2 + width);
  if (bytes.size() < length) throw FormatError("is truncated inside the .npy header");
  const std::string_view text = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return text;
}

/// Returns the type of for example "<f4": byte order, then code. Single bytes have no order.
const DtypeInfo& info(const std::string& descr) {
  const bool ordered = !descr.empty() && (descr[0] == '<' || descr[0] == '>');
  const bool unordered = !descr.empty() && descr[0] == '|';
  std::string known;
  for (const auto& each : kDtypes) {
    if (each.dtype == Dtype::complex32) continue;
    const bool order = ordered || (unordered && each.bytes == 1);
    if (order && descr.substr(1) == each.code) return each;
    known += std::string(known.empty() ? "" : ", ") + each.name;
  }
  throw FormatError("has dtype '" + descr + "'; known are " + known +
                    " (in NumPy: array.astype(\"complex64\"))");
}

/// Returns the bytes of an array; nullopt if they exceed 64 bits.
std::optional<std::size_t> array_bytes(const std::vector<std::size_t>& shape, std::size_t item) {
  std::size_t total = item;
  for (const std::size_t extent : shape) {
    if (extent != 0 && total > std::numeric_limits<std::size_t>::max() / extent) return {};
    total *= extent;
  }
  return total;
}

/// The bits of a float16.
struct Half {
  std::uint16_t bits;
  explicit operator float() const { return base::from_half(bits); }
  explicit operator double() const { return base::from_half(bits); }
};
/// A Boolean; values other than 0 are true.
struct Boolean {
  std::uint8_t byte;
  explicit operator float() const { return byte != 0; }
  explicit operator double() const { return byte != 0; }
};
struct ComplexHalf {
  Half re, im;
  Half real() const { return re; }
  Half imag() const { return im; }
};

template <class Item, class Real>
void convert(std::string_view data, bool real, Real* to) {
  for (std::size_t at = 0; at + sizeof(Item) <= data.size(); at += sizeof(Item)) {
    Item item;
    std::memcpy(&item, data.data() + at, sizeof item);
    if constexpr (requires { item.real(); }) {
      *to++ = static_cast<Real>(item.real());
      if (!real) *to++ = static_cast<Real>(item.imag());
    } else {
      *to++ = static_cast<Real>(item);
      if (!real) *to++ = 0;
    }
  }
}

template <class Real>
void to_numbers(Dtype dtype, std::string_view data, bool real, Real* numbers) {
  using Convert = void (*)(std::string_view, bool, Real*);
  constexpr std::array<Convert, kDtypes.size()> kConverts{// in the order of the types
                                                          convert<Boolean>,
                                                          convert<std::int8_t>,
                                                          convert<std::uint8_t>,
                                                          convert<std::int16_t>,
                                                          convert<std::uint16_t>,
                                                          convert<std::int32_t>,
                                                          convert<std::uint32_t>,
                                                          convert<std::int64_t>,
                                                          convert<std::uint64_t>,
                                                          convert<Half>,
                                                          convert<float>,
                                                          convert<double>,
                                                          convert<ComplexHalf>,
                                                          convert<std::complex<float>>,
                                                          convert<std::complex<double>>};
  kConverts[static_cast<std::size_t>(dtype)](data, real, numbers);
}

}  // namespace

std::size_t item_bytes(Dtype dtype) { return info(dtype).bytes; }
std::string name(Dtype dtype) { return info(dtype).name; }

std::string tuple_text(const std::vector<std::size_t>& shape) {
  std::string text = "(";
  for (const std::size_t extent : shape) text += std::to_string(extent) + ", ";
  if (shape.size() > 1) text.resize(text.size() - 2);
  if (shape.size() == 1) text.pop_back();
  return text + ")";
}

Npy parse_npy(std::string_view bytes) { return parse_npy(bytes, bytes.size()); }

Npy parse_npy(std::string_view head, std::size_t size) {
  std::string_view bytes = head;
  const Header header = HeaderParser(split_header(bytes)).parse();
  if (!header.descr || !header.fortran_order || !header.shape) {
    damaged("it must have descr, fortran_order and shape");
  }
  const std::size_t offset = head.size() - bytes.size();
  const DtypeInfo& dtype = info(*header.descr);
  Npy array{dtype.dtype, *header.shape, offset, size - offset, bytes};
  array.swapped = header.descr->front() == '>' && dtype.part > 1;
  array.fortran = *header.fortran_order && array.shape.size() > 1;
  const auto expected = array_bytes(array.shape, item_bytes(array.dtype));
  const std::string shape = "shape " + tuple_text(array.shape);
  if (!expected) throw FormatError("has " + shape + ", which is more than 64 bits can count");
  if (array.bytes < *expected)
    throw FormatError("is truncated: " + shape + " of " + name(array.dtype) + " needs " +
                      std::to_string(*expected) + " bytes of data, the file has " +
                      std::to_string(array.bytes));
  array.unread = array.bytes - *expected;
  array.bytes = *expected;
  return array;
}

Npy as_complex32(Npy array) {
  if (array.dtype != Dtype::float16 || array.shape.empty() || array.shape.back() != 2)
    throw FormatError("is " + name(array.dtype) + " of shape " + tuple_text(array.shape) +
                      "; complex float16 needs float16 with a last axis of 2");
  if (array.fortran)
    throw FormatError(
        "is in Fortran order; complex float16 needs C order (numpy.ascontiguousarray)");
  array.dtype = Dtype::complex32;
  array.shape.pop_back();
  return array;
}

template <class Real>
NpyReader<Real>::NpyReader(const Npy& array, bool real, Real* numbers)
    : dtype_(array.dtype),
      swapped_(array.swapped),
      fortran_(array.fortran),
      parts_(real ? 1 : 2),
      numbers_(numbers),
      shape_(array.shape),
      strides_(array.shape.size(), 1),
      index_(array.shape.size(), 0) {
  for (std::size_t axis = shape_.size(); axis-- > 1;)
    strides_[axis - 1] = strides_[axis] * shape_[axis];
}

template <class Real>
void NpyReader<Real>::take(std::string& part) {
  const std::size_t count = part.size() / info(dtype_).bytes, width = info(dtype_).part;
  for (std::size_t at = 0; swapped_ && at + width <= part.size(); at += width)
    std::reverse(part.data() + at, part.data() + at + width);
  if (!fortran_) {
    to_numbers(dtype_, part, parts_ == 1, numbers_);
    numbers_ += count * parts_;
    return;
  }
  chunk_.resize(count * parts_);
  to_numbers(dtype_, part, parts_ == 1, chunk_.data());
  for (std::size_t i = 0; i < count; ++i)
    std::copy_n(chunk_.data() + i * parts_, parts_, numbers_ + next_place() * parts_);
}

template <class Real>
std::size_t NpyReader<Real>::next_place() {
  const std::size_t place = place_;
  for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
    place_ += strides_[axis];
    if (++index_[axis] < shape_[axis]) break;
    place_ -= strides_[axis] * shape_[axis];
    index_[axis] = 0;
  }
  return place;
}

template class NpyReader<float>;
template class NpyReader<double>;

template <class Real>
std::vector<std::complex<Real>> to_complex(const Npy& array) {
  std::vector<std::complex<Real>> values(array.size());
  std::string data(array.data.substr(0, array.bytes));
  NpyReader<Real>(array, false, reinterpret_cast<Real*>(values.data())).take(data);
  return values;
}
template std::vector<std::complex<float>> to_complex(const Npy&);
template std::vector<std::complex<double>> to_complex(const Npy&);

std::string npy_header(Dtype dtype, const std::vector<std::size_t>& shape) {
  std::string text = std::string("{'descr': '<") + info(dtype).code +
                     "', 'fortran_order': False, 'shape': " + tuple_text(shape) + ", }";
  const std::size_t before = kNpyMagic.size() + 4;
  while ((before + text.size() + 1) % 64 != 0) text += ' ';  // NumPy aligns the data
  text += '\n';
  std::string header(kNpyMagic);
  header +=
      {'\1', '\0', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header + text;
}

}  // namespace imago::formats
