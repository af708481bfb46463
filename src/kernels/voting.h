/* This file defines the argument that an attempt of the voting method passes to its kernels by
   value, and the layout of its work memory's words. It is C, compiled both into the library and
   into the kernels. The state that the host reads is that of attempt.h. */

enum {
  IMAGO_MAX_LOOPS = 16,   /* dilations of an attempt */
  IMAGO_MAX_LOCATION = 8, /* the first dilations, which vote */
  IMAGO_CUT_BINS = 2048   /* bins of a cutoff's histogram: the upper 12 bits of a float, unsigned */
};

/* Words of the work memory: a cutoff's results for each location loop; its histograms; the heads of
   the lists of tones, for each loop and bucket (all of these are cleared). The selected buckets,
   the hits, and the links of the lists follow. */
enum {
  IMAGO_CUT_COUNT = 0,                                    /* number of selected buckets */
  IMAGO_CUT_LIMIT = IMAGO_CUT_COUNT + IMAGO_MAX_LOCATION, /* least selected energy, a float */
  IMAGO_CUT_NOISE = IMAGO_CUT_LIMIT + IMAGO_MAX_LOCATION, /* energy of noise, a float */
  IMAGO_CUT_PEAK = IMAGO_CUT_NOISE + IMAGO_MAX_LOCATION,  /* largest energy of all loops, a float */
  IMAGO_HITS = IMAGO_CUT_PEAK + 1,                        /* frequencies with enough votes */
  IMAGO_CUT_HISTOGRAM = IMAGO_CUT_PEAK + IMAGO_MAX_LOCATION
};

typedef struct {
  ulong signal_offset; /* elements before the signal */
  ulong check_seed;
  uint log_length;               /* log2 of n */
  uint log_buckets;              /* log2 of B */
  uint rounds;                   /* the filter has rounds * B taps */
  uint loops;                    /* dilations */
  uint location;                 /* number of dilations that vote, the first ones */
  uint votes;                    /* votes of a hit */
  uint most;                     /* buckets that a cutoff selects */
  uint capacity;                 /* most hits, and most tones */
  uint log_comb;                 /* log2 of the comb's residues, 0: no comb */
  float own_noise;               /* noise of the method, relative to the largest amplitude */
  uint sigma[IMAGO_MAX_LOOPS];   /* dilations: frequency f appears at sigma f modulo n */
  uint inverse[IMAGO_MAX_LOOPS]; /* their inverses modulo n */
  uint tau[IMAGO_MAX_LOOPS];     /* the first sample's time */
} Voting;
