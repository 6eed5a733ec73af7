import { toWord } from '#shared/platform/fields/received.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { entityRules } from './entity-rules.ts';

/** What of the profile declares words of statuses. */
export type StatusProfile = Partial<Pick<PlatformProfile, 'statuses' | 'verificationWords'>>;

/** Whether section 3 or the profile has this status of a kind. */
export function isKnownStatus(
  kind: EntityKind,
  { statuses, verificationWords }: StatusProfile,
  status: string,
): boolean {
  if (entityRules[kind].statuses.isKnown(status)) return true;
  if (statuses?.[kind]?.some((declared) => declared.status === status) === true) return true;
  const { success = [], failure = [], waiting = [] } = verificationWords ?? {};
  return kind === 'identification-verification' && [...success, ...failure, ...waiting].includes(status);
}

/** The word that a status is. Spaces are joined in those that are known, since any other text could be a name. */
export function toStatus(kind: EntityKind, profile: StatusProfile, value: unknown): unknown {
  return toWord(value, (word) => isKnownStatus(kind, profile, word));
}

/** The same of a status that the client has read. */
export function readStatus(
  kind: EntityKind,
  profile: StatusProfile,
  value: string | null | undefined,
): string | undefined {
  const status = toStatus(kind, profile, value);
  return typeof status === 'string' ? status : undefined;
}
