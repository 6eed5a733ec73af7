/** A source of numbers from 0 to 1 that depends on the seed only (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns the items in random order. */
export function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}

/** A source of UUIDs (section 2; version 4), determined by the source of random numbers. None of them is a taken one. */
export function createIdentifiers(random: () => number, taken: ReadonlySet<string> = new Set()): () => string {
  const word = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  const next = () => {
    const hex = `${word()}${word()}${word()}${word()}`;
    const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4);
    const parts = [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      variant + hex.slice(17, 20),
      hex.slice(20),
    ];
    return parts.join('-');
  };
  return () => {
    let id = next();
    while (taken.has(id)) id = next();
    return id;
  };
}
