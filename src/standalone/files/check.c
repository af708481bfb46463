/* Checks the exported transforms against their definition, in long double. Exit status 0 if all
   results are right. Names select transforms. */
#include "check.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;
typedef struct {
  real re, im;
} number;

enum { GUARD = 64, SAMPLES = 24 };
static const unsigned char kGuard = 0xa5;

static uint64_t state = 1;
static uint64_t random_bits(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 33;
}
/* Returns a number of [-1, 1) that each type but integers has exactly. */
static real random_number(void) { return (real)(random_bits() % 2048) / 1024 - 1; }

static void* allocate(size_t bytes) {
  void* memory = malloc(bytes > 0 ? bytes : 1);
  if (!memory) {
    printf("not enough memory\n");
    exit(1);
  }
  return memory;
}

static size_t bytes_of(int type) {
  static const size_t bytes[] = {2, 4, 8, 1, 1, 2, 2};
  return bytes[type];
}

static real half_to_real(uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const real size = exponent == 0 ? ldexpl(fraction, -24) : ldexpl(1024 + fraction, exponent - 25);
  return bits >> 15 ? -size : size;
}

static uint16_t real_to_half(real value) {
  int exponent = 0;
  const uint16_t sign = value < 0 ? 0x8000 : 0;
  real fraction = frexpl(fabsl(value), &exponent);
  if (fraction == 0) return sign;
  if (exponent < -13) return (uint16_t)(sign | (int)rintl(ldexpl(fraction, exponent + 24)));
  fraction = rintl(fraction * 2048);
  return (uint16_t)(sign + ((exponent + 14) << 10) + (int)fraction - 1024);
}

static real load(const unsigned char* memory, int type, size_t index) {
  const unsigned char* at = memory + index * bytes_of(type);
  float f;
  double d;
  uint16_t h;
  int16_t i;
  switch (type) {
    case IMAGO_F16:
      memcpy(&h, at, 2);
      return half_to_real(h);
    case IMAGO_F32:
      memcpy(&f, at, 4);
      return f;
    case IMAGO_F64:
      memcpy(&d, at, 8);
      return d;
    case IMAGO_I8:
      return (signed char)*at;
    case IMAGO_U8:
      return *at;
    case IMAGO_I16:
      memcpy(&i, at, 2);
      return i;
    default:
      memcpy(&h, at, 2);
      return h;
  }
}

static void store(unsigned char* memory, int type, size_t index, real value) {
  unsigned char* at = memory + index * bytes_of(type);
  const float f = (float)value;
  const double d = (double)value;
  uint16_t h = 0;
  switch (type) {
    case IMAGO_F16:
      h = real_to_half(value);
      memcpy(at, &h, 2);
      return;
    case IMAGO_F32:
      memcpy(at, &f, 4);
      return;
    case IMAGO_F64:
      memcpy(at, &d, 8);
      return;
    case IMAGO_I8:
    case IMAGO_U8:
      *at = (unsigned char)(int)value;
      return;
    default:
      h = (uint16_t)(int)value;
      memcpy(at, &h, 2);
  }
}

/* An array in memory between guards, of two parts if it is planar. */
typedef struct {
  unsigned char *part[2], *whole[2];
  size_t bytes;
} array;

static array make_array(const imago_side* side, size_t least) {
  array made = {{NULL, NULL}, {NULL, NULL}, 0};
  const size_t numbers = side->is_real || side->is_planar ? 1 : 2;
  made.bytes = side->end * numbers * bytes_of(side->type);
  if (made.bytes < least) made.bytes = least;
  for (int part = 0; part < (side->is_planar ? 2 : 1); ++part) {
    made.whole[part] = allocate(made.bytes + 2 * GUARD);
    memset(made.whole[part], kGuard, made.bytes + 2 * GUARD);
    made.part[part] = made.whole[part] + GUARD;
  }
  return made;
}

static int is_guarded(const array* a) {
  for (int part = 0; part < 2; ++part) {
    if (!a->whole[part]) continue;
    for (size_t i = 0; i < GUARD; ++i) {
      if (a->whole[part][i] != kGuard || a->whole[part][GUARD + a->bytes + i] != kGuard) return 0;
    }
  }
  return 1;
}

static void drop(array* a) {
  free(a->whole[0]);
  free(a->whole[1]);
}

static size_t elements(const imago_transform* t, const imago_side* side) {
  size_t count = 1;
  for (int axis = 0; axis < t->axes; ++axis) count *= side->lengths[axis];
  return count;
}

