// This file is program.c for a C++ compiler.
#include "program.c"
