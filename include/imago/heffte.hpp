// This file makes imago a backend of heFFTe 2.4, which transforms arrays that are distributed over
// the ranks of an MPI program: heffte::fft3d<heffte::backend::imago> and its relatives. It uses
// heFFTe's installed headers and library unchanged. <imago/imago.hpp> does not include it. See
// docs/scaling.md for its use, and for the cases in which several ranks are faster.
#pragma once

#include <string>
#include <type_traits>

#include <heffte.h>

#include <imago/heffte_backend.hpp>

namespace heffte {
namespace backend {

/// heFFTe's tag for imago on an OpenCL device, for arrays in host memory.
///
/// @code
/// heffte::fft3d<heffte::backend::imago> fft(inbox, outbox, MPI_COMM_WORLD);
/// fft.forward(signal.data(), spectrum.data());
/// @endcode
struct imago {};
struct imago_cos {};   ///< cosine transforms, DCT-II forward, DCT-III backward
struct imago_sin {};   ///< sine transforms, DST-II forward, DST-III backward
struct imago_cos1 {};  ///< DCT-I
struct imago_sin1 {};  ///< DST-I

template <>
struct is_enabled<imago> : std::true_type {};
template <>
struct is_enabled<imago_cos> : std::true_type {};
template <>
struct is_enabled<imago_sin> : std::true_type {};
template <>
struct is_enabled<imago_cos1> : std::true_type {};
template <>
struct is_enabled<imago_sin1> : std::true_type {};

template <>
struct uses_fft_types<imago_cos> : std::false_type {};
template <>
struct uses_fft_types<imago_sin> : std::false_type {};
template <>
struct uses_fft_types<imago_cos1> : std::false_type {};
template <>
struct uses_fft_types<imago_sin1> : std::false_type {};

template <>
inline std::string name<imago>() {
  return "imago";
}
template <>
inline std::string name<imago_cos>() {
  return "imago-cos-type-II";
}
template <>
inline std::string name<imago_sin>() {
  return "imago-sin-type-II";
}
template <>
inline std::string name<imago_cos1>() {
  return "imago-cos-type-I";
}
template <>
inline std::string name<imago_sin1>() {
  return "imago-sin-type-I";
}

}  // namespace backend

template <>
struct one_dim_backend<backend::imago> {
  using executor = ::imago::heffte_backend::detail::ComplexExecutor;
  using executor_r2c = ::imago::heffte_backend::detail::RealExecutor;
};
template <>
struct one_dim_backend<backend::imago_cos> {
  using executor = ::imago::heffte_backend::detail::CosineExecutor<::imago::Kind::dct2>;
  using executor_r2c = void;
};
template <>
struct one_dim_backend<backend::imago_sin> {
  using executor = ::imago::heffte_backend::detail::CosineExecutor<::imago::Kind::dst2>;
  using executor_r2c = void;
};
template <>
struct one_dim_backend<backend::imago_cos1> {
  using executor = ::imago::heffte_backend::detail::CosineExecutor<::imago::Kind::dct1>;
  using executor_r2c = void;
};
template <>
struct one_dim_backend<backend::imago_sin1> {
  using executor = ::imago::heffte_backend::detail::CosineExecutor<::imago::Kind::dst1>;
  using executor_r2c = void;
};

template <>
struct default_plan_options<backend::imago> {
  static const bool use_reorder = true;
};
template <>
struct default_plan_options<backend::imago_cos> : default_plan_options<backend::imago> {};
template <>
struct default_plan_options<backend::imago_sin> : default_plan_options<backend::imago> {};
template <>
struct default_plan_options<backend::imago_cos1> : default_plan_options<backend::imago> {};
template <>
struct default_plan_options<backend::imago_sin1> : default_plan_options<backend::imago> {};

}  // namespace heffte