/* Returns the place of an element, which `index` numbers in row-major order. */
static size_t place(const imago_transform* t, const imago_side* side, size_t member, size_t index) {
  size_t at = side->offset + member * side->distance;
  for (int axis = t->axes - 1; axis >= 0; --axis) {
    at += index % side->lengths[axis] * side->strides[axis];
    index /= side->lengths[axis];
  }
  return at;
}

static number get(const array* a, const imago_side* side, size_t at) {
  number x = {0, 0};
  if (side->is_real) {
    x.re = load(a->part[0], side->type, at);
  } else if (side->is_planar) {
    x.re = load(a->part[0], side->type, at), x.im = load(a->part[1], side->type, at);
  } else {
    x.re = load(a->part[0], side->type, 2 * at), x.im = load(a->part[0], side->type, 2 * at + 1);
  }
  return x;
}

static void put(array* a, const imago_side* side, size_t at, number x) {
  if (side->is_real) {
    store(a->part[0], side->type, at, x.re);
  } else if (side->is_planar) {
    store(a->part[0], side->type, at, x.re), store(a->part[1], side->type, at, x.im);
  } else {
    store(a->part[0], side->type, 2 * at, x.re), store(a->part[0], side->type, 2 * at + 1, x.im);
  }
}

static number product(number a, number b) {
  const number c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return c;
}

/* Returns exp(-2 pi i turns / of). */
static number root(uint64_t turns, uint64_t of) {
  const real angle = 6.283185307179586476925286766559005768L * (real)(turns % of) / (real)of;
  const number w = {cosl(angle), -sinl(angle)};
  return w;
}

static int is_cosine(int kind) { return kind >= IMAGO_DCT1 && kind <= IMAGO_DST4; }

/* Returns the weight of input j in output k along an axis of n points. */
static number weight(int kind, uint64_t j, uint64_t k, uint64_t n) {
  number w = {0, 0};
  switch (kind) {
    case IMAGO_COMPLEX:
    case IMAGO_REAL:
      return root(j * k, n);
    case IMAGO_DCT1:
      w.re = (j == 0 || j == n - 1 ? 1 : 2) * root(j * k, 2 * (n - 1)).re;
      return w;
    case IMAGO_DCT2:
      w.re = 2 * root((2 * j + 1) * k, 4 * n).re;
      return w;
    case IMAGO_DCT3:
      w.re = (j == 0 ? 1 : 2) * root(j * (2 * k + 1), 4 * n).re;
      return w;
    case IMAGO_DCT4:
      w.re = 2 * root((2 * j + 1) * (2 * k + 1), 8 * n).re;
      return w;
    case IMAGO_DST1:
      w.re = -2 * root((j + 1) * (k + 1), 2 * (n + 1)).im;
      return w;
    case IMAGO_DST2:
      w.re = -2 * root((2 * j + 1) * (k + 1), 4 * n).im;
      return w;
    case IMAGO_DST3:
      w.re = -(j == n - 1 ? 1 : 2) * root((j + 1) * (2 * k + 1), 4 * n).im;
      return w;
    case IMAGO_DST4:
      w.re = -2 * root((2 * j + 1) * (2 * k + 1), 8 * n).im;
      return w;
    default:
      w.re = j == k ? 1 : 0;
      return w;
  }
}

/* Returns the factor of an orthogonal transform's end point: of inputs, or of results. */
static real end_factor(int kind, uint64_t index, uint64_t n, int of_result) {
  const real factor = of_result ? sqrtl(0.5L) : sqrtl(2);
  const int first = index == 0, last = index == n - 1;
  switch (kind) {
    case IMAGO_DCT1:
      return (first ? factor : 1) * (last ? factor : 1);
    case IMAGO_DCT2:
      return of_result && first ? factor : 1;
    case IMAGO_DCT3:
      return !of_result && first ? factor : 1;
    case IMAGO_DST2:
      return of_result && last ? factor : 1;
    case IMAGO_DST3:
      return !of_result && last ? factor : 1;
    default:
      return 1;
  }
}

static real ends(const imago_transform* t, size_t index, const size_t* lengths, int of_result) {
  real factor = 1;
  for (int axis = t->axes - 1; axis >= 0; --axis) {
    const size_t n = lengths[axis];
    if (t->orthogonal) factor *= end_factor(t->kinds[axis], index % n, n, of_result);
    index /= n;
  }
  return factor;
}

