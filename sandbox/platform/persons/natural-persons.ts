import type { Proxies } from '#sandbox/platform/access/proxies.ts';
import type { Clock } from '#sandbox/platform/core/clock.ts';
import type { ValidationError } from '#sandbox/platform/core/fields.ts';
import { personWarning } from '#sandbox/platform/core/magic-values.ts';
import type { Page, PageQuery } from '#sandbox/platform/core/page.ts';
import { RefusedError, refusedField } from '#sandbox/platform/core/refused-error.ts';
import type { StatusChange } from '#sandbox/platform/core/transitions.ts';
import { comingOfAge, dayOf, isWithin24Months } from './calendar.ts';
import { type NewNaturalPersonIdentification, requireSupported } from './identification-schema.ts';
import { createNaturalPersonLifecycle, type NaturalPersonLifecycleDeps } from './natural-person-lifecycle.ts';
import type { NaturalPerson, NaturalPersonUpdateData, NewNaturalPerson } from './natural-person-schema.ts';
import { isIdentifiable, type NaturalPersonStatus } from './natural-person-status.ts';
import type { NewSignedDocument } from './signed-document.ts';

export type NaturalPersonsDeps = NaturalPersonLifecycleDeps & {
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  readonly proxies: Pick<Proxies, 'create'>;
  readonly warn: (warning: string | undefined) => void;
};

export type NaturalPersons = ReturnType<typeof createNaturalPersons>;

export type SavedPersons = {
  readonly entries: readonly { readonly person: NaturalPerson; readonly history: readonly StatusChange[] }[];
  /** Each externalId that was ever used, with its person. */
  readonly owners: readonly (readonly [string, string])[];
};

/** The persons of a list: all of them unless given. */
export type ListedPersons = {
  readonly status?: NaturalPersonStatus | undefined;
  readonly mayRead?: (naturalPersonId: string) => boolean;
};

