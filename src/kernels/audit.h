/* This file defines what the audit of a whole signal hands to its kernels, by value: C, compiled both
   into the library and into the kernels. docs/sparse.md says what an audit is. */

enum {
  IMAGO_PATTERNS = 16,   /* of random weights, side by side */
  IMAGO_TONE_ITEMS = 32, /* work-items that share the rows of a tone */
  IMAGO_AUDIT_SUMS = 256 /* work-items whose energies are summed up */
};

/* Element t of the signal stands in row t / columns of column t modulo columns; after the last element
   comes the first, to the end of the last row. */
typedef struct {
  ulong length;        /* n */
  ulong signal_offset; /* elements before the signal */
  ulong seed;          /* of the weights */
  uint columns;        /* a power of two */
  uint rows;
  uint rows_of_item; /* that a work-item folds */
  uint row_blocks;
  uint tones;
  uint tones_of_item; /* that a work-item adds up */
  uint tone_blocks;
  float scale; /* of what is squared */
} Audit;
