/* This file declares the tables of generated functions. The generator includes it, too. */
#ifndef IMAGO_SMALL_GENERATED_H
#define IMAGO_SMALL_GENERATED_H

/* A generated function by its name. The last entry of a table has no name. */
struct imago_small_function {
  const char* name;
  void (*address)(void);
};

#endif
