/* This file is a user's program in C; it also compiles as C++. It compares
   nonuniform transforms with direct sums, and checks the errors. It prints
   "all right", or what was wrong. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Shown in docs/c.md:
#include <stdio.h>

#include <imago/imago.h>

/* Computes 32 x 24 modes from complex strengths at points in the plane. */
static imago_status modes_of_points(const imago_nufft_points* points,
                                    const float* strengths, float* modes) {
  const size_t lengths[] = {32, 24};
  imago_nufft_transform transform = imago_nufft_of(2, lengths);
  transform.tolerance = 1e-5;

  imago_nufft_plan* plan = NULL;
  imago_status status = imago_nufft_create(&transform, NULL, &plan);
  if (status == IMAGO_SUCCESS)
    status = imago_nufft_set_points(plan, points, NULL);
  if (status == IMAGO_SUCCESS)
    status = imago_nufft_type1(plan, strengths, modes);
  if (status != IMAGO_SUCCESS) fprintf(stderr, "%s\n", imago_last_error());
  imago_nufft_destroy(plan);
  return status;
}
// Until here.

enum { most_points = 50, most_targets = 400, most_batch = 3 };
static const double turn = 6.283185307179586;

static int failures = 0;

static void check(int right, const char* what) {
  if (right) return;
  printf("FAILED: %s: %s\n", what, imago_last_error());
  ++failures;
}

/* Returns a number from -1 to 1. */
static double next_random(void) {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return (double)(state >> 8) / (1 << 23) - 1;
}

/* Points, and the frequencies of the modes or of type 3. */
typedef struct sums {
  imago_nufft_transform transform;
  size_t points, targets;
  double x[3][most_points], s[3][most_targets];
  /* Coordinates in arrays of the type of the transform. */
  uint64_t places[3][most_points], frequencies[3][most_targets];
} sums;

static int is_wide(const imago_nufft_transform* transform) {
  return transform->precision == IMAGO_F64;
}

/* Stores a coordinate in an array of the transform's type. Returns what was
   stored, in radians. */
static double store(const imago_nufft_transform* transform, void* array,
                    size_t i, double radians) {
  const double turns = radians / turn - floor(radians / turn);
  switch (transform->coordinates) {
    case IMAGO_FRACTIONS_I32:
      ((uint32_t*)array)[i] = (uint32_t)(turns * 4294967295.0);
      return ((uint32_t*)array)[i] / 4294967296.0 * turn;
    case IMAGO_FRACTIONS_I64:
      ((uint64_t*)array)[i] = (uint64_t)(turns * 4294967295.0) << 32;
      return (double)((uint64_t*)array)[i] / 18446744073709551616.0 * turn;
    case IMAGO_RADIANS_F64:
      return ((double*)array)[i] = radians;
    case IMAGO_RADIANS_F32:
      return ((float*)array)[i] = (float)radians;
    default:
      if (is_wide(transform)) return ((double*)array)[i] = radians;
      return ((float*)array)[i] = (float)radians;
  }
}

static void set_number(const imago_nufft_transform* transform, void* array,
                       size_t i, double value) {
  if (is_wide(transform))
    ((double*)array)[i] = value;
  else
    ((float*)array)[i] = (float)value;
}

static double number_of(const imago_nufft_transform* transform,
                        const void* array, size_t i) {
  return is_wide(transform) ? ((const double*)array)[i] : ((const float*)array)[i];
}

/* Sets the frequencies of the modes: the first axis is the slowest. */
static void set_modes(sums* all) {
  const imago_nufft_transform* const transform = &all->transform;
  all->targets = 1;
  for (size_t axis = 0; axis < transform->axes; ++axis)
    all->targets *= transform->modes[axis];
  size_t repeats = all->targets;
  for (size_t axis = 0; axis < transform->axes; ++axis) {
    const int n = (int)transform->modes[axis];
    repeats /= (size_t)n;
    for (size_t i = 0; i < all->targets; ++i) {
      const int k = (int)(i / repeats) % n;
      all->s[axis][i] = transform->order == IMAGO_CENTRED ? k - n / 2
                        : k < (n + 1) / 2                 ? k
                                                          : k - n;
    }
  }
}

