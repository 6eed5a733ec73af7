import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import type { Platform } from '#sandbox/platform/platform.ts';

/** Who asks in what concerns a person (section 5): the person itself, or a configured one with a proxy for each other. */
export const requestorKinds = ['self', 'proxy'] as const;

/** Makes a person on the platform that gets a proxy for each other, and gives the setting by which the stacks use it. */
export function appointRepresentative(platform: Platform): { readonly requestor: string } {
  const { naturalPersonId } = makeReadyPerson(platform, {}, 'ACTIVE');
  platform.settings.change({ representativeId: naturalPersonId });
  return { requestor: naturalPersonId };
}

/** Who asks in what concerns this person. */
export function requestorFor({ settings }: Pick<Platform, 'settings'>, naturalPersonId: string): string {
  return settings.read().representativeId ?? naturalPersonId;
}

/** Whether it is a configured person. */
export function isByProxy({ settings }: Pick<Platform, 'settings'>): boolean {
  return settings.read().representativeId !== null;
}
