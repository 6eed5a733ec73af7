/** Of each list: a short id is found among the latest. */
export const searchedItems = 400;

/** Whether a text shows where characters are left out, as the ids of the console do: `0190a6f0…6789ac`. */
export function isAbbreviated(text: string): boolean {
  return text.includes('…') || text.includes('...');
}

/** Whether a text is an id of Drawbridge or of the platform as a whole: a digest, or a UUID. */
export function isWholeId(text: string): boolean {
  return isDigest(text) || /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);
}

/** Events and onboardings have ids of 64 hexadecimal digits. */
export function isDigest(text: string): boolean {
  return /^[\da-f]{64}$/.test(text);
}

/** Whether an id is the one that a text names, short or whole. */
export function isNamedBy(text: string): (id: string) => boolean {
  return matcherOf(text) ?? ((id) => id === text);
}

/** Which ids a short one stands for: by their first eight characters or more, or as the console shortens them to eight or more. Undefined for another text. */
export function matcherOf(text: string): ((id: string) => boolean) | undefined {
  const [head = '', tail = '', ...more] = text.split(/…|\.\.\./);
  if (isAbbreviated(text)) {
    const isTooShort = head === '' || tail === '' || head.length + tail.length < 8;
    return isTooShort || more.length > 0 ? undefined : (id) => id.startsWith(head) && id.endsWith(tail);
  }
  return /^[\da-f-]{8,63}$/.test(text) && !isWholeId(text) ? (id) => id.startsWith(text) : undefined;
}
