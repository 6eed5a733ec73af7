import type { Clock } from '#sandbox/platform/core/clock.ts';
import { type Page, type PageQuery, pageOf } from '#sandbox/platform/core/page.ts';
import { RefusedError, refusedField } from '#sandbox/platform/core/refused-error.ts';
import { pickByWeight, type SettingsStore } from '#sandbox/platform/core/settings.ts';
import type { Notify } from '#sandbox/platform/webhooks/deliveries.ts';
import { dayOf, isOfAge } from './calendar.ts';
import type { ValidationError } from './fields.ts';
import {
  type IdentificationVerification,
  type NewIdentificationVerification,
  supported,
} from './identification-verification-schema.ts';
import { identificationVerificationTransitions, stageOf } from './identification-verification-status.ts';
import { madeUpIdentification } from './made-up-person.ts';
import type { NaturalPersons } from './natural-persons.ts';
import { requireTransition, type StatusChange } from './transitions.ts';

export type IdentificationVerificationsDeps = {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly timestamp: () => string;
  readonly newId: () => string;
  readonly random: () => number;
  readonly settings: SettingsStore;
  readonly notify: Notify;
  readonly persons: Pick<NaturalPersons, 'requireIdentifiable' | 'addIdentification'>;
};

/** `sequence` rises with createdOn. */
type Kept = { readonly sequence: number; readonly history: StatusChange[]; verification: IdentificationVerification };

export type IdentificationVerifications = ReturnType<typeof createIdentificationVerifications>;

/** The video identifications of natural persons (sections 2.5 and 3.2). */
export function createIdentificationVerifications(deps: IdentificationVerificationsDeps) {
  const { clock, timestamp, newId, random, settings, notify, persons } = deps;
  const verifications = new Map<string, Kept>();
  /** From the oldest to the newest. */
  const inOrder: Kept[] = [];
  const byPerson = new Map<string, Kept[]>();

  /** @throws {RefusedError} Not Found */
  function find(identificationVerificationId: string): Kept {
    const kept = verifications.get(identificationVerificationId);
    if (kept === undefined) throw new RefusedError(404, 'There is no identification verification of this id.');
    return kept;
  }

  /**
   * Takes a verification in: it is RECEIVED, and has an identificationUrl soon after.
   *
   * @throws {RefusedError} Not Implemented, Not Found, or Bad Request for a person that cannot be identified so
   */
  function create(data: NewIdentificationVerification): IdentificationVerification {
    for (const field of ['externalVerifier', 'identificationType'] as const)
      if (data[field] !== supported[field])
        throw new RefusedError(501, `${field}: nothing but ${supported[field]} is supported.`);
    const { birthDay } = persons.requireIdentifiable(data.naturalPersonId);
    if (!isOfAge(birthDay, dayOf(clock.now())))
      throw refusedField('naturalPersonId', 'is of a person that is not 18 yet.');
    const kept = add(data);
    clock.after(settings.read().identificationUrlAfter, () => invite(kept));
    return kept.verification;
  }

  function add({ naturalPersonId }: NewIdentificationVerification): Kept {
    const createdOn = timestamp();
    const verification: IdentificationVerification = {
      identificationVerificationId: newId(),
      naturalPersonId,
      ...supported,
      createdOn,
      modifiedOn: createdOn,
      status: 'RECEIVED',
    };
    const history = [{ status: 'RECEIVED', since: createdOn }];
    const kept = { sequence: inOrder.length + 1, history, verification };
    verifications.set(verification.identificationVerificationId, kept);
    inOrder.push(kept);
    const ofPerson = byPerson.get(naturalPersonId) ?? [];
    byPerson.set(naturalPersonId, ofPerson);
    ofPerson.push(kept);
    return kept;
  }

  /** To the video call. */
  function invite(kept: Kept): void {
    const { identificationVerificationId: id } = kept.verification;
    move(kept, 'PENDING', { identificationUrl: `https://video-ident.example/calls/${id}` });
    announce(kept.verification, 'CREATED');
    const { videoCallsAfter } = settings.read();
    if (videoCallsAfter === null) return;
    clock.after(videoCallsAfter, () => {
      if (kept.verification.status === 'PENDING') end(kept, pickByWeight(settings.read().videoCallOutcomes, random()));
    });
  }

  /** @throws {RefusedError} Conflict, where there is no video call to end */
  function end(kept: Kept, outcome: string, reason?: ValidationError): void {
    if (outcome === 'APPROVED') approve(kept);
    else fail(kept, outcome, reason);
  }

  function fail(kept: Kept, outcome: string, reason?: ValidationError): void {
    move(kept, outcome);
    const description = 'The person was not identified in the video call.';
    announce(kept.verification, 'UPDATED', reason ?? { errorType: outcome, description });
  }

  function approve(kept: Kept): void {
    const naturalPersonIdentificationId = newId();
    move(kept, 'APPROVED', { documentId: newId(), naturalPersonIdentificationId });
    announce(kept.verification, 'UPDATED');
    const identification = madeUpIdentification(dayOf(clock.now()), random);
    persons.addIdentification(kept.verification.naturalPersonId, naturalPersonIdentificationId, identification);
  }

  /** @throws {RefusedError} Conflict, for a change that is not in the table */
  function move(kept: Kept, status: string, fields: Partial<IdentificationVerification> = {}): void {
    const stage = stageOf(kept.verification.status);
    requireTransition(stage, stageOf(status), identificationVerificationTransitions[stage]);
    const since = timestamp();
    kept.history.push({ status, since });
    kept.verification = { ...kept.verification, ...fields, status, modifiedOn: since };
  }

  function announce(
    verification: IdentificationVerification,
    notificationType: string,
    reason?: ValidationError,
  ): void {
    const { identificationVerificationId, naturalPersonId, status, createdOn, modifiedOn } = verification;
    notify('IDENTIFICATION_VERIFICATION_NOTIFICATION', {
      identificationVerificationId,
      naturalPersonId,
      status,
      createdOn,
      modifiedOn,
      notificationType,
      ...(reason !== undefined && { validationError: reason }),
    });
  }

  function page(items: readonly Kept[], query: PageQuery, isListed?: (kept: Kept) => boolean) {
    const { data, pagination } = pageOf('verifications', items, ({ sequence }) => sequence, query, isListed);
    return { data: data.map(({ verification }) => verification), pagination };
  }

  return {
    create,
    /** @throws {RefusedError} Not Found */
    get: (identificationVerificationId: string) => find(identificationVerificationId).verification,
    /** Every status that it has come to so far, the first first. @throws {RefusedError} Not Found */
    historyOf: (identificationVerificationId: string): readonly StatusChange[] =>
      find(identificationVerificationId).history,
    /** Those of some persons. @throws {RefusedError} for a cursor that is none of this list */
    list: (query: PageQuery, isOf: (naturalPersonId: string) => boolean): Page<IdentificationVerification> =>
      page(inOrder, query, ({ verification }) => isOf(verification.naturalPersonId)),
    /** Those of one person: the same page as of `list`, but quicker. */
    listOf: (naturalPersonId: string, query: PageQuery): Page<IdentificationVerification> =>
      page(byPerson.get(naturalPersonId) ?? [], query),
    /** All of one person. */
    of: (naturalPersonId: string): readonly IdentificationVerification[] =>
      (byPerson.get(naturalPersonId) ?? []).map(({ verification }) => verification),
    /** @throws {RefusedError} Not Found, or Conflict where there is no video call to end */
    endVideoCall: (identificationVerificationId: string, outcome: string, reason?: ValidationError): void =>
      end(find(identificationVerificationId), outcome, reason),
  };
}
