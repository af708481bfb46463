/* This file defines what an attempt of the phase method hands to its kernels, by value, and how the
   words of its state lie: C, compiled both into the library and into the kernels. */

enum {
  IMAGO_HASHES = 3,
  IMAGO_MAX_SHIFTS = 16,
  IMAGO_CHECK_GROUPS = 128,  /* that check random samples in time, at most */
  IMAGO_CHECK_WORDS = 4,     /* of each in the state */
  IMAGO_LEAST_CHECKS = 256, /* samples of all of them */
  IMAGO_MOST_CHECKS = 4096,
  IMAGO_CHECK_SHARE = 8, /* of the signal's samples one is checked at most */
  /* Of tones that are computed for them, while that are more samples; and samples that any number of
     tones gets. */
  IMAGO_CHECK_VALUES_CPU = 131072,
  IMAGO_LEAST_CHECKS_CPU = 1024,
  IMAGO_CHECK_VALUES_GPU = 262144,
  IMAGO_LEAST_CHECKS_GPU = 256,
  IMAGO_BINS = 256,   /* of the histogram of the buckets' energies: 4 per octave */
  IMAGO_MAX_ROUNDS = 64,
  IMAGO_FIRST_ROUND = 2 /* of peeling; round 1 takes over the tones of earlier attempts */
};

/* Words at the start of the state: what the host reads back, and then the tones that were found. */
enum {
  IMAGO_PEAK = 0,                                     /* largest energy of a bucket, a float */
  IMAGO_WORST = 1,                                    /* largest one that is left, a float */
  IMAGO_CREATED = 2,                                  /* per round: tones that were new */
  IMAGO_EVENTS = IMAGO_CREATED + IMAGO_MAX_ROUNDS,    /* per round: whether anything was found */
  IMAGO_HISTOGRAM = IMAGO_EVENTS + IMAGO_MAX_ROUNDS,  /* of the energies that are left */
  IMAGO_CHECKED = IMAGO_HISTOGRAM + IMAGO_BINS,       /* samples that were checked */
  IMAGO_CHECK = IMAGO_CHECKED + 1, /* per group: energy of the errors and of the signal, largest part
                                      of a sample, largest energy of an error; floats */
  IMAGO_TONES = IMAGO_CHECK + IMAGO_CHECK_WORDS * IMAGO_CHECK_GROUPS /* per tone: its frequency, 0, and
                                                                        its amplitude */
};

typedef struct {
  ulong length;        /* n */
  ulong fraction;      /* floor((2^64 - 1) / n): a frequency times this is a phase of 2^-64 turns */
  ulong remainder;     /* 2^64 - n * fraction */
  ulong signal_offset; /* elements before the signal */
  ulong check_seed;
  uint log_length; /* of a power of two */
  uint log_buckets;
  uint shifts;
  uint capacity;  /* tones */
  uint log_slots; /* of the hash table */
  uint adopted;   /* tones of earlier attempts */
  uint exponents[IMAGO_MAX_SHIFTS];
  uint sigma[IMAGO_HASHES];   /* dilations: frequency f appears at sigma f modulo n */
  uint inverse[IMAGO_HASHES]; /* their inverses modulo n */
  uint tau[IMAGO_HASHES];     /* the first sample's time */
  float threshold;            /* of a tone, over the buckets' noise */
  float own_noise;            /* of the method, over the largest amplitude */
  uint serial;                /* of the process's attempts, modulo 2^23: no two cells are mixed up */
} Attempt;
