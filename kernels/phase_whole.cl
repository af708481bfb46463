/* All stages of an attempt in one launch. Separate kernels would cost a launch and a gap for each
   stage. Work-groups take tickets; the first tickets belong to the first stage. A group begins when
   all groups of earlier stages have finished; these groups have earlier tickets and are running.
   `round` is the last one of peeling, `turn` is not used, and there is one pass of refinement.
   Defined before this file: take_ticket(), await_groups(), finish_group(), and IMAGO_TRANSFORM()
   for the buckets, which the generator writes. The latter comes with IMAGO_TRANSFORM_GROUPS,
   IMAGO_TRANSFORM_BYTES of local memory and IMAGO_TRANSFORM_TABLE (true if it needs a table). */

/* Local memory of a group, which executes one stage. */
#define LARGER(x, y) ((x) > (y) ? (x) : (y))
#define TRANSFORM_OR_PEEL LARGER(IMAGO_TRANSFORM_BYTES, sizeof(Decoding))
#define REFINE_OR_CHECK LARGER(sizeof(Refining), LARGER(sizeof(Left), sizeof(Checked)))
#define BENCH LARGER(TRANSFORM_OR_PEEL, REFINE_OR_CHECK)

/* The tickets of a stage. */
typedef struct {
  int first, end;
} Stage;

static inline Stage behind(Stage before, uint groups) {
  const Stage stage = {before.end, before.end + (int)groups};
  return stage;
}
static inline bool has(Stage stage, int ticket) {
  return stage.first <= ticket && ticket < stage.end;
}

static inline void transform(const Attempt *a, __global complex_t *spectra,
                             __global const complex_t *table, int group,
                             __local void *local_memory) {
  const int spectra_count = (int)(IMAGO_HASHES * a->shifts);
  const long distance = buckets_of(a);
  IMAGO_TRANSFORM(local_memory, group, spectra, spectra,
#if IMAGO_TRANSFORM_TABLE
                  table,
#endif
                  spectra_count, 0, distance, 0, distance);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void phase_whole(
    ARGUMENTS, volatile __global atomic_int *counters, __global const complex_t *restrict table) {
  __local uchar bench[BENCH] __attribute__((aligned(64)));
  __local void *const all = bench;
  __local int taken;
  const Store store = STORE;
  const uint elements = IMAGO_HASHES * a.shifts << a.log_buckets;
  const Stage sampling = {0, (int)((elements + GROUP - 1) / GROUP)};
  const Stage transforming = behind(sampling, IMAGO_TRANSFORM_GROUPS);
  const uint of_round = OF_BUCKETS(&a) + (a.capacity + GROUP - 1) / GROUP;
  const Stage peeling = behind(transforming, of_round * (round + 1 - IMAGO_FIRST_ROUND));
  const Stage refining = behind(peeling, a.capacity / GROUP_TONES);
  const Stage checking = behind(refining, OF_BUCKETS(&a) + IMAGO_CHECKERS);
  const int ticket = take_ticket(counters, &taken);
  if (has(sampling, ticket)) {
    clear(&a, state, (size_t)ticket * GROUP + local_item(), (size_t)sampling.end * GROUP);
    sample(&a, signal, taps, spectra, (uint)ticket);
  } else if (has(transforming, ticket)) {
    await_groups(counters, transforming.first);
    transform(&a, spectra, table, ticket - transforming.first, all);
  } else if (has(peeling, ticket)) {
    const uint group = (uint)(ticket - peeling.first), turn_of_group = group / of_round;
    await_groups(counters, peeling.first + (int)(turn_of_group * of_round));
    peel(&store, spectra, IMAGO_FIRST_ROUND + turn_of_group, turn_of_group == 0, group % of_round,
         all);
  } else if (has(refining, ticket)) {
    await_groups(counters, refining.first);
    refine(&store, spectra, round, 1, (uint)(ticket - refining.first), all);
  } else {
    await_groups(counters, checking.first);
    check(&store, signal, spectra, round, 1, (uint)(ticket - checking.first), all, all);
  }
  finish_group(counters, checking.end);
}
