// This file implements the functions of dct.hpp.
#include <imago/dct.hpp>

#include "host/one_call.hpp"

namespace imago {
namespace {

using host::Family;
using host::Function;

constexpr Function kDct{Family::cosine, false, false};
constexpr Function kIdct{Family::cosine, true, false};
constexpr Function kDctn{Family::cosine, false, true};
constexpr Function kIdctn{Family::cosine, true, true};
constexpr Function kDst{Family::sine, false, false};
constexpr Function kIdst{Family::sine, true, false};
constexpr Function kDstn{Family::sine, false, true};
constexpr Function kIdstn{Family::sine, true, true};

}  // namespace

std::vector<float> dct(std::span<const float> signal, const DctOptions& options) {
  return host::made<float>(kDct, signal, options);
}
std::vector<double> dct(std::span<const double> signal, const DctOptions& options) {
  return host::made<double>(kDct, signal, options);
}
void dct(std::span<const float> signal, std::span<float> spectrum, const DctOptions& options) {
  host::into(kDct, signal, spectrum, options);
}
void dct(std::span<const double> signal, std::span<double> spectrum, const DctOptions& options) {
  host::into(kDct, signal, spectrum, options);
}

std::vector<float> idct(std::span<const float> spectrum, const DctOptions& options) {
  return host::made<float>(kIdct, spectrum, options);
}
std::vector<double> idct(std::span<const double> spectrum, const DctOptions& options) {
  return host::made<double>(kIdct, spectrum, options);
}
void idct(std::span<const float> spectrum, std::span<float> signal, const DctOptions& options) {
  host::into(kIdct, spectrum, signal, options);
}
void idct(std::span<const double> spectrum, std::span<double> signal, const DctOptions& options) {
  host::into(kIdct, spectrum, signal, options);
}

std::vector<float> dctn(std::span<const float> signal, const DctOptions& options) {
  return host::made<float>(kDctn, signal, options);
}
std::vector<double> dctn(std::span<const double> signal, const DctOptions& options) {
  return host::made<double>(kDctn, signal, options);
}
void dctn(std::span<const float> signal, std::span<float> spectrum, const DctOptions& options) {
  host::into(kDctn, signal, spectrum, options);
}
void dctn(std::span<const double> signal, std::span<double> spectrum, const DctOptions& options) {
  host::into(kDctn, signal, spectrum, options);
}

std::vector<float> idctn(std::span<const float> spectrum, const DctOptions& options) {
  return host::made<float>(kIdctn, spectrum, options);
}
std::vector<double> idctn(std::span<const double> spectrum, const DctOptions& options) {
  return host::made<double>(kIdctn, spectrum, options);
}
void idctn(std::span<const float> spectrum, std::span<float> signal, const DctOptions& options) {
  host::into(kIdctn, spectrum, signal, options);
}
void idctn(std::span<const double> spectrum, std::span<double> signal, const DctOptions& options) {
  host::into(kIdctn, spectrum, signal, options);
}

std::vector<float> dst(std::span<const float> signal, const DctOptions& options) {
  return host::made<float>(kDst, signal, options);
}
std::vector<double> dst(std::span<const double> signal, const DctOptions& options) {
  return host::made<double>(kDst, signal, options);
}
void dst(std::span<const float> signal, std::span<float> spectrum, const DctOptions& options) {
  host::into(kDst, signal, spectrum, options);
}
void dst(std::span<const double> signal, std::span<double> spectrum, const DctOptions& options) {
  host::into(kDst, signal, spectrum, options);
}

std::vector<float> idst(std::span<const float> spectrum, const DctOptions& options) {
  return host::made<float>(kIdst, spectrum, options);
}
std::vector<double> idst(std::span<const double> spectrum, const DctOptions& options) {
  return host::made<double>(kIdst, spectrum, options);
}
void idst(std::span<const float> spectrum, std::span<float> signal, const DctOptions& options) {
  host::into(kIdst, spectrum, signal, options);
}
void idst(std::span<const double> spectrum, std::span<double> signal, const DctOptions& options) {
  host::into(kIdst, spectrum, signal, options);
}

std::vector<float> dstn(std::span<const float> signal, const DctOptions& options) {
  return host::made<float>(kDstn, signal, options);
}
std::vector<double> dstn(std::span<const double> signal, const DctOptions& options) {
  return host::made<double>(kDstn, signal, options);
}
void dstn(std::span<const float> signal, std::span<float> spectrum, const DctOptions& options) {
  host::into(kDstn, signal, spectrum, options);
}
void dstn(std::span<const double> signal, std::span<double> spectrum, const DctOptions& options) {
  host::into(kDstn, signal, spectrum, options);
}

std::vector<float> idstn(std::span<const float> spectrum, const DctOptions& options) {
  return host::made<float>(kIdstn, spectrum, options);
}
std::vector<double> idstn(std::span<const double> spectrum, const DctOptions& options) {
  return host::made<double>(kIdstn, spectrum, options);
}
void idstn(std::span<const float> spectrum, std::span<float> signal, const DctOptions& options) {
  host::into(kIdstn, spectrum, signal, options);
}
void idstn(std::span<const double> spectrum, std::span<double> signal, const DctOptions& options) {
  host::into(kIdstn, spectrum, signal, options);
}

}  // namespace imago