/* Returns the square of the difference from the direct sums. Sums over points
   if `at_targets`, else over targets. */
static double squared_error(const sums* all, int at_targets, const void* from,
                            const void* to) {
  const imago_nufft_transform* const transform = &all->transform;
  const size_t inputs = at_targets ? all->points : all->targets,
               outputs = at_targets ? all->targets : all->points;
  const int sign = (transform->sign < 0 ? -1 : 1) * (at_targets ? 1 : -1);
  double sum = 0;
  for (size_t i = 0; i < outputs * transform->batch; ++i) {
    const size_t first = i / outputs * inputs;
    double re = -number_of(transform, to, 2 * i), im = -number_of(transform, to, 2 * i + 1);
    for (size_t j = 0; j < inputs; ++j) {
      const size_t point = at_targets ? j : i % outputs, target = at_targets ? i % outputs : j;
      double phase = 0;
      for (size_t axis = 0; axis < transform->axes; ++axis)
        phase += sign * all->s[axis][target] * all->x[axis][point];
      const double a = number_of(transform, from, 2 * (first + j)),
                   b = number_of(transform, from, 2 * (first + j) + 1);
      re += a * cos(phase) - b * sin(phase);
      im += a * sin(phase) + b * cos(phase);
    }
    sum += re * re + im * im;
  }
  return sum;
}

typedef imago_status (*compute)(const imago_nufft_plan*, const void*, void*);

/* Compares one call with direct sums. */
static void check_call(const sums* all, const imago_nufft_plan* plan, compute call,
                       int at_targets, const char* name) {
  const imago_nufft_transform* const transform = &all->transform;
  const size_t inputs = at_targets ? all->points : all->targets,
               outputs = at_targets ? all->targets : all->points;
  static double from[2 * most_batch * most_targets], to[2 * most_batch * most_targets];
  double squares = 0;
  for (size_t i = 0; i < 2 * inputs * transform->batch; ++i) {
    set_number(transform, from, i, next_random());
    squares += pow(number_of(transform, from, i), 2);
  }
  check(call(plan, from, to) == IMAGO_SUCCESS, name);
  const double error = sqrt(squared_error(all, at_targets, from, to) / ((double)outputs * squares));
  if (!(error <= transform->tolerance)) printf("the error is %.2e\n", error);
  check(error <= transform->tolerance, name);
}

static void check_sums(sums* all) {
  imago_nufft_transform* const transform = &all->transform;
  const int is_type3 = transform->types == IMAGO_TYPE_3;
  all->points = most_points;
  imago_nufft_points points = {all->points, {NULL}, NULL},
                     frequencies = {most_targets, {NULL}, NULL};
  for (size_t axis = 0; axis < transform->axes; ++axis) {
    points.coordinates[axis] = all->places[axis];
    frequencies.coordinates[axis] = all->frequencies[axis];
    for (size_t j = 0; j < all->points; ++j)
      all->x[axis][j] = store(transform, all->places[axis], j, 4 * next_random());
    for (size_t i = 0; is_type3 && i < most_targets; ++i)
      all->s[axis][i] = store(transform, all->frequencies[axis], i, 9 * next_random());
  }
  if (is_type3)
    all->targets = most_targets;
  else
    set_modes(all);
  imago_nufft_plan* plan = NULL;
  check(imago_nufft_create(transform, NULL, &plan) == IMAGO_SUCCESS, "a plan");
  check(imago_nufft_set_points(plan, &points, is_type3 ? &frequencies : NULL) == IMAGO_SUCCESS,
        "points");
  memset(all->places, -1, sizeof all->places); /* the plan has copies */
  memset(all->frequencies, -1, sizeof all->frequencies);
  const int both = transform->types == IMAGO_TYPES_1_AND_2;
  if (both || transform->types == IMAGO_TYPE_1)
    check_call(all, plan, imago_nufft_type1, 1, "type 1");
  if (both || transform->types == IMAGO_TYPE_2)
    check_call(all, plan, imago_nufft_type2, 0, "type 2");
  if (is_type3) check_call(all, plan, imago_nufft_type3, 1, "type 3");
  imago_nufft_destroy(plan);
}

