/** The keys of an object that has no others than its type says, in their order. */
export function typedKeys<Key extends string>(record: Readonly<Record<Key, unknown>>): readonly Key[] {
  const keys: Key[] = [];
  for (const key in record) keys.push(key);
  return keys;
}