/* Returns one result of a transform, without its factor. */
static number transformed(const imago_transform* t, const number* x, size_t result) {
  size_t count = elements(t, &t->signal), rest = result;
  number *sums = allocate(count * sizeof *sums), sum;
  memcpy(sums, x, count * sizeof *sums);
  for (int axis = t->axes - 1; axis >= 0; --axis) {
    const size_t n = t->signal.lengths[axis], k = rest % t->spectrum.lengths[axis];
    number* weights = allocate(n * sizeof *weights);
    rest /= t->spectrum.lengths[axis];
    count /= n;
    for (size_t j = 0; j < n; ++j) weights[j] = weight(t->kinds[axis], j, k, n);
    for (size_t i = 0; i < count; ++i) {
      sum.re = sum.im = 0;
      for (size_t j = 0; j < n; ++j) {
        const number p = product(sums[i * n + j], weights[j]);
        sum.re += p.re, sum.im += p.im;
      }
      sums[i] = sum;
    }
    free(weights);
  }
  sum = sums[0];
  free(sums);
  return sum;
}

/* Factors of a hook or a response, as numbers and as an array for the transform. */
typedef struct {
  number* values;
  unsigned char* memory;
} factors;

static factors pack(const number* values, size_t count, int is_real, int type) {
  factors made;
  made.values = allocate(count * sizeof *made.values);
  made.memory = allocate(count * 2 * bytes_of(type));
  for (size_t i = 0; i < count; ++i) {
    if (is_real) {
      store(made.memory, type, i, values[i].re);
    } else {
      store(made.memory, type, 2 * i, values[i].re);
      store(made.memory, type, 2 * i + 1, values[i].im);
    }
    made.values[i] = values[i];
  }
  return made;
}

static factors random_factors(size_t count, int is_real, int type) {
  number* values = allocate(count * sizeof *values);
  factors made;
  for (size_t i = 0; i < count; ++i) {
    values[i].re = random_number();
    values[i].im = is_real ? 0 : random_number();
  }
  made = pack(values, count, is_real, type);
  free(values);
  return made;
}

static number hooked(const imago_transform* t, int hook, const factors* f, const imago_side* side,
                     int is_real, size_t index, number x) {
  number y = x;
  switch (hook) {
    case IMAGO_WINDOW:
      return product(x, f->values[index % side->lengths[t->axes - 1]]);
    case IMAGO_MULTIPLY:
      return product(x, f->values[index]);
    case IMAGO_CONJUGATE:
      y.im = -x.im;
      return y;
    case IMAGO_SCALE:
      return product(x, f->values[0]);
    case IMAGO_POWER:
      y.re = x.re * x.re + (is_real ? 0 : x.im * x.im);
      y.im = 0;
      return y;
    default:
      return y;
  }
}

/* Sums of squares of errors and of results. */
typedef struct {
  real error, size;
} sums;

static void compare(sums* s, number result, number expected) {
  const real re = result.re - expected.re, im = result.im - expected.im;
  s->error += re * re + im * im;
  s->size += expected.re * expected.re + expected.im * expected.im;
}

/* Returns a number of an array's bits, to compare compilers. */
static unsigned long bits_of(const array* a) {
  uint32_t hash = 2166136261u;
  for (int part = 0; part < 2; ++part) {
    for (size_t i = 0; a->part[part] && i < a->bytes; ++i)
      hash = (hash ^ a->part[part][i]) * 16777619u;
  }
  return hash;
}

static int report(const imago_transform* t, const char* direction, const sums* s, int guarded,
                  unsigned long bits) {
  const real error = s->size > 0 ? sqrtl(s->error / s->size) : sqrtl(s->error);
  const int right = error <= t->tolerance && guarded; /* false for NaN */
  printf("%s %s: relative error %.2Le, at most %.2e, bits %08lx%s%s\n", t->name, direction, error,
         t->tolerance, bits, guarded ? "" : ", memory outside of the arrays was written",
         right ? "" : ": WRONG");
  return right ? 0 : 1;
}

static void fill(const imago_transform* t, number* x, array* memory) {
  const size_t count = elements(t, &t->signal);
  const int type = t->signal.type;
  for (size_t member = 0; member < t->batch; ++member) {
    for (size_t i = 0; i < count; ++i) {
      number value = {random_number(), t->signal.is_real ? 0 : random_number()};
      if (type > IMAGO_F64) {
        const int is_byte = type == IMAGO_I8 || type == IMAGO_U8;
        const real size = is_byte ? 100 : 1000, least = type == IMAGO_U8 || type == IMAGO_U16;
        value.re = rintl(size * (value.re + least) / (1 + least));
        value.im = t->signal.is_real ? 0 : rintl(size * (value.im + least) / (1 + least));
      }
      x[member * count + i] = value;
      put(memory, &t->signal, place(t, &t->signal, member, i), value);
    }
  }
}

