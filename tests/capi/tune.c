/* This file is a user's program in C; it also compiles as C++. It measures a
   transform by tune.h, in a temporary folder, and checks the result and the
   errors. It prints "all right", or what was wrong. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

// Shown in docs/c.md:
#include <stdio.h>

#include <imago/tune.h>

/* Measures 100 transforms of 60 points for 3 seconds. */
static imago_status measure(imago_tuned* tuned) {
  const size_t lengths[] = {60};
  imago_transform transform = imago_transform_of(1, lengths);
  transform.batch = 100;

  const imago_status status = imago_tune(&transform, NULL, 3, tuned);
  if (status != IMAGO_SUCCESS)
    fprintf(stderr, "%s\n", imago_tune_error());
  else if (tuned->stored)
    printf("%.2f times as fast\n", tuned->gain);
  return status;
}
// Until here.

static int failures = 0;

static void check(int right, const char* what) {
  if (right) return;
  printf("FAILED: %s: %s\n", what, imago_tune_error());
  ++failures;
}

static void check_error(imago_status got, imago_status expected, const char* text) {
  check(got == expected, text);
  check(strstr(imago_tune_error(), text) != NULL, text);
  check(strcmp(imago_last_error(), "") == 0, "imago's own message is another one");
}

static void check_errors(void) {
  const size_t lengths[] = {60};
  const imago_transform transform = imago_transform_of(1, lengths);
  check(strcmp(imago_tune_error(), "") == 0, "no message before an error");
  check_error(imago_tune(NULL, NULL, 1, NULL), IMAGO_INVALID_ARGUMENT, "transform is null");
  check_error(imago_tune(&transform, NULL, 0, NULL), IMAGO_INVALID_ARGUMENT, "seconds is 0");

  imago_transform unknown = transform;
  unknown.kind = (imago_kind)11;
  imago_tuned tuned = imago_untuned();
  tuned.stored = 1;
  check_error(imago_tune(&unknown, NULL, 1, &tuned), IMAGO_INVALID_ARGUMENT, "kind is 11");
  check(tuned.stored == 0, "nothing was stored");
  imago_transform apart = transform;
  apart.batch = 2;
  apart.signal.distance = 100;
  check_error(imago_tune(&apart, NULL, 1, NULL), IMAGO_INVALID_ARGUMENT, "not packed");

  imago_options options = imago_default_options();
  options.device = "no such device";
  check_error(imago_tune(&transform, &options, 1, NULL), IMAGO_INVALID_ARGUMENT, "no such device");
  options.size = 8;
  check_error(imago_tune(&transform, &options, 1, NULL), IMAGO_INVALID_ARGUMENT,
              "options.size is 8");
  tuned.size = 8;
  check_error(imago_tune(&transform, NULL, 1, &tuned), IMAGO_INVALID_ARGUMENT,
              "it must be at least sizeof(imago_tuned)");
}

/* Results of later versions are longer; their other fields are not touched. */
static void check_later_version(void) {
  struct {
    imago_tuned tuned;
    double other;
  } later;
  memset(&later, 0, sizeof later);
  later.tuned.size = sizeof later;
  const size_t lengths[] = {60};
  imago_transform transform = imago_transform_of(1, lengths);
  check(imago_tune(&transform, NULL, 1e-3, &later.tuned) == IMAGO_SUCCESS, "a later version");
  check(later.tuned.size == sizeof later && later.other == 0, "its other fields are untouched");
  later.other = 1;
  check_error(imago_tune(&transform, NULL, 1, &later.tuned), IMAGO_UNSUPPORTED, "does not know");
}

/* Returns the number of tuning files of a folder, and removes the folder. */
static int remove_folder(const char* folder) {
  int tuning_files = 0;
  DIR* const files = opendir(folder);
  if (files == NULL || chdir(folder) != 0) return 0;
  for (const struct dirent* file = readdir(files); file != NULL; file = readdir(files)) {
    const size_t length = strlen(file->d_name);
    tuning_files += length > 5 && strcmp(file->d_name + length - 5, ".json") == 0;
    if (file->d_name[0] != '.') unlink(file->d_name);
  }
  closedir(files);
  check(rmdir(folder) == 0, "the folder has nothing else");
  return tuning_files;
}

int main(void) {
  char folder[] = "/tmp/imago-tune-XXXXXX";
  if (mkdtemp(folder) == NULL || setenv("IMAGO_PROFILE_DIR", folder, 1) != 0) return EXIT_FAILURE;
  check_errors();
  check_later_version();
  imago_tuned tuned = imago_untuned();
  /* On a busy machine the time may be too short for a result, or for a second candidate. */
  for (int i = 0; i < 10 && (!tuned.stored || tuned.tried < 2); ++i)
    check(measure(&tuned) == IMAGO_SUCCESS, "it measures");
  check(tuned.size == sizeof tuned && tuned.stored == 1, "it stores");
  check(tuned.seconds > 0 && tuned.gain >= 1 && tuned.tried > 1, "the fastest of several");
  check(remove_folder(folder) == 1, "the tuning file is in the folder");
  if (failures == 0) puts("all right");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
