import type { Clock } from '#sandbox/platform/core/clock.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { pathBetween } from '#sandbox/platform/core/transitions.ts';
import { dayOf } from './calendar.ts';
import { supportedBy } from './identification-schema.ts';
import { madeUpIdentification, madeUpPerson } from './made-up-person.ts';
import { type NaturalPerson, newNaturalPerson } from './natural-person-schema.ts';
import {
  anyPersonStatus,
  type NaturalPersonStatus,
  naturalPersonTransitions,
  personTransitionsOf,
} from './natural-person-status.ts';
import type { NaturalPersons } from './natural-persons.ts';

export type ReadyPersonDeps = {
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  readonly random: () => number;
  readonly persons: NaturalPersons;
  readonly settings: SettingsStore;
};

/**
 * Creates a person with this status, along the shortest path of transitions, each with its notification. Missing fields are
 * made up.
 *
 * @throws {RefusedError} Conflict, if the externalId was used before
 */
export function makeReadyPerson(
  { clock, newId, random, persons, settings }: ReadyPersonDeps,
  given: Readonly<Record<string, unknown>>,
  status: NaturalPersonStatus,
): NaturalPerson {
  const { naturalPersonId } = persons.create(newNaturalPerson.parse({ ...madeUpPerson(random), ...given }));
  const further = personTransitionsOf(settings.read());
  const path: readonly string[] | undefined =
    pathBetween(naturalPersonTransitions, 'RECEIVED', status) ?? pathBetween<string>(further, 'RECEIVED', status);
  if (path === undefined) throw new RefusedError(409, `No person can become ${status}.`);
  const means = supportedBy(settings.read());
  for (const step of path) {
    if (step === 'PENDING')
      persons.addIdentification(naturalPersonId, newId(), madeUpIdentification(means, dayOf(clock.now()), random));
    persons.changeStatus(naturalPersonId, anyPersonStatus.parse(step));
  }
  return persons.get(naturalPersonId);
}
