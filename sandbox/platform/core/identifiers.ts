/** A source of UUIDs (section 2; version 4), the same for the same source of numbers. */
export function createIdentifiers(random: () => number): () => string {
  const hex = (digits: number) =>
    Math.floor(random() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  return () => {
    const variant = '89ab'.charAt(Math.floor(random() * 4));
    return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(6)}${hex(6)}`;
  };
}
