import type { Clock } from '#sandbox/platform/core/clock.ts';
import type { ValidationError } from '#sandbox/platform/core/fields.ts';
import { magicSuspensionSeconds, personOutcomeOf } from '#sandbox/platform/core/magic-values.ts';
import { createRecords } from '#sandbox/platform/core/records.ts';
import { pickByWeight, type SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { invalidRetention, requireTransition, type StatusChange } from '#sandbox/platform/core/transitions.ts';
import type { Notify } from '#sandbox/platform/webhooks/deliveries.ts';
import type { NaturalPerson } from './natural-person-schema.ts';
import { type NaturalPersonStatus, naturalPersonStatus, personTransitionsOf } from './natural-person-status.ts';

export type NaturalPersonLifecycleDeps = {
  readonly clock: Pick<Clock, 'after'>;
  readonly timestamp: () => string;
  readonly random: () => number;
  readonly settings: SettingsStore;
  readonly notify: Notify;
};

/** What a notification says beyond the resource that a GET returns. */
export type NotificationDetails = {
  readonly notificationType: 'CREATED' | 'UPDATED' | 'VALIDATION_ERROR';
  /** The reason for a failure, which no GET returns. */
  readonly validationError?: ValidationError | undefined;
};

/** The default validation error of each failure. */
const reasons: Partial<Record<NaturalPersonStatus, ValidationError>> = {
  INVALID: { errorType: 'INVALID_DATA', description: 'The data of the person did not pass the checks.' },
  REJECTED: { errorType: 'REJECTED', description: 'The person cannot be taken on.' },
};

/** The status changes of natural persons (section 3.1) and their notifications. INVALID persons are purged. */
export function createNaturalPersonLifecycle({
  clock,
  timestamp,
  random,
  settings,
  notify,
}: NaturalPersonLifecycleDeps) {
  const records = createRecords<{ readonly person: NaturalPerson; readonly history: readonly StatusChange[] }>(
    'natural-persons',
    ({ person }) => person.naturalPersonId,
  );

  /** Sends the notification (section 6). It has no personal data except the externalId. */
  function announce(person: NaturalPerson, details: NotificationDetails): void {
    const { naturalPersonId, externalId, naturalPersonStatus: status, createdOn, modifiedOn } = person;
    const resource = { naturalPersonId, externalId, status, createdOn, modifiedOn, ...details };
    notify('NATURAL_PERSON_NOTIFICATION', resource);
  }

  /** Stores a RECEIVED person and schedules its checks. */
  function begin(person: NaturalPerson): void {
    const { naturalPersonStatus: status, createdOn: since } = person;
    records.save({ person, history: [{ status, since }] });
    check(person);
  }

  function check({ naturalPersonId, lastName }: NaturalPerson): void {
    clock.after(settings.read().checksAfter, () => {
      const usual = naturalPersonStatus.parse(pickByWeight(settings.read().checkOutcomes, random()));
      moveFrom('RECEIVED', naturalPersonId, personOutcomeOf(lastName)?.checks ?? usual);
    });
  }

  /** @throws {RefusedError} Not Found, or Conflict for a change that is not in the table */
  function move(naturalPersonId: string, status: NaturalPersonStatus, validationError = reasons[status]): void {
    const { person, history } = records.get(naturalPersonId);
    const from = person.naturalPersonStatus;
    requireTransition(from, status, personTransitionsOf(settings.read())[from] ?? []);
    const since = timestamp();
    const verifiedOn = status === 'ACTIVE' ? (person.verifiedOn ?? since) : person.verifiedOn;
    const moved = { ...person, naturalPersonStatus: status, verifiedOn, modifiedOn: since };
    records.save({ person: moved, history: [...history, { status, since }] });
    announce(moved, { notificationType: notificationTypeOf(from, status), validationError });
    scheduleNext(moved);
    if (status === 'ACTIVE' && person.verifiedOn === undefined) endLater(moved);
  }

  /** Changes the status only if the person still has the first one. */
  function moveFrom(from: NaturalPersonStatus, naturalPersonId: string, to: NaturalPersonStatus): void {
    if (records.find(naturalPersonId)?.person.naturalPersonStatus === from) move(naturalPersonId, to);
  }

  /** Schedules the automatic next status. */
  function scheduleNext({
    naturalPersonId,
    naturalPersonStatus: status,
    naturalPersonIdentifications,
  }: NaturalPerson): void {
    if (status === 'INVALID') clock.after(invalidRetention, () => records.remove(naturalPersonId));
    if (status === 'CREATED' && naturalPersonIdentifications.length > 0) proceed(naturalPersonId);
    if (status === 'PENDING')
      clock.after(settings.read().activationsAfter, () => moveFrom('PENDING', naturalPersonId, 'ACTIVE'));
  }

  /** Schedules what follows the first ACTIVE of a person with a magic last name. */
  function endLater({ naturalPersonId, lastName }: NaturalPerson): void {
    const status = personOutcomeOf(lastName)?.afterActive;
    if (status !== undefined) clock.after(magicSuspensionSeconds, () => moveFrom('ACTIVE', naturalPersonId, status));
  }

  /** Schedules PENDING for an identified person. The identification may precede the end of the checks. */
  function proceed(naturalPersonId: string): void {
    clock.after(settings.read().identificationsAfter, () => moveFrom('CREATED', naturalPersonId, 'PENDING'));
  }

  /** Changes the person if it still exists. */
  function change(naturalPersonId: string, changeOf: (person: NaturalPerson, now: string) => NaturalPerson): void {
    const found = records.find(naturalPersonId);
    if (found === undefined) return;
    const modifiedOn = timestamp();
    const person = { ...changeOf(found.person, modifiedOn), modifiedOn };
    records.save({ ...found, person });
    announce(person, { notificationType: 'UPDATED' });
  }

  /** Replaces every person. What follows by itself is scheduled again, from now on. */
  function restore(entries: ReturnType<typeof records.all>): void {
    records.restore(entries);
    for (const { person, history } of entries) {
      const status = person.naturalPersonStatus;
      if (status === 'RECEIVED') check(person);
      scheduleNext(person);
      if (status === 'ACTIVE' && history.filter((change) => change.status === 'ACTIVE').length === 1) endLater(person);
    }
  }

  return { records, begin, move, change, proceed, restore };
}

function notificationTypeOf(
  from: NaturalPersonStatus,
  to: NaturalPersonStatus,
): NotificationDetails['notificationType'] {
  if (to === 'INVALID') return 'VALIDATION_ERROR';
  return from === 'RECEIVED' ? 'CREATED' : 'UPDATED';
}
