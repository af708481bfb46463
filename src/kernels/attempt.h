/* This file defines the argument that an attempt of the phase method passes to its kernels by
   value, and the layout of its state's words. It is C, compiled both into the library and into the
   kernels. */

enum {
  IMAGO_HASHES = 3,
  IMAGO_MAX_SHIFTS = 16,
  IMAGO_CHECK_GROUPS = 128, /* most groups that check random samples */
  IMAGO_CHECK_WORDS = 4,    /* words of each such group in the state */
  IMAGO_LEAST_CHECKS = 256, /* least samples of all groups */
  IMAGO_MOST_CHECKS = 4096,
  IMAGO_CHECK_SHARE = 8, /* at most one of this many samples is checked */
  /* Tones computed for the check (samples times tones) up to which more samples are checked, and
     the least samples for any number of tones. */
  IMAGO_CHECK_VALUES_CPU = 131072,
  IMAGO_LEAST_CHECKS_CPU = 1024,
  IMAGO_CHECK_VALUES_GPU = 262144,
  IMAGO_LEAST_CHECKS_GPU = 256,
  IMAGO_BINS = 256, /* bins of the histogram of the buckets' energies: 4 per octave */
  IMAGO_MAX_ROUNDS = 64,
  IMAGO_FIRST_ROUND = 2 /* first round of peeling; round 1 adopts the tones of earlier attempts */
};

/* Words at the start of the state: results that the host reads, followed by the tones. */
enum {
  IMAGO_PEAK = 0,                                    /* largest energy of a bucket, a float */
  IMAGO_WORST = 1,                                   /* largest remaining energy, a float */
  IMAGO_CREATED = 2,                                 /* per round: number of new tones */
  IMAGO_EVENTS = IMAGO_CREATED + IMAGO_MAX_ROUNDS,   /* per round: 1 if anything was found */
  IMAGO_HISTOGRAM = IMAGO_EVENTS + IMAGO_MAX_ROUNDS, /* histogram of the remaining energies */
  IMAGO_CHECKED = IMAGO_HISTOGRAM + IMAGO_BINS,      /* number of checked samples */
  IMAGO_CHECK = IMAGO_CHECKED + 1, /* per group: energy of the errors and of the signal, largest
                                      part of a sample, largest energy of an error; floats */
  IMAGO_TONES = IMAGO_CHECK + IMAGO_CHECK_WORDS * IMAGO_CHECK_GROUPS /* per tone: its frequency, 0,
                                                                        and its amplitude */
};

typedef struct {
  ulong length;    /* n */
  ulong fraction;  /* floor((2^64 - 1) / n): multiplied by a frequency, a phase in 2^-64 turns */
  ulong remainder; /* 2^64 - n * fraction */
  ulong signal_offset; /* elements before the signal */
  ulong check_seed;
  uint log_length; /* for a power of two */
  uint log_buckets;
  uint shifts;
  uint capacity;  /* tones */
  uint log_slots; /* size of the hash table */
  uint adopted;   /* tones of earlier attempts */
  uint exponents[IMAGO_MAX_SHIFTS];
  uint sigma[IMAGO_HASHES];   /* dilations: frequency f appears at sigma f modulo n */
  uint inverse[IMAGO_HASHES]; /* their inverses modulo n */
  uint tau[IMAGO_HASHES];     /* the first sample's time */
  float threshold;            /* least amplitude of a tone, relative to the buckets' noise */
  float own_noise;            /* noise of the method, relative to the largest amplitude */
  uint serial; /* number of the attempt in the process, modulo 2^23, so that cells are distinct */
} Attempt;