static size_t least_bytes(const imago_transform* t, const imago_side* side) {
  return t->in_place ? side->end * (side->is_real || side->is_planar ? 1 : 2) * bytes_of(side->type)
                     : 0;
}

/* Returns the factor of a transform and its inverse, both without scaling. */
static real divisor(const imago_transform* t) {
  real product = 1;
  for (int axis = 0; axis < t->axes; ++axis) {
    const real n = (real)t->signal.lengths[axis];
    const int kind = t->kinds[axis];
    product *= kind == IMAGO_IDENTITY ? 1
               : kind == IMAGO_DCT1   ? 2 * (n - 1)
               : kind == IMAGO_DST1   ? 2 * (n + 1)
               : is_cosine(kind)      ? 2 * n
                                      : n;
  }
  return product;
}

/* Checks a filter: a response of few taps is a sum of shifted signals. */
static int check_filter(const imago_transform* t, int index) {
  enum { TAPS = 5 };
  const size_t count = elements(t, &t->signal), responses = elements(t, &t->spectrum);
  number* x = allocate(t->batch * count * sizeof *x);
  number *response = allocate(responses * sizeof *response), taps[TAPS];
  size_t at[TAPS][IMAGO_AXES];
  array in = make_array(&t->signal, least_bytes(t, &t->spectrum));
  array out = t->in_place ? in : make_array(&t->signal, 0);
  const real factor = t->forward_scale * divisor(t);
  sums s = {0, 0};
  int failed;
  factors f;
  const void* pointers[1];
  fill(t, x, &in);
  for (int tap = 0; tap < TAPS; ++tap) {
    taps[tap].re = random_number();
    taps[tap].im = t->signal.is_real ? 0 : random_number();
    for (int axis = 0; axis < t->axes; ++axis)
      at[tap][axis] =
          t->kinds[axis] == IMAGO_IDENTITY ? 0 : random_bits() % t->signal.lengths[axis];
  }
  for (size_t i = 0; i < responses; ++i) {
    response[i].re = response[i].im = 0;
    for (int tap = 0; tap < TAPS; ++tap) {
      number w = taps[tap];
      size_t rest = i;
      for (int axis = t->axes - 1; axis >= 0; --axis) {
        const size_t n = t->spectrum.lengths[axis];
        w = product(w, root(rest % n * at[tap][axis], t->signal.lengths[axis]));
        rest /= n;
      }
      response[i].re += w.re, response[i].im += w.im;
    }
  }
  f = pack(response, responses, 0, t->type);
  pointers[0] = f.memory;
  failed = imago_run(index, 0, in.part[0], in.part[1], out.part[0], out.part[1], pointers, NULL);
  for (size_t member = 0; !failed && member < t->batch; ++member) {
    for (size_t i = 0; i < count; ++i) {
      number sum = {0, 0};
      for (int tap = 0; tap < TAPS; ++tap) {
        size_t rest = i, from = 0, step = 1;
        for (int axis = t->axes - 1; axis >= 0; --axis) {
          const size_t n = t->signal.lengths[axis];
          from += (rest % n + n - at[tap][axis]) % n * step;
          rest /= n, step *= n;
        }
        const number p = product(taps[tap], x[member * count + from]);
        sum.re += p.re, sum.im += p.im;
      }
      sum.re *= factor, sum.im *= factor;
      compare(&s, get(&out, &t->signal, place(t, &t->signal, member, i)), sum);
    }
  }
  failed = failed || report(t, "apply", &s, is_guarded(&in) && is_guarded(&out), bits_of(&out));
  drop(&in);
  if (!t->in_place) drop(&out);
  free(f.values), free(f.memory), free(response), free(x);
  return failed;
}

/* Compares some results of a forward transform with the definition. */
static sums compare_forward(const imago_transform* t, const number* x, const array* out,
                            const factors* f) {
  const size_t count = elements(t, &t->signal), results = elements(t, &t->spectrum);
  number* member_x = allocate(count * sizeof *member_x);
  sums s = {0, 0};
  for (int sample = 0; sample < SAMPLES; ++sample) {
    const size_t member = sample == 0 ? 0 : random_bits() % t->batch;
    const size_t result = sample == 0 ? 0 : sample == 1 ? results - 1 : random_bits() % results;
    number y;
    int is_real = 1;
    for (int axis = 0; axis < t->axes; ++axis)
      is_real = is_real && (is_cosine(t->kinds[axis]) || t->kinds[axis] == IMAGO_IDENTITY);
    for (size_t i = 0; i < count; ++i) {
      number value = x[member * count + i];
      const real factor = ends(t, i, t->signal.lengths, 0);
      for (int hook = 0; hook < IMAGO_HOOKS; ++hook)
        value = hooked(t, t->load[hook], &f[hook], &t->signal, t->signal.is_real, i, value);
      value.re *= factor, value.im *= factor;
      member_x[i] = value;
    }
    y = transformed(t, member_x, result);
    {
      const real factor = t->forward_scale * ends(t, result, t->spectrum.lengths, 1);
      y.re *= factor, y.im *= factor;
    }
    for (int hook = 0; hook < IMAGO_HOOKS; ++hook)
      y = hooked(t, t->store[hook], &f[IMAGO_HOOKS + hook], &t->spectrum, is_real, result, y);
    compare(&s, get(out, &t->spectrum, place(t, &t->spectrum, member, result)), y);
  }
  free(member_x);
  return s;
}

