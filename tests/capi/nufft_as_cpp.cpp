// This file compiles nufft.c with a C++ compiler.
#include "nufft.c"
