// This file compiles tune.c with a C++ compiler.
#include "tune.c"
