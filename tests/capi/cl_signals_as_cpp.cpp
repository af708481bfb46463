// This file compiles cl_signals.c with a C++ compiler.
#include "cl_signals.c"
