import { randomBytes, timingSafeEqual } from 'node:crypto';

/** Who may use the console: the browser that has opened the address with the one-time token. */
export type ConsoleSession = {
  /** The token of the address. It opens one session. */
  readonly token: string;
  /** The session for this token, the first time; undefined for any other text, and for a token that was used. */
  readonly open: (token: string) => string | undefined;
  readonly isOpen: (session: string | undefined) => boolean;
};

/** @param newSecret a text that cannot be guessed */
export function createSession(newSecret: () => string = () => randomBytes(32).toString('base64url')): ConsoleSession {
  const token = newSecret();
  const session = newSecret();
  let isUsed = false;
  return {
    token,
    open: (given) => {
      if (isUsed || !isEqual(given, token)) return undefined;
      isUsed = true;
      return session;
    },
    isOpen: (given) => isUsed && given !== undefined && isEqual(given, session),
  };
}

/** Takes the same time for all texts of a length. */
function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