/* Compares the inverse of a forward transform with the signal. */
static sums compare_inverse(const imago_transform* t, const number* x, const array* back) {
  const size_t count = elements(t, &t->signal);
  const real factor = (real)t->forward_scale * t->inverse_scale * divisor(t);
  sums s = {0, 0};
  for (size_t member = 0; member < t->batch; ++member) {
    for (size_t i = 0; i < count; ++i) {
      number expected = x[member * count + i];
      expected.re *= factor, expected.im *= factor;
      compare(&s, get(back, &t->signal, place(t, &t->signal, member, i)), expected);
    }
  }
  return s;
}

static int check(const imago_transform* t, int index) {
  const size_t count = elements(t, &t->signal);
  number* x = allocate(t->batch * count * sizeof *x);
  factors f[2 * IMAGO_HOOKS];
  const void* pointers[2 * IMAGO_HOOKS];
  double numbers[2 * IMAGO_HOOKS];
  int used = 0, used_numbers = 0, failed = 0;
  array in = make_array(&t->signal, least_bytes(t, &t->spectrum));
  array out = t->in_place ? in : make_array(&t->spectrum, 0);
  memset(f, 0, sizeof f);
  for (int hook = 0; hook < 2 * IMAGO_HOOKS; ++hook) {
    const int is_store = hook >= IMAGO_HOOKS;
    const int what = is_store ? t->store[hook - IMAGO_HOOKS] : t->load[hook];
    const imago_side* side = is_store ? &t->spectrum : &t->signal;
    if (what == IMAGO_SCALE) {
      f[hook] = random_factors(1, 1, t->type);
      numbers[used_numbers++] = (double)f[hook].values[0].re;
    }
    if (what != IMAGO_WINDOW && what != IMAGO_MULTIPLY) continue;
    f[hook] = random_factors(what == IMAGO_WINDOW ? side->lengths[t->axes - 1] : elements(t, side),
                             what == IMAGO_WINDOW || side->is_real, t->type);
    pointers[used++] = f[hook].memory;
  }
  fill(t, x, &in);
  failed = imago_run(index, 0, in.part[0], in.part[1], out.part[0], out.part[1], pointers, numbers);
  if (!failed) {
    const sums s = compare_forward(t, x, &out, f);
    failed = report(t, "forward", &s, is_guarded(&in) && is_guarded(&out), bits_of(&out));
  }
  if (t->has_inverse && !failed) {
    array back = t->in_place ? out : make_array(&t->signal, 0);
    failed = imago_run(index, 1, out.part[0], out.part[1], back.part[0], back.part[1], pointers,
                       numbers);
    if (!failed) {
      const sums s = compare_inverse(t, x, &back);
      failed = report(t, "inverse", &s, is_guarded(&back) && is_guarded(&out), bits_of(&back));
    }
    if (!t->in_place) drop(&back);
  }
  drop(&in);
  if (!t->in_place) drop(&out);
  for (int hook = 0; hook < 2 * IMAGO_HOOKS; ++hook) free(f[hook].values), free(f[hook].memory);
  free(x);
  return failed;
}

int main(int argc, char** argv) {
  int failed = 0, checked = 0;
  if (imago_start() != 0) return 1;
  for (int index = 0; index < imago_transform_count; ++index) {
    const imago_transform* t = &imago_transforms[index];
    int wanted = argc < 2;
    for (int word = 1; word < argc; ++word) wanted = wanted || strcmp(argv[word], t->name) == 0;
    if (!wanted) continue;
    ++checked;
    if (t->is_filter ? check_filter(t, index) : check(t, index)) ++failed;
  }
  printf("%d of %d transforms are right\n", checked - failed, checked);
  return failed > 0 || checked == 0;
}