static void check_all_sums(void) {
  static const struct {
    size_t axes, modes[3];
    double tolerance;
    imago_precision precision;
    size_t batch;
    int sign;
    imago_coordinates coordinates;
    imago_mode_order order;
    imago_nufft_types types;
  } cases[] = {
      {1, {31}, 1e-4, IMAGO_F32, 1, 0, IMAGO_RADIANS, IMAGO_CENTRED, IMAGO_TYPES_1_AND_2},
      {2, {20, 9}, 1e-10, IMAGO_F64, 3, -1, IMAGO_RADIANS, IMAGO_CENTRED, IMAGO_TYPES_1_AND_2},
      {3, {5, 8, 6}, 1e-4, IMAGO_F32, 2, -1, IMAGO_FRACTIONS_I32, IMAGO_FREQUENCY_0_FIRST,
       IMAGO_TYPES_1_AND_2},
      {1, {40}, 1e-8, IMAGO_F64, 1, 1, IMAGO_FRACTIONS_I64, IMAGO_FREQUENCY_0_FIRST, IMAGO_TYPE_1},
      {1, {40}, 1e-4, IMAGO_F32, 1, 1, IMAGO_RADIANS_F64, IMAGO_CENTRED, IMAGO_TYPE_2},
      {2, {7, 7}, 1e-5, IMAGO_F64, 1, 1, IMAGO_RADIANS_F32, IMAGO_CENTRED, IMAGO_TYPES_1_AND_2},
      {1, {0}, 1e-4, IMAGO_F32, 2, 1, IMAGO_RADIANS, IMAGO_CENTRED, IMAGO_TYPE_3},
      {2, {0}, 1e-9, IMAGO_F64, 1, -1, IMAGO_RADIANS, IMAGO_CENTRED, IMAGO_TYPE_3}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    static sums all;
    all.transform =
        imago_nufft_of(cases[i].axes, cases[i].types == IMAGO_TYPE_3 ? NULL : cases[i].modes);
    all.transform.tolerance = cases[i].tolerance;
    all.transform.precision = cases[i].precision;
    all.transform.batch = cases[i].batch;
    all.transform.sign = cases[i].sign;
    all.transform.coordinates = cases[i].coordinates;
    all.transform.order = cases[i].order;
    all.transform.types = cases[i].types;
    const int before = failures;
    check_sums(&all);
    if (failures > before) printf("in case %d\n", (int)i);
  }
}

static void check_example(void) {
  const float y[] = {1, 2}, x[] = {-3, 0.5f}, strengths[] = {1, 0, 0, 0};
  const imago_nufft_points points = {2, {y, x}, NULL};
  static float modes[2 * 32 * 24];
  check(modes_of_points(&points, strengths, modes) == IMAGO_SUCCESS, "the example runs");
  const float* const mode = modes + 2 * ((16 + 5) * 24 + 12 - 7); /* 5 y - 7 x */
  check(fabs(mode[0] - cos(5.0 + 21.0)) < 1e-3 && fabs(mode[1] - sin(5.0 + 21.0)) < 1e-3,
        "a mode of the example");
}

static void check_error(imago_status got, imago_status expected, const char* text) {
  check(got == expected, text);
  check(strstr(imago_last_error(), text) != NULL, text);
}

