// This file tests the reader and writer of .npy files, and the files that they reject.
#include "formats/npy.hpp"

#include <complex>
#include <cstdint>
#include <string>

#include "fixtures.hpp"
#include "support/catch.hpp"

namespace imago::formats {
namespace {

using test::ContainsSubstring;
using test::npy_with;
using test::raw;

std::string header(const std::string& descr, const std::string& shape,
                   const std::string& order = "False") {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

TEST_CASE("every dtype is read and becomes complex") {
  const auto check = [](const std::string& descr, const std::string& data,
                        std::complex<double> second) {
    const std::string bytes = npy_with(header(descr, "(2,)"), data);
    const Npy array = parse_npy(bytes);
    CHECK(array.shape == std::vector<std::size_t>{2});
    CHECK(to_complex<double>(array).at(1) == second);
    CHECK(to_complex<float>(array).at(1) == std::complex<float>(second));
  };
  check("<i2", raw<std::int16_t>(5) + raw<std::int16_t>(-300), -300);
  check("<f2", raw<std::uint16_t>(0x3c00) + raw<std::uint16_t>(0xc100), -2.5);
  check("<f4", raw(1.f) + raw(-2.5f), -2.5);
  check("<f8", raw(1.) + raw(0.125), 0.125);
  check("<c8", raw(1.f) + raw(2.f) + raw(3.f) + raw(-4.f), {3, -4});
  check("<c16", raw(1.) + raw(2.) + raw(3.) + raw(-4.), {3, -4});
}

TEST_CASE("integers of every width, truth values and big-endian numbers are read") {
  const auto check = [](const std::string& descr, const std::string& data,
                        std::complex<double> second) {
    const std::string bytes = npy_with(header(descr, "(2,)"), data);
    CAPTURE(descr);
    CHECK(to_complex<double>(parse_npy(bytes)).at(1) == second);
    CHECK(to_complex<float>(parse_npy(bytes)).at(1) == std::complex<float>(second));
  };
  check("|i1", "\1\xfd", -3);
  check("|u1", "\1\xfd", 253);
  check("|b1", "\1\2", 1);
  check("<u2", raw<std::uint16_t>(5) + raw<std::uint16_t>(65000), 65000);
  check("<i4", raw<std::int32_t>(5) + raw<std::int32_t>(-1 << 30), -(1 << 30));
  check("<u4", raw<std::uint32_t>(5) + raw<std::uint32_t>(3u << 30), 3u << 30);
  check("<i8", raw<std::int64_t>(5) + raw<std::int64_t>(-(1LL << 60)), -0x1p60);
  check("<u8", raw<std::uint64_t>(5) + raw<std::uint64_t>(3ULL << 62), 0x3p62);
  check(">i2", std::string("\0\1\xff\xfe", 4), -2);
  check(">f4", std::string("\0\0\0\0\xc0\x20\0\0", 8), -2.5);
  check(">c8", std::string(8, '\0') + std::string("\x40\x40\0\0\xc0\x80\0\0", 8), {3, -4});
  for (const char* descr : {"<i4", "<u4", "<i8", "<u8", ">f8", "<c16"})
    CHECK(is_double(parse_npy(npy_with(header(descr, "(0,)"), "")).dtype));
  for (const char* descr : {"|i1", "|u1", "|b1", "<i2", ">u2", "<f2", "<f4", "<c8"})
    CHECK(!is_double(parse_npy(npy_with(header(descr, "(0,)"), "")).dtype));
}

TEST_CASE("arrays in Fortran order become C order, also in parts") {
  std::string data;
  for (int i = 0; i < 24; ++i) data += raw(static_cast<float>(i));
  const std::string bytes = npy_with(header("<f4", "(2, 3, 4)", "True"), data);
  const Npy array = parse_npy(bytes);
  CHECK(array.fortran);
  std::vector<double> wanted;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 4; ++k) wanted.push_back(i + 2 * j + 6 * k);
  std::vector<double> numbers(24);
  NpyReader<double> reader(array, true, numbers.data());
  for (std::size_t at = 0; at < data.size(); at += 20) {
    std::string part = data.substr(at, 20);
    reader.take(part);
  }
  CHECK(numbers == wanted);
  const auto values = to_complex<double>(array);
  for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(values[i] == wanted[i]);
  CHECK(!parse_npy(npy_with(header("<f4", "(24,)", "True"), data)).fortran);
  CHECK_THROWS_WITH(
      as_complex32(parse_npy(npy_with(header("<f2", "(12, 2)", "True"), data.substr(0, 48)))),
      ContainsSubstring("Fortran order"));
}

TEST_CASE("complex halves are float16 with an axis of their parts") {
  std::string data;
  for (const std::uint16_t half : {0x3c00, 0x4000, 0x4200, 0xc400}) data += raw(half);
  const std::string file = npy_with(header("<f2", "(1, 2, 2)"), data);
  const Npy array = as_complex32(parse_npy(file));
  CHECK(array.shape == std::vector<std::size_t>{1, 2});
  CHECK(array.size() == 2);
  CHECK(is_complex(array.dtype));
  CHECK(to_complex<float>(array) == std::vector<std::complex<float>>{{1, 2}, {3, -4}});
  CHECK_THROWS_WITH(as_complex32(parse_npy(npy_with(header("<f2", "(4, 1)"), data))),
                    ContainsSubstring("float16 of shape (4, 1)"));
  CHECK_THROWS_WITH(as_complex32(parse_npy(npy_with(header("<i2", "(2, 2)"), data))),
                    ContainsSubstring("is int16"));
  CHECK_THROWS_WITH(parse_npy(npy_with(header("<c4", "(2,)"), data)), ContainsSubstring("'<c4'"));
}

TEST_CASE("a header that was written is read back, aligned as NumPy does it") {
  const std::vector<std::vector<std::size_t>> shapes{{7}, {2, 3}, {2, 1, 5}};
  for (const auto& shape : shapes) {
    const std::string head = npy_header(Dtype::complex64, shape);
    CHECK(head.size() % 64 == 0);
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    const std::string bytes = head + std::string(count * 8, '\0');
    const Npy array = parse_npy(bytes);
    CHECK(array.dtype == Dtype::complex64);
    CHECK(array.shape == shape);
    CHECK(array.size() == count);
  }
  CHECK_THAT(npy_header(Dtype::complex128, {7}), ContainsSubstring("'shape': (7,), }"));
}

TEST_CASE("order, quotes and spaces of the header do not matter, and versions 2 and 3 are read") {
  const std::string data = raw(1.f) + raw(2.f);
  const std::string free =
      "  {\"shape\" : ( 1 , 2 ) ,'fortran_order':False,  'descr':\"<f4\"}   \n";
  CHECK(parse_npy(npy_with(free, data)).shape == std::vector<std::size_t>{1, 2});
  for (const char version : {'\2', '\3'}) {
    const std::string text = header("<f4", "(2,)");
    const std::string bytes = std::string("\x93NUMPY") + version + '\0' +
                              raw(static_cast<std::uint32_t>(text.size())) + text + data;
    CHECK(parse_npy(bytes).size() == 2);
  }
}

TEST_CASE("the first of several arrays is read, and numbers of Python 2, and 64 dimensions") {
  const std::string one = npy_with(header("<f4", "(1,)"), raw(3.f));
  const std::string both = one + one;
  const Npy array = parse_npy(both);
  CHECK(array.bytes == 4);
  CHECK(array.unread == one.size());
  CHECK(to_complex<float>(array) == std::vector<std::complex<float>>{3});
  CHECK(parse_npy(one).unread == 0);
  CHECK(parse_npy(npy_with(header("<f4", "(1L, 2L)"), std::string(8, '\0'))).shape ==
        std::vector<std::size_t>{1, 2});
  std::string ones = "1";
  for (int i = 1; i < 64; ++i) ones += ", 1";
  CHECK(parse_npy(npy_with(header("<f4", "(" + ones + ")"), raw(3.f))).shape.size() == 64);
  CHECK_THROWS_WITH(parse_npy(npy_with(header("<f4", "(" + ones + ", 1)"), raw(3.f))),
                    ContainsSubstring("more than 64 dimensions"));
}

TEST_CASE("a .npy that cannot be used is refused with the reason") {
  const std::string four(4, '\0');
  const auto refuses = [](const std::string& bytes, const std::string& reason) {
    INFO(bytes);
    CHECK_THROWS_WITH(parse_npy(bytes), ContainsSubstring(reason));
  };
  refuses("", "not a .npy file");
  refuses("\x93NUMPY", "truncated inside the .npy header");
  refuses(std::string("\x93NUMPY\1\0\x50", 9), "truncated inside the .npy header");
  refuses(std::string("\x93NUMPY\1\0\x50\0{'descr'", 18), "truncated inside the .npy header");
  refuses(std::string("\x93NUMPY\4\0\0\0", 10), "version 4");
  refuses(npy_with(header("<f4", "(2,)"), four),
          "is truncated: shape (2,) of float32 needs 8 bytes");
  refuses(npy_with(header("=f4", "(1,)"), four), "dtype '=f4'");
  refuses(npy_with(header("|f4", "(1,)"), four), "dtype '|f4'");
  refuses(npy_with(header("", "(1,)"), four), "dtype ''");
  refuses(npy_with(header("<f16", "(1,)"), four),
          "known are bool, int8, uint8, int16, uint16, int32, uint32, int64, uint64, float16, "
          "float32, float64, complex64, complex128");
  refuses(npy_with("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}", four),
          "structure");
  refuses(npy_with(header("<f4", "(4294967296, 4294967296)"), four), "more than 64 bits can count");
  refuses(npy_with(header("<f4", "(4611686018427387904,)"), four), "more than 64 bits can count");
  refuses(npy_with(header("<f4", "(99999999999999999999,)"), four), "too large");
  refuses(npy_with(header("<f4", "(-1,)"), four), "not a number");
  refuses(npy_with(header("<f4", "(1 2)"), four), "expected , or )");
  refuses(npy_with(header("<f4", "(1"), four), "not a number");
  refuses(npy_with(header("<f4", "(1,)", "Maybe"), four), "neither True nor False");
  refuses(npy_with("{'descr': '<f4', 'shape': (1,)}", four), "must have descr");
  refuses(npy_with("{'descr': '<f4', 'descr': '<f4'}", four), "unexpected key 'descr'");
  refuses(npy_with("{'descr': '<f4", four), "not closed");
  refuses(npy_with("{'descr' '<f4'}", four), "expected :");
  refuses(npy_with(header("<f4", "(1,)") + "x", four), "after the closing brace");
  refuses(npy_with("garbage", four), "expected {");
}

}  // namespace
}  // namespace imago::formats
