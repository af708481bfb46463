/* This file holds what the selection of a dense spectrum's largest coefficients shares. */

#define GROUP 256

/* |X|, without overflow; not a number where X is none, and 0 for 0 alone. */
static inline float magnitude(complex_t x) { return float_of(hypot(x.x, x.y)); }
