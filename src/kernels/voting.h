/* This file defines what an attempt of the voting method hands to its kernels, by value, and how the
   words of its work memory lie: C, compiled both into the library and into the kernels. The state
   that the host reads is that of attempt.h. */

enum {
  IMAGO_MAX_LOOPS = 16,   /* dilations of an attempt */
  IMAGO_MAX_LOCATION = 8, /* of them, those that vote */
  IMAGO_CUT_BINS = 2048   /* of the histogram of a cutoff: the upper 12 bits of a float, unsigned */
};

/* Words of the work memory: what a cutoff counts, per location loop; then its histograms; then the
   heads of the lists of tones, per loop and bucket (all of these are cleared); then the buckets
   selected, the hits, and the links of the lists. */
enum {
  IMAGO_CUT_COUNT = 0,                                      /* buckets selected */
  IMAGO_CUT_LIMIT = IMAGO_CUT_COUNT + IMAGO_MAX_LOCATION,   /* energy of the smallest, a float */
  IMAGO_CUT_NOISE = IMAGO_CUT_LIMIT + IMAGO_MAX_LOCATION,   /* energy of noise, a float */
  IMAGO_CUT_PEAK = IMAGO_CUT_NOISE + IMAGO_MAX_LOCATION,    /* of all loops, a float */
  IMAGO_HITS = IMAGO_CUT_PEAK + 1,                          /* frequencies with enough votes */
  IMAGO_CUT_HISTOGRAM = IMAGO_CUT_PEAK + IMAGO_MAX_LOCATION
};

typedef struct {
  ulong signal_offset; /* elements before the signal */
  ulong check_seed;
  uint log_length;     /* n */
  uint log_buckets;    /* B */
  uint rounds;         /* the filter has rounds * B taps */
  uint loops;          /* dilations */
  uint location;       /* the first of them vote */
  uint votes;          /* that make a hit */
  uint most;           /* buckets that a cutoff selects */
  uint capacity;       /* hits, and tones */
  uint log_comb;       /* residues of the comb, 0: none */
  float own_noise;     /* of the method, over the largest amplitude */
  uint sigma[IMAGO_MAX_LOOPS];   /* dilations: frequency f appears at sigma f modulo n */
  uint inverse[IMAGO_MAX_LOOPS]; /* their inverses modulo n */
  uint tau[IMAGO_MAX_LOOPS];     /* the first sample's time */
} Voting;
