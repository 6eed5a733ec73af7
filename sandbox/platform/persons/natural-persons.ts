import type { Proxies } from '#sandbox/platform/access/proxies.ts';
import type { Clock } from '#sandbox/platform/core/clock.ts';
import { type Page, type PageQuery, pageOf } from '#sandbox/platform/core/page.ts';
import { RefusedError, refusedField } from '#sandbox/platform/core/refused-error.ts';
import { pickByWeight, type SettingsStore } from '#sandbox/platform/core/settings.ts';
import type { Notify } from '#sandbox/platform/webhooks/deliveries.ts';
import { dayOf, isWithin24Months } from './calendar.ts';
import type { ValidationError } from './fields.ts';
import type { NewNaturalPersonIdentification } from './identification-schema.ts';
import type { NaturalPerson, NaturalPersonUpdateData, NewNaturalPerson } from './natural-person-schema.ts';
import {
  isIdentifiable,
  type NaturalPersonStatus,
  naturalPersonStatus,
  naturalPersonTransitions,
} from './natural-person-status.ts';
import { requireTransition, type StatusChange } from './transitions.ts';

export type NaturalPersonsDeps = {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly timestamp: () => string;
  readonly newId: () => string;
  readonly random: () => number;
  readonly settings: SettingsStore;
  readonly notify: Notify;
  readonly proxies: Pick<Proxies, 'create'>;
};

/** In seconds: how long a person that is INVALID is kept (section 8). */
const retention = 48 * 3_600;

/** What a failure comes with, unless told otherwise. */
const reasons: Partial<Record<NaturalPersonStatus, ValidationError>> = {
  INVALID: { errorType: 'INVALID_DATA', description: 'The data of the person did not pass the checks.' },
  REJECTED: { errorType: 'REJECTED', description: 'The person cannot be taken on.' },
};

/** `sequence` rises with createdOn. */
type Kept = { readonly sequence: number; readonly history: StatusChange[]; person: NaturalPerson };

export type NaturalPersons = ReturnType<typeof createNaturalPersons>;

