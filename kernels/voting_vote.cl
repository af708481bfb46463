/* Location: the selected buckets vote for all frequencies that the hash maps to them. The comb's
   residues decide which frequencies can get votes. */

/* Returns the place of a frequency's residue in the map. */
static inline size_t residue_at(const Voting *v, uint f) {
  return ((size_t)1 << v->log_length) / 4 + (f & ((1u << v->log_comb) - 1));
}

/* Marks residues, with one work-item per selected residue of each loop of the comb; `v`, `work` and
   `spectra` are the comb's. */
#ifdef BUILD_voting_mark
KERNEL(voting_mark) {
  const uint item = (uint)global_item(), of_loop = item / v.most;
  const uint index = item - of_loop * v.most;
  if (of_loop >= v.location || index >= min(work[IMAGO_CUT_COUNT + of_loop], v.most)) return;
  score[residue_at(&v, work[selected_at(&v) + (size_t)of_loop * v.most + index])] = 1;
}
#endif

static inline void vote(const Voting *v, __global uint *work, __global uint *score, uint f) {
  if (v->log_comb != 0 && score[residue_at(v, f)] == 0) return;
  const uint shift = 8 * (f & 3);
  const uint before = atomic_add((volatile __global uint *)&score[f / 4], 1u << shift);
  if (((before >> shift) & 255) + 1 != v->votes) return;
  const uint index = atomic_inc((volatile __global uint *)&work[IMAGO_HITS]);
  if (index < v->capacity) work[hits_at(v) + index] = f;
}

/* Votes, with one group per selected bucket of each location loop. */
#ifdef BUILD_voting_vote
KERNEL(voting_vote) {
  const uint group = (uint)get_group_id(0), of_loop = group / v.most;
  const uint index = group - of_loop * v.most;
  if (index >= min(work[IMAGO_CUT_COUNT + of_loop], v.most)) return;
  const uint bucket = work[selected_at(&v) + (size_t)of_loop * v.most + index];
  const uint width = 1u << log_bucket(&v), lowest = (bucket << log_bucket(&v)) - width / 2;
  for (uint i = local_item(); i < width; i += GROUP)
    vote(&v, work, score, modulo(&v, v.inverse[of_loop] * modulo(&v, lowest + i)));
}
#endif
