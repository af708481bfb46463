/* This program replaces check.c of exported transforms. It prints their hashes as imago_bits does,
   with the same inputs: exported_bits.py compares them with recorded ones. */
#include "check.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* Writes pseudo-random number i of bits.cpp; returns its bytes. */
static size_t put(int type, uint64_t seed, uint64_t i, unsigned char* at) {
  const uint64_t random = mixed(mixed(seed) + i);
  const double f64 =
      (double)((int64_t)(random >> 11) - ((int64_t)1 << 52)) / (double)((int64_t)1 << 52);
  const float f32 = (float)((int32_t)(random >> 40) - (1 << 23)) / (float)(1 << 23);
  const uint16_t f16 = (uint16_t)((random & 0x83ff) | ((10 + (random >> 20) % 5) << 10));
  if (type == IMAGO_F64) return memcpy(at, &f64, sizeof f64), sizeof f64;
  if (type == IMAGO_F32) return memcpy(at, &f32, sizeof f32), sizeof f32;
  return memcpy(at, &f16, sizeof f16), sizeof f16;
}

static size_t numbers_of(const imago_side* side) { return side->end * (side->is_real ? 1 : 2); }

int main(void) {
  if (imago_start() != 0) return 1;
  for (int index = 0; index < imago_transform_count; ++index) {
    const imago_transform* t = &imago_transforms[index];
    uint64_t hash = 0xcbf29ce484222325u;
    for (int inverse = 0; inverse < 2; ++inverse) {
      const imago_side *from = inverse ? &t->spectrum : &t->signal,
                       *to = inverse ? &t->signal : &t->spectrum;
      unsigned char *in = calloc(numbers_of(from), 8), *out = calloc(numbers_of(to), 8), *at = in;
      size_t bytes = 0;
      if (!in || !out) return 1;
      for (size_t i = 0; i < numbers_of(from); ++i, at += bytes)
        bytes = put(from->type, (uint64_t)inverse, i, at);
      if (imago_run(index, inverse, in, NULL, out, NULL, NULL, NULL) != 0) return 1;
      for (size_t i = 0; i < numbers_of(to) * bytes; ++i) hash = (hash ^ out[i]) * 0x100000001b3u;
      free(in), free(out);
    }
    printf("%016llx %s\n", (unsigned long long)hash, t->name);
  }
  return 0;
}
