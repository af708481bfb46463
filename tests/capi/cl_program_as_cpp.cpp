// This file compiles cl_program.c with a C++ compiler.
#include "cl_program.c"
