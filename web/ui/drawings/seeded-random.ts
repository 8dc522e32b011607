/** Deterministic per seed, so a cover looks the same on every screen: mulberry32, started with the FNV-1a hash of the seed. */
export function createSeededRandom(seed: string): () => number {
  let state = 2166136261
  for (const character of seed) {
    state ^= character.charCodeAt(0)
    state = Math.imul(state, 16777619)
  }
  return () => {
    state += 0x6d2b79f5
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** One decimal is precise enough and keeps prerendered pages small. */
export function roundToTenth(value: number): number {
  return Math.round(value * 10) / 10
}
