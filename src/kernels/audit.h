/* This file defines the argument that the audit of a whole signal passes to its kernels by value.
   It is C, compiled both into the library and into the kernels. docs/sparse/method.md explains the
   audit. */

enum {
  IMAGO_PATTERNS = 16,   /* vectors of random weights, processed together */
  IMAGO_TONE_ITEMS = 32, /* work-items that share the rows of a tone */
  IMAGO_AUDIT_SUMS = 256 /* work-items of a group that sums energies */
};

/* Element t of the signal belongs to row t / columns and column t modulo columns. The signal
   repeats from its first element to the end of the last row. */
typedef struct {
  ulong length;        /* n */
  ulong signal_offset; /* elements before the signal */
  ulong seed;          /* seed of the weights */
  uint columns;        /* a power of two */
  uint rows;
  uint rows_of_item; /* rows that a work-item folds */
  uint row_blocks;
  uint tones;
  uint tones_of_item; /* tones that a work-item adds up */
  uint tone_blocks;
  float scale; /* scaling factor before the square */
} Audit;