/** The natural persons of the platform (section 2.4), without the rules of the Requestor-ID. */
export function createNaturalPersons({ newId, proxies, warn, ...deps }: NaturalPersonsDeps) {
  const { clock, timestamp, settings } = deps;
  const { records, begin, move, change, proceed, restore } = createNaturalPersonLifecycle(deps);
  /** The person of each externalId that was ever used: another person cannot use it. */
  const owners = new Map<string, string>();
  let created = 0;

  /**
   * Accepts a person. Its checks follow.
   *
   * @throws {RefusedError} Conflict, if the externalId was used before
   */
  function create(data: NewNaturalPerson): NaturalPerson {
    const { externalId } = data;
    const isUsed = externalId !== undefined && owners.has(externalId);
    if (isUsed && settings.read().isExternalIdUnique)
      throw new RefusedError(409, 'externalId: is, or was, that of another natural person.');
    created += 1;
    warn(personWarning(data.lastName));
    const person = received(data, { naturalPersonId: newId(), createdOn: timestamp(), number: created });
    begin(person);
    if (externalId !== undefined && !isUsed) owners.set(externalId, person.naturalPersonId);
    const { representativeId } = settings.read();
    if (representativeId !== null) proxies.create(representativeId, person.naturalPersonId);
    return person;
  }

  /**
   * Accepts an update, which applies after `updatesAfter`.
   *
   * @throws {RefusedError} Not Found, or Bad Request if the externalId is another person's
   */
  function update(naturalPersonId: string, { lastName, ...others }: NaturalPersonUpdateData): void {
    records.get(naturalPersonId);
    const { externalId } = others;
    const isOthers = externalId !== undefined && (owners.get(externalId) ?? naturalPersonId) !== naturalPersonId;
    if (isOthers && settings.read().isExternalIdUnique)
      throw refusedField('externalId', 'is, or was, that of another natural person.');
    if (externalId !== undefined && !isOthers) owners.set(externalId, naturalPersonId);
    clock.after(settings.read().updatesAfter, () =>
      change(naturalPersonId, (person) => ({ ...person, ...others, lastName: lastName ?? person.lastName })),
    );
  }

  /**
   * Takes an identification that the partner has done (section 4.2).
   *
   * @throws {RefusedError} Not Implemented, Not Found, or Bad Request
   */
  function identify(naturalPersonId: string, data: NewNaturalPersonIdentification): void {
    requireSupported(data, settings.read());
    const { birthDay } = requireIdentifiable(naturalPersonId);
    const { identificationDate, identificationDocumentType, documentExpiryDate } = data;
    const today = dayOf(clock.now());
    if (!isWithin24Months(identificationDate, today))
      throw refusedField('identificationDate', 'must be within the last 24 months.');
    if (documentExpiryDate < today)
      throw refusedField('documentExpiryDate', 'must be today or later: the document has expired.');
    if (identificationDocumentType === 'BIRTH_CERTIFICATE' && documentExpiryDate !== comingOfAge(birthDay))
      throw refusedField('documentExpiryDate', 'must be the date the person comes of age, for a birth certificate.');
    addIdentification(naturalPersonId, newId(), data);
  }

  /** @throws {RefusedError} Not Found, or Bad Request for a person that was turned away, or is dead */
  function requireIdentifiable(naturalPersonId: string): NaturalPerson {
    const { person } = records.get(naturalPersonId);
    if (isIdentifiable(person.naturalPersonStatus)) return person;
    throw refusedField('naturalPersonId', `is of a person that is ${person.naturalPersonStatus}.`);
  }

  /** Where there is such a person still. */
  function addIdentification(
    naturalPersonId: string,
    identificationId: string,
    data: NewNaturalPersonIdentification,
  ): void {
    change(naturalPersonId, ({ naturalPersonIdentifications, ...person }, now) => {
      const identification = { ...data, identificationId, createdOn: now, modifiedOn: now };
      return { ...person, naturalPersonIdentifications: [...naturalPersonIdentifications, identification] };
    });
    proceed(naturalPersonId);
  }

  /** @throws {RefusedError} Not Found */
  function addSignedDocument(naturalPersonId: string, data: NewSignedDocument): void {
    records.get(naturalPersonId);
    change(naturalPersonId, ({ naturalPersonSignedDocuments, ...person }, now) => {
      const ids = { partnerDocumentId: newId(), customerId: newId() };
      const signed = { ...data, ...ids, createdOn: now, modifiedOn: now };
      return { ...person, naturalPersonSignedDocuments: [...naturalPersonSignedDocuments, signed] };
    });
  }

  return {
    create,
    update,
    identify,
    requireIdentifiable,
    addIdentification,
    addSignedDocument,
    /** @throws {RefusedError} Not Found */
    get: (naturalPersonId: string): NaturalPerson => records.get(naturalPersonId).person,
    all: records.all,
    /** Each externalId that was ever used, with its person. */
    owners: (): [string, string][] => [...owners],
    /** Replaces every person and every used externalId. */
    restore: ({ entries, owners: used }: SavedPersons): void => {
      owners.clear();
      for (const [externalId, naturalPersonId] of used) owners.set(externalId, naturalPersonId);
      for (const { person } of entries) created = Math.max(created, numberOf(person));
      restore(entries);
    },
    find: (naturalPersonId: string): NaturalPerson | undefined => records.find(naturalPersonId)?.person,
    /** Every status so far, the oldest first. @throws {RefusedError} Not Found */
    historyOf: (naturalPersonId: string): readonly StatusChange[] => records.get(naturalPersonId).history,
    statusOf: (naturalPersonId: string) => records.find(naturalPersonId)?.person.naturalPersonStatus,
    /** @throws {RefusedError} for a cursor of another list */
    list: (query: PageQuery, { status, mayRead = () => true }: ListedPersons = {}): Page<NaturalPerson> => {
      const isListed = ({ person }: { readonly person: NaturalPerson }) =>
        (status === undefined || person.naturalPersonStatus === status) && mayRead(person.naturalPersonId);
      const { data, pagination } = records.page(query, isListed);
      return { data: data.map(({ person }) => person), pagination };
    },
    /** @throws {RefusedError} Not Found, or Conflict for a change that is not in the table */
    changeStatus: (naturalPersonId: string, status: NaturalPersonStatus, reason?: ValidationError): void =>
      move(naturalPersonId, status, reason),
  };
}

/** The number in the globalId of a person; 0 in one of another form. */
function numberOf({ globalId }: NaturalPerson): number {
  return Number(/^GP-(\d{9,15})$/.exec(globalId)?.[1] ?? 0);
}

type SystemFields = { readonly naturalPersonId: string; readonly createdOn: string; readonly number: number };

function received(data: NewNaturalPerson, { naturalPersonId, createdOn, number }: SystemFields): NaturalPerson {
  return {
    ...data,
    naturalPersonId,
    globalId: `GP-${String(number).padStart(9, '0')}`,
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
}
