import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { findDeclarationFaults } from './check-declared-statuses.ts';

/** What is wrong with a profile: where, and a sentence that says what to change. */
export type ProfileFault = { readonly path: readonly (string | number)[]; readonly message: string };

/** Of the profile as an environment variable. Lambda takes 4 KB of variables in all. */
const maxProfileBytes = 3_000;

/** What a deployment refuses beyond the schema of the profile. The control API of the sandbox refuses the same. */
export function findProfileFaults(profile: PlatformProfile): readonly ProfileFault[] {
  const bytes = new TextEncoder().encode(JSON.stringify(profile)).length;
  return [
    ...findDeclarationFaults(profile.statuses).map(({ path, message }) => ({ path: ['statuses', ...path], message })),
    ...(bytes > maxProfileBytes
      ? [{ path: [], message: `takes ${bytes} bytes, of ${maxProfileBytes}: shorten what is declared` }]
      : []),
  ];
}

/** Whether the profile knows each event type that the settings register. Webhooks of any other are quarantined. */
export function registersWhatIsKnown(
  registeredEventTypes: readonly string[],
  { eventTypes }: Pick<PlatformProfile, 'eventTypes'>,
): boolean {
  return registeredEventTypes.every((eventType) => eventTypes.includes(eventType));
}

/** The message where `registersWhatIsKnown` is false. */
export const unknownRegistration =
  'must be event types that the platform profile knows: webhooks of any other are quarantined';