/** The natural persons of the platform (sections 2.4 and 3.1), and how they come to their statuses. Quick with 10,000. */
export function createNaturalPersons(deps: NaturalPersonsDeps) {
  const { clock, timestamp, newId, random, settings, notify, proxies } = deps;
  const persons = new Map<string, Kept>();
  /** From the oldest to the newest; those that were purged, too. */
  const inOrder: Kept[] = [];
  /** Whose an externalId is, or was: once used, it stays so. */
  const owners = new Map<string, string>();

  /** @throws {RefusedError} Not Found */
  function find(naturalPersonId: string): Kept {
    const kept = persons.get(naturalPersonId);
    if (kept === undefined) throw new RefusedError(404, 'There is no natural person of this id, or none any more.');
    return kept;
  }

  /**
   * Takes a person in: it is RECEIVED, and will be checked.
   *
   * @throws {RefusedError} Conflict, where the externalId was used before
   */
  function create(data: NewNaturalPerson): NaturalPerson {
    const { externalId } = data;
    if (externalId !== undefined && owners.has(externalId))
      throw new RefusedError(409, 'externalId: is, or was, that of another natural person.');
    const kept = add(data);
    const { naturalPersonId } = kept.person;
    if (externalId !== undefined) owners.set(externalId, naturalPersonId);
    const { representativeId, checksAfter } = settings.read();
    if (representativeId !== null) proxies.create(representativeId, naturalPersonId);
    clock.after(checksAfter, () => {
      if (kept.person.naturalPersonStatus === 'RECEIVED') move(kept, outcomeOfChecks());
    });
    return kept.person;
  }

  function add(data: NewNaturalPerson): Kept {
    const createdOn = timestamp();
    const sequence = inOrder.length + 1;
    const person: NaturalPerson = {
      ...data,
      naturalPersonId: newId(),
      globalId: `GP-${String(sequence).padStart(9, '0')}`,
      createdOn,
      modifiedOn: createdOn,
      isPep: false,
      isPepRelated: false,
      isSanction: false,
      riskLevel: 'LOW',
      naturalPersonStatus: 'RECEIVED',
      naturalPersonIdentifications: [],
      naturalPersonSignedDocuments: [],
    };
    const kept = { sequence, person, history: [{ status: 'RECEIVED', since: createdOn }] };
    persons.set(person.naturalPersonId, kept);
    inOrder.push(kept);
    return kept;
  }

  const outcomeOfChecks = () => naturalPersonStatus.parse(pickByWeight(settings.read().checkOutcomes, random()));

  /** @throws {RefusedError} Conflict, for a change that is not in the table */
  function move(kept: Kept, status: NaturalPersonStatus, reason?: ValidationError): void {
    const from = kept.person.naturalPersonStatus;
    requireTransition(from, status, naturalPersonTransitions[from]);
    const since = timestamp();
    kept.history.push({ status, since });
    const verifiedOn = kept.person.verifiedOn ?? since;
    change(kept, { naturalPersonStatus: status, ...(status === 'ACTIVE' && { verifiedOn }) }, since);
    announce(kept.person, notificationTypeOf(from, status), reason ?? reasons[status]);
    goOn(kept);
  }

  /** What follows of itself from a status. */
  function goOn(kept: Kept): void {
    const { naturalPersonStatus: status, naturalPersonId } = kept.person;
    if (status === 'INVALID') clock.after(retention, () => void persons.delete(naturalPersonId));
    if (status === 'CREATED') awaitIdentification(kept);
    if (status === 'PENDING') moveLater(kept, 'ACTIVE', settings.read().activationsAfter);
  }

  /** A person may be identified before its checks are done. */
  function awaitIdentification(kept: Kept): void {
    const { naturalPersonStatus: status, naturalPersonIdentifications } = kept.person;
    if (status === 'CREATED' && naturalPersonIdentifications.length > 0)
      moveLater(kept, 'PENDING', settings.read().identificationsAfter);
  }

  /** Unless the person has come to another status by then. */
  function moveLater(kept: Kept, to: NaturalPersonStatus, seconds: number): void {
    const from = kept.person.naturalPersonStatus;
    clock.after(seconds, () => {
      if (kept.person.naturalPersonStatus === from) move(kept, to);
    });
  }

  function change(kept: Kept, fields: Partial<NaturalPerson>, modifiedOn = timestamp()): void {
    kept.person = { ...kept.person, ...fields, modifiedOn };
  }

  function announce(person: NaturalPerson, notificationType: string, reason?: ValidationError): void {
    const { naturalPersonId, externalId, naturalPersonStatus: status, createdOn, modifiedOn } = person;
    notify('NATURAL_PERSON_NOTIFICATION', {
      naturalPersonId,
      ...(externalId !== undefined && { externalId }),
      status,
      createdOn,
      modifiedOn,
      notificationType,
      ...(reason !== undefined && { validationError: reason }),
    });
  }

  /**
   * Takes an update; it shows later.
   *
   * @throws {RefusedError} Not Found, or Bad Request where the externalId is another person's
   */
  function update(naturalPersonId: string, data: NaturalPersonUpdateData): void {
    const kept = find(naturalPersonId);
    const { externalId } = data;
    if (externalId !== undefined && (owners.get(externalId) ?? naturalPersonId) !== naturalPersonId)
      throw refusedField('externalId', 'is, or was, that of another natural person.');
    if (externalId !== undefined) owners.set(externalId, naturalPersonId);
    clock.after(settings.read().updatesAfter, () => {
      const { lastName = kept.person.lastName, ...others } = data;
      change(kept, { ...others, lastName });
      announce(kept.person, 'UPDATED');
    });
  }

  /** @throws {RefusedError} Not Found, or Bad Request */
  function identify(naturalPersonId: string, data: NewNaturalPersonIdentification): void {
    requireIdentifiable(naturalPersonId);
    if (!isWithin24Months(data.identificationDate, dayOf(clock.now())))
      throw refusedField('identificationDate', 'must be within the last 24 months.');
    addIdentification(naturalPersonId, newId(), data);
  }

  /** @throws {RefusedError} Not Found, or Bad Request for a person that was turned away, or is dead */
  function requireIdentifiable(naturalPersonId: string): NaturalPerson {
    const { person } = find(naturalPersonId);
    if (isIdentifiable(person.naturalPersonStatus)) return person;
    throw refusedField('naturalPersonId', `is of a person that is ${person.naturalPersonStatus}.`);
  }

  /** Nothing, where there is no such person any more. */
  function addIdentification(
    naturalPersonId: string,
    identificationId: string,
    data: NewNaturalPersonIdentification,
  ): void {
    const kept = persons.get(naturalPersonId);
    if (kept === undefined) return;
    const createdOn = timestamp();
    const identification = { ...data, identificationId, createdOn, modifiedOn: createdOn };
    const naturalPersonIdentifications = [...kept.person.naturalPersonIdentifications, identification];
    change(kept, { naturalPersonIdentifications }, createdOn);
    announce(kept.person, 'UPDATED');
    awaitIdentification(kept);
  }

  return {
    create,
    update,
    identify,
    requireIdentifiable,
    addIdentification,
    /** @throws {RefusedError} Not Found */
    get: (naturalPersonId: string): NaturalPerson => find(naturalPersonId).person,
    /** Every status that it has come to so far, the first first. @throws {RefusedError} Not Found */
    historyOf: (naturalPersonId: string): readonly StatusChange[] => find(naturalPersonId).history,
    statusOf: (naturalPersonId: string) => persons.get(naturalPersonId)?.person.naturalPersonStatus,
    /** @throws {RefusedError} for a cursor that is none of this list */
    list: (query: PageQuery, status?: NaturalPersonStatus): Page<NaturalPerson> => {
      const isListed = ({ person }: Kept) =>
        persons.has(person.naturalPersonId) && (status === undefined || person.naturalPersonStatus === status);
      const page = pageOf(`persons ${status ?? ''}`, inOrder, ({ sequence }) => sequence, query, isListed);
      return { ...page, data: page.data.map(({ person }) => person) };
    },
    /** @throws {RefusedError} Not Found, or Conflict for a change that is not in the table */
    changeStatus: (naturalPersonId: string, status: NaturalPersonStatus, reason?: ValidationError): void =>
      move(find(naturalPersonId), status, reason),
  };
}

function notificationTypeOf(from: NaturalPersonStatus, to: NaturalPersonStatus): string {
  if (to === 'INVALID') return 'VALIDATION_ERROR';
  return from === 'RECEIVED' ? 'CREATED' : 'UPDATED';
}
