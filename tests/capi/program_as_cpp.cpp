// This file compiles program.c with a C++ compiler.
#include "program.c"
