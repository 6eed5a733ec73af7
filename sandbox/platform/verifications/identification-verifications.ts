import type { Clock } from '#sandbox/platform/core/clock.ts';
import type { ValidationError } from '#sandbox/platform/core/fields.ts';
import { magicStepSeconds, personOutcomeOf } from '#sandbox/platform/core/magic-values.ts';
import type { Page, PageQuery } from '#sandbox/platform/core/page.ts';
import { createRecords } from '#sandbox/platform/core/records.ts';
import { refusedField, unknownField } from '#sandbox/platform/core/refused-error.ts';
import { pickByWeight, type SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import { requireTransition, type StatusChange, type Transitions } from '#sandbox/platform/core/transitions.ts';
import { dayOf, isOfAge } from '#sandbox/platform/persons/calendar.ts';
import { type IdentificationMeans, requireSupported } from '#sandbox/platform/persons/identification-schema.ts';
import { madeUpIdentification } from '#sandbox/platform/persons/made-up-person.ts';
import type { NotificationDetails } from '#sandbox/platform/persons/natural-person-lifecycle.ts';
import type { NaturalPersons } from '#sandbox/platform/persons/natural-persons.ts';
import type { Notify } from '#sandbox/platform/webhooks/deliveries.ts';
import {
  type IdentificationVerification,
  type NewIdentificationVerification,
  videoCallsAt,
} from './identification-verification-schema.ts';
import { identificationVerificationNotification } from './notifications.ts';

/** The statuses of section 3.2 that are known. Every other word stands for a failure. */
type VerificationStage = 'RECEIVED' | 'PENDING' | 'APPROVED' | 'FAILED';

/** Section 3.2 shows no transitions: these were seen. */
export const identificationVerificationTransitions: Transitions<VerificationStage> = {
  RECEIVED: ['PENDING'],
  PENDING: ['APPROVED', 'FAILED'],
  APPROVED: [],
  FAILED: [],
};

function stageOf(status: string): VerificationStage {
  return status === 'RECEIVED' || status === 'PENDING' || status === 'APPROVED' ? status : 'FAILED';
}

export type IdentificationVerificationsDeps = {
  readonly clock: Pick<Clock, 'now' | 'after'>;
  readonly timestamp: () => string;
  readonly newId: () => string;
  readonly random: () => number;
  readonly settings: SettingsStore;
  readonly notify: Notify;
  readonly persons: Pick<NaturalPersons, 'requireIdentifiable' | 'addIdentification' | 'find'>;
};

type Entry = { readonly verification: IdentificationVerification; readonly history: readonly StatusChange[] };

export type IdentificationVerifications = ReturnType<typeof createIdentificationVerifications>;

/** The video identifications of natural persons (sections 2.5 and 3.2), without the rules of the Requestor-ID. */
export function createIdentificationVerifications(deps: IdentificationVerificationsDeps) {
  const { clock, timestamp, newId, random, settings, notify, persons } = deps;
  const records = createRecords<Entry>(
    'identification-verifications',
    ({ verification }) => verification.identificationVerificationId,
  );
  const idsOfPersons = new Map<string, string[]>();

  /**
   * Accepts a verification: it is RECEIVED, and has an identificationUrl soon after.
   *
   * @throws {RefusedError} Not Implemented, Not Found, or Bad Request for a person that cannot be identified so
   */
  function create({
    naturalPersonId,
    redirectUrl,
    ...means
  }: NewIdentificationVerification): IdentificationVerification {
    const { acceptRedirectUrl } = settings.read();
    if (redirectUrl !== undefined && !acceptRedirectUrl) throw unknownField('redirectUrl');
    requireSupported(means, settings.read());
    const { birthDay } = persons.requireIdentifiable(naturalPersonId);
    if (!isOfAge(birthDay, dayOf(clock.now())))
      throw refusedField('naturalPersonId', 'is of a person that is not 18 yet.');
    const verification = received(naturalPersonId, means, newId(), timestamp());
    begin(verification);
    return verification;
  }

  function begin(verification: IdentificationVerification): void {
    const { identificationVerificationId: id, naturalPersonId, status, createdOn: since } = verification;
    records.save({ verification, history: [{ status, since }] });
    list(naturalPersonId, id);
    prepare(id);
  }

  function list(naturalPersonId: string, id: string): void {
    const ids = idsOfPersons.get(naturalPersonId) ?? [];
    idsOfPersons.set(naturalPersonId, ids);
    ids.push(id);
  }

  /** Schedules the link of the video call. */
  function prepare(id: string): void {
    clock.after(settings.read().identificationUrlAfter, () => invite(id));
  }

  /** To the video call. */
  function invite(id: string): void {
    const identificationUrl = `${videoCallsAt}${id}`;
    awaitCall(move(id, 'PENDING', { notificationType: 'CREATED' }, { identificationUrl }));
  }

  /** Schedules the end of the video call, unless only the control API ends the call. */
  function awaitCall({ identificationVerificationId: id, naturalPersonId }: IdentificationVerification): void {
    const outcome = personOutcomeOf(persons.find(naturalPersonId)?.lastName ?? '')?.videoCall;
    const { videoCallsAfter } = settings.read();
    const seconds = outcome === undefined ? videoCallsAfter : (videoCallsAfter ?? magicStepSeconds);
    if (seconds === null || outcome === null) return;
    clock.after(seconds, () => {
      if (records.get(id).verification.status !== 'PENDING') return;
      endVideoCall(id, outcome ?? pickByWeight(settings.read().videoCallOutcomes, random()));
    });
  }

  /**
   * @param outcome APPROVED, or any word for a failure
   * @throws {RefusedError} Not Found, or Conflict if there is no video call to end
   */
  function endVideoCall(id: string, outcome: string, reason?: ValidationError): void {
    if (outcome === 'APPROVED') approve(id);
    else fail(id, outcome, reason);
  }

  function approve(id: string): void {
    const naturalPersonIdentificationId = newId();
    const { naturalPersonId, externalVerifier, identificationType } = move(
      id,
      'APPROVED',
      { notificationType: 'UPDATED' },
      { documentId: newId(), naturalPersonIdentificationId },
    );
    const means = { externalVerifier, identificationType };
    const identification = madeUpIdentification(means, dayOf(clock.now()), random);
    persons.addIdentification(naturalPersonId, naturalPersonIdentificationId, identification);
  }

  function fail(id: string, outcome: string, reason?: ValidationError): void {
    const description = 'The person was not identified in the video call.';
    const validationError = reason ?? { errorType: outcome, description };
    move(id, outcome, { notificationType: 'UPDATED', validationError });
  }

  function move(
    id: string,
    status: string,
    details: NotificationDetails,
    fields: Partial<IdentificationVerification> = {},
  ): IdentificationVerification {
    const { verification, history } = records.get(id);
    const stage = stageOf(verification.status);
    requireTransition(stage, stageOf(status), identificationVerificationTransitions[stage]);
    const since = timestamp();
    const moved = { ...verification, ...fields, status, modifiedOn: since };
    records.save({ verification: moved, history: [...history, { status, since }] });
    notify('IDENTIFICATION_VERIFICATION_NOTIFICATION', identificationVerificationNotification(moved, details));
    return moved;
  }

  /** Replaces every verification. What follows by itself is scheduled again, from now on. */
  function restore(entries: readonly Entry[]): void {
    records.restore(entries);
    idsOfPersons.clear();
    for (const { verification } of entries) {
      const { identificationVerificationId: id, naturalPersonId, status } = verification;
      list(naturalPersonId, id);
      if (status === 'RECEIVED') prepare(id);
      if (status === 'PENDING') awaitCall(verification);
    }
  }

  const idsOf = (naturalPersonId: string): readonly string[] => idsOfPersons.get(naturalPersonId) ?? [];

  return {
    create,
    endVideoCall,
    restore,
    all: records.all,
    /** @throws {RefusedError} Not Found */
    get: (id: string): IdentificationVerification => records.get(id).verification,
    /** Every status so far, the oldest first. @throws {RefusedError} Not Found */
    historyOf: (id: string): readonly StatusChange[] => records.get(id).history,
    /** All of one person. */
    of: (naturalPersonId: string) => idsOf(naturalPersonId).map((id) => records.get(id).verification),
    /** Those of some persons. @throws {RefusedError} for a cursor of another list */
    list: (query: PageQuery, isOf: (naturalPersonId: string) => boolean): Page<IdentificationVerification> =>
      verificationsOf(records.page(query, ({ verification }) => isOf(verification.naturalPersonId))),
    /** As `list`, of one person: quick, however many others there are. */
    listOf: (naturalPersonId: string, query: PageQuery): Page<IdentificationVerification> =>
      verificationsOf(records.pageOf(idsOf(naturalPersonId), query)),
  };
}

function verificationsOf({ data, pagination }: Page<Entry>): Page<IdentificationVerification> {
  return { data: data.map(({ verification }) => verification), pagination };
}

function received(
  naturalPersonId: string,
  means: IdentificationMeans,
  id: string,
  createdOn: string,
): IdentificationVerification {
  return {
    identificationVerificationId: id,
    naturalPersonId,
    ...means,
    createdOn,
    modifiedOn: createdOn,
    status: 'RECEIVED',
  };
}
