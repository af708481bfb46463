// This file refuses flags that give std::vector and std::string another layout than in the library.
// Such a program would link, and read wrong values.
#pragma once

#include <version>

// The layout as a number, which CMake and pkg-config pass for the library (IMAGO_STANDARD_LIBRARY,
// cmake/ImagoStandardLibrary.cmake): 10 to 13 for libstdc++, 20 for libc++, 0 for others, whose
// linker compares layouts itself.
#if defined(_GLIBCXX_RELEASE) && defined(_GLIBCXX_DEBUG) && _GLIBCXX_USE_CXX11_ABI
#define IMAGO_USERS_STANDARD_LIBRARY 13
#elif defined(_GLIBCXX_RELEASE) && defined(_GLIBCXX_DEBUG)
#define IMAGO_USERS_STANDARD_LIBRARY 12
#elif defined(_GLIBCXX_RELEASE) && _GLIBCXX_USE_CXX11_ABI
#define IMAGO_USERS_STANDARD_LIBRARY 11
#elif defined(_GLIBCXX_RELEASE)
#define IMAGO_USERS_STANDARD_LIBRARY 10
#elif defined(_LIBCPP_VERSION)
#define IMAGO_USERS_STANDARD_LIBRARY 20
#else
#define IMAGO_USERS_STANDARD_LIBRARY 0
#endif

#if defined(IMAGO_STANDARD_LIBRARY)
#if IMAGO_STANDARD_LIBRARY != IMAGO_USERS_STANDARD_LIBRARY
#error \
    "std::vector and std::string have other layouts than in the imago library, by _GLIBCXX_DEBUG, _GLIBCXX_USE_CXX11_ABI or -stdlib: use its flags, or build imago with yours (docs/install.md)"
#endif
#elif IMAGO_USERS_STANDARD_LIBRARY == 10 || IMAGO_USERS_STANDARD_LIBRARY == 12 || \
    IMAGO_USERS_STANDARD_LIBRARY == 13
#error \
    "std::vector and std::string have other layouts by _GLIBCXX_DEBUG or _GLIBCXX_USE_CXX11_ABI=0: leave these out, or build imago with them and find it by CMake or pkg-config (docs/install.md)"
#endif
