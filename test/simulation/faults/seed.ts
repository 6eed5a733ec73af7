/** Derives a seed for one purpose from the seed of a history (FNV-1a). Each purpose has its own random stream. */
export function seedOf(seed: number, purpose: string): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < purpose.length; index += 1)
    hash = Math.imul(hash ^ purpose.charCodeAt(index), 0x01000193);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ seed;
}
