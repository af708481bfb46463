/* Adopts the tones of earlier attempts as the results of round 1; the host has written them to the
   list of tones. Uses one work-item per tone. */
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void phase_adopt(ARGUMENTS) {
  const uint index = global_item();
  const Store store = STORE;
  if (index >= a.adopted) return;
  __global const uint *tone = state + IMAGO_TONES + (size_t)index * TONE_WORDS;
  const uint f = tone[0];
  const complex_t amplitude = amplitude_of(tone);
  uint slot = slot_hash(&a, f);
  while (atomic_cmpxchg((volatile __global uint *)&state[keys_at(&a) + slot], 0u, f + 1) != 0)
    slot = (slot + 1) & (slots_of(&a) - 1);
  state[stamps_at(&a) + slot] = round;
  state[tone_slots_at(&a) + index] = slot;
  amplitudes[slot] = (complex_t)(0);
  *cells_of(&store, slot, round) = (real4)(amplitude, 1, stamp_of(&a, round));
  for (uint hash = 0; hash < IMAGO_HASHES; ++hash) {
    for (uint i = 0; i < TRACES(&a); ++i) file_trace(&store, slot, f, hash, i);
    file_tone(&store, slot, f, hash);
    file_event(&store, slot, f, hash, round);
  }
  if (index == 0) {
    state[IMAGO_CREATED + round] = a.adopted;
    state[IMAGO_EVENTS + round] = 1;
  }
}
