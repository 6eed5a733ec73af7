import { formatFields } from '#cli/output/format-columns.ts';
import type { TokenLife } from './token-life.ts';
import type { TokenState } from './token-state.ts';

/** Whether the token is known to have expired. */
export function isExpired({ expiresOn }: TokenLife, now: Date): boolean {
  return expiresOn !== null && Date.parse(expiresOn) <= now.getTime();
}

/** The token for people. An expired one has the command that replaces it. */
export function formatToken(state: TokenState, life: TokenLife, now: Date): string {
  if (!isExpired(life, now)) return formatState(state, life);
  return `${formatState(state, life, 'expired')}\n\nTo replace the token: drawbridge token refresh --force`;
}

/** The fields of the token, or that there is none. @param expires the name of the field of the expiry */
export function formatState(
  { hasToken, storedOn, versionId }: TokenState,
  life?: TokenLife,
  expires = 'expires',
): string {
  if (!hasToken) return 'There is no platform token yet. To store the credentials: drawbridge credentials set';
  return formatFields([
    ['stored', storedOn],
    ['age', life && formatAge(life)],
    [expires, life && (life.expiresOn ?? 'not known: Refresh has measured nothing in 15 minutes')],
    ['version', versionId],
  ]);
}

function formatAge({ ageSeconds }: TokenLife): string | undefined {
  return ageSeconds === null ? undefined : `${Math.floor(ageSeconds / 60)} min`;
}
