// This file names cosine and sine transforms for FFTW.
#pragma once

#include <fftw3.h>

#include <array>

#include <imago/transform.hpp>

namespace imago::bench {

/// Of dct1 to dst4.
inline fftw_r2r_kind fftw_kind(Kind kind) {
  constexpr std::array kKinds{FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11,
                              FFTW_RODFT00, FFTW_RODFT10, FFTW_RODFT01, FFTW_RODFT11};
  return kKinds.at(static_cast<std::size_t>(kind) - static_cast<std::size_t>(Kind::dct1));
}

}  // namespace imago::bench