static void check_wrong_transforms(void) {
  const size_t modes[] = {8, 8};
  const imago_nufft_transform right = imago_nufft_of(2, modes);
  imago_nufft_plan* plan = NULL;
  check_error(imago_nufft_create(NULL, NULL, &plan), IMAGO_INVALID_ARGUMENT,
              "nufft_transform is null");
  check_error(imago_nufft_create(&right, NULL, NULL), IMAGO_INVALID_ARGUMENT, "plan is null");
#define CHECK_WRONG(field, value, status, text)                         \
  do {                                                                  \
    imago_nufft_transform wrong = right;                                \
    wrong.field = value;                                                \
    plan = (imago_nufft_plan*)(void*)&wrong;                            \
    check_error(imago_nufft_create(&wrong, NULL, &plan), status, text); \
    check(plan == NULL, "no plan");                                     \
  } while (0)
  CHECK_WRONG(size, 8, IMAGO_INVALID_ARGUMENT, "nufft_transform.size is 8");
  CHECK_WRONG(size, 0, IMAGO_INVALID_ARGUMENT, "sizeof(imago_nufft_transform)");
  CHECK_WRONG(axes, 0, IMAGO_INVALID_ARGUMENT, "axes is 0");
  CHECK_WRONG(axes, (size_t)-1, IMAGO_INVALID_ARGUMENT, "it must be from 1 to 3");
  CHECK_WRONG(modes, NULL, IMAGO_INVALID_ARGUMENT, "modes is null");
  CHECK_WRONG(types, IMAGO_TYPE_3, IMAGO_INVALID_ARGUMENT, "type 3 has no modes");
  CHECK_WRONG(types, (imago_nufft_types)4, IMAGO_INVALID_ARGUMENT, "types is 4");
  CHECK_WRONG(promise, (imago_nufft_promise)2, IMAGO_INVALID_ARGUMENT, "1 (each_value)");
  CHECK_WRONG(order, (imago_mode_order)2, IMAGO_INVALID_ARGUMENT, "1 (frequency 0 first)");
  CHECK_WRONG(coordinates, (imago_coordinates)5, IMAGO_INVALID_ARGUMENT, "coordinates is 5");
  CHECK_WRONG(sign, 2, IMAGO_INVALID_ARGUMENT, "sign is 2");
  CHECK_WRONG(tolerance, -1, IMAGO_INVALID_ARGUMENT, "tolerance is -1");
  CHECK_WRONG(tolerance, 1e-12, IMAGO_UNSUPPORTED, "tolerance");
  CHECK_WRONG(precision, IMAGO_F16, IMAGO_UNSUPPORTED, "no f16");
#undef CHECK_WRONG
  imago_options options = imago_default_options();
  options.device = "no such device";
  check_error(imago_nufft_create(&right, &options, &plan), IMAGO_INVALID_ARGUMENT,
              "no such device");
  options = imago_default_options();
  options.memory_limit = 1;
  check_error(imago_nufft_create(&right, &options, &plan), IMAGO_UNSUPPORTED,
              "options.memory_limit");
  imago_nufft_destroy(NULL);
}

/* Members with points of their own have the modes of a plan for each. */
static void check_points_per_member(void) {
  enum { n = 6, members = 3, all = 5 };
  const size_t modes[] = {n}, counts[members] = {2, 0, 3}, few[members] = {2, 1, 1};
  const float x[all] = {0.5f, -1, 2, 3, -2}, strengths[2 * all] = {1, 0, 0, 1, 2, 1, -1, 3, 1, 1};
  float to[2 * n * members], own[2 * n];
  const imago_nufft_points points = {all, {x}, counts}, wrong = {all, {x}, few},
                           none = {all, {x}, NULL};
  imago_nufft_transform transform = imago_nufft_of(1, modes);
  imago_nufft_plan *plan = NULL, *single = NULL;
  check(imago_nufft_create(&transform, NULL, &single) == IMAGO_SUCCESS, "a plan of one member");
  transform.batch = members;
  transform.points_per_member = 1;
  check(imago_nufft_create(&transform, NULL, &plan) == IMAGO_SUCCESS, "a plan of members");
  check_error(imago_nufft_set_points(plan, &none, NULL), IMAGO_INVALID_ARGUMENT,
              "points.counts is null");
  check_error(imago_nufft_set_points(plan, &wrong, NULL), IMAGO_INVALID_ARGUMENT,
              "it must be the sum of counts");
  check(imago_nufft_set_points(plan, &points, NULL) == IMAGO_SUCCESS, "points of members");
  check(imago_nufft_type1(plan, strengths, to) == IMAGO_SUCCESS, "modes of members");
  for (size_t member = 0, first = 0; member < members; first += counts[member++]) {
    const imago_nufft_points of_one = {counts[member], {x + first}, NULL};
    check(imago_nufft_set_points(single, &of_one, NULL) == IMAGO_SUCCESS, "points of a member");
    check(imago_nufft_type1(single, strengths + 2 * first, own) == IMAGO_SUCCESS,
          "modes of a member");
    for (size_t i = 0; i < 2 * n; ++i)
      check(fabs(to[2 * n * member + i] - own[i]) < 1e-4, "the modes of each member");
  }
  imago_nufft_destroy(plan);
  imago_nufft_destroy(single);
}

