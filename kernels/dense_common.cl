/* This file holds what the selection of a dense spectrum's largest coefficients shares. */

#define GROUP 256

/* |X|, without overflow; not a number where X is none. */
static inline float magnitude(complex_t x) { return (float)hypot(x.x, x.y); }
