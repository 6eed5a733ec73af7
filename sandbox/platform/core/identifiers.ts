/** A source of UUIDs (section 2; version 4), determined by the source of random numbers. */
export function createIdentifiers(random: () => number): () => string {
  const word = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return () => {
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
}