static void check_wrong_points(imago_nufft_plan* plan, imago_nufft_plan* type3) {
  float x[] = {0, 1, 2}, bad[] = {0, NAN, 0};
  const imago_nufft_points points = {2, {x}, NULL}, none = {2, {NULL}, NULL},
                           far = {2, {bad}, NULL}, many = {(size_t)-1, {x}, NULL},
                           odd = {2, {(char*)x + 1}, NULL};
  check_error(imago_nufft_set_points(NULL, &points, NULL), IMAGO_INVALID_ARGUMENT, "plan is null");
  check_error(imago_nufft_set_points(plan, NULL, NULL), IMAGO_INVALID_ARGUMENT, "points is null");
  check_error(imago_nufft_set_points(plan, &none, NULL), IMAGO_INVALID_ARGUMENT,
              "points.coordinates[0] is null");
  check_error(imago_nufft_set_points(plan, &odd, NULL), IMAGO_INVALID_ARGUMENT,
              "must be a multiple of 4 bytes");
  check_error(imago_nufft_set_points(plan, &many, NULL), IMAGO_UNSUPPORTED, "less than 2^31");
  check_error(imago_nufft_set_points(plan, &points, &points), IMAGO_INVALID_ARGUMENT, "types");
  check_error(imago_nufft_set_points(type3, &points, NULL), IMAGO_INVALID_ARGUMENT,
              "frequencies is null");
  check_error(imago_nufft_set_points(type3, &points, &none), IMAGO_INVALID_ARGUMENT,
              "frequencies.coordinates[0] is null");
  check_error(imago_nufft_set_points(plan, &far, NULL), IMAGO_INVALID_ARGUMENT, "not finite");
}

static void check_wrong_calls(void) {
  const size_t modes[] = {6};
  imago_nufft_transform transform = imago_nufft_of(1, modes);
  imago_nufft_plan *plan = NULL, *type3 = NULL;
  check(imago_nufft_create(&transform, NULL, &plan) == IMAGO_SUCCESS, "a plan");
  transform = imago_nufft_of(1, NULL);
  transform.types = IMAGO_TYPE_3;
  check(imago_nufft_create(&transform, NULL, &type3) == IMAGO_SUCCESS, "a plan of type 3");
  float x[] = {0, 1}, from[14] = {0}, to[12];
  const imago_nufft_points points = {2, {x}, NULL}, empty = {0, {NULL}, NULL};
  check_error(imago_nufft_type1(NULL, from, to), IMAGO_INVALID_ARGUMENT, "plan is null");
  check_error(imago_nufft_type1(plan, from, to), IMAGO_INVALID_ARGUMENT, "set_points()");
  check(imago_nufft_set_points(plan, &points, NULL) == IMAGO_SUCCESS, "points");
  check_error(imago_nufft_type1(plan, NULL, to), IMAGO_INVALID_ARGUMENT, "strengths is null");
  check_error(imago_nufft_type2(plan, from, NULL), IMAGO_INVALID_ARGUMENT, "values is null");
  check_error(imago_nufft_type2(plan, (char*)from + 1, to), IMAGO_INVALID_ARGUMENT,
              "must be a multiple of 4 bytes");
  check_error(imago_nufft_type1(plan, from, from), IMAGO_INVALID_ARGUMENT,
              "the distance of strengths and modes is 0");
  check_error(imago_nufft_type3(plan, from, to), IMAGO_INVALID_ARGUMENT, "types");
  check_wrong_points(plan, type3);
  check_error(imago_nufft_type1(plan, from, to), IMAGO_INVALID_ARGUMENT, "set_points()");
  check(imago_nufft_set_points(plan, &empty, NULL) == IMAGO_SUCCESS, "no points");
  to[0] = to[11] = 1;
  check(imago_nufft_type1(plan, NULL, to) == IMAGO_SUCCESS, "type 1 of no points");
  check(to[0] == 0 && to[11] == 0, "modes are 0 then");
  imago_nufft_destroy(plan);
  imago_nufft_destroy(type3);
}

int main(void) {
  check_example();
  check_points_per_member();
  check_all_sums();
  check_wrong_transforms();
  check_wrong_calls();
  if (failures == 0) puts("all right");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
