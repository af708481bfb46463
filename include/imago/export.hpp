// This file defines IMAGO_API, which marks what the shared library exports. Everything else is
// hidden.
#pragma once

#if defined(IMAGO_STATIC)
#define IMAGO_API
#elif defined(_WIN32)
#if defined(IMAGO_BUILDING)
#define IMAGO_API __declspec(dllexport)
#else
#define IMAGO_API __declspec(dllimport)
#endif
#else
#define IMAGO_API __attribute__((visibility("default")))
#endif
