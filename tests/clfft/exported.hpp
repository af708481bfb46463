// This file finds functions of the clFFT library that this process has loaded.
#pragma once

namespace imago::test::clfft {

/// Returns a function that the library exports; null if there is none.
void* exported(const char* name);

}  // namespace imago::test::clfft
