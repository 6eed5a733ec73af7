import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import {
  type ReconcileProgress,
  reconcileProgress,
} from '#functions/retry-undelivered/reconcile/reconcile-progress.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import { keyOfState } from '#shared/entities/entity-row.ts';
import { type ReadBackAnswer, type ReadBackKey, readReadBack } from '#shared/events/read-back.ts';
import { isErased, readOnboarding } from '#shared/onboarding/onboarding-row.ts';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';
import type { Item } from '#test/simulation/aws/attribute-value.ts';
import type { Command } from '#test/simulation/aws/commands.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { apartOf } from '#test/simulation/system/skew.ts';
import { entityViewOf, timelineOf } from './entities.ts';
import type { BrokenPromise, FinalCheck } from './promise.ts';
import { readOnce } from './read-once.ts';
import { deadEvents } from './stored-events.ts';

const skewOf = ({ faults }: SimulatedSystem) => apartOf(faults);

/** Promise 12: checks each command of a run of reconcile. @param mode the mode of the run */
export function checkReconciling(system: SimulatedSystem, command: Command, mode: string): BrokenPromise | undefined {
  if (mode === 'report') system.judged(12);
  if (mode === 'report' && writes(command))
    return { promise: 12, what: `A run in report mode writes: ${command.constructor.name}.` };
  if (command instanceof SendMessageBatchCommand) return firstOf(answersIn(command), (one) => checkAnswer(system, one));
  return command instanceof PutItemCommand ? checkCheckpoint(system, command) : undefined;
}

/** Whether a command writes. Reports of a refused token do not count. */
function writes(command: Command): boolean {
  const { input } = command;
  const isToken = 'QueueUrl' in input && input.QueueUrl === 'token-refreshes';
  return /^(Put|Update|Delete|Send|BatchWrite|TransactWrite)/.test(command.constructor.name) && !isToken;
}

/** The read-back answers in the messages of a batch. */
function answersIn({ input: { Entries = [] } }: SendMessageBatchCommand): readonly ReadBackAnswer[] {
  return Entries.flatMap(({ MessageBody = '{}' }) => answerIn(MessageBody) ?? []);
}

function answerIn(message: string): ReadBackAnswer | undefined {
  return message.startsWith('{"readBack"') ? readReadBack(JSON.parse(message).readBack) : undefined;
}

/** In milliseconds: the maximum time between the read of an entity and the query of the platform. */
const maxReadMs = 60_000;

/**
 * A read-back answer must not report a change within the grace period, must not settle a report that was received after the
 * query, and must not be about an erased person (promise 8).
 */
function checkAnswer(system: SimulatedSystem, answer: ReadBackAnswer): BrokenPromise | undefined {
  const { id, modifiedOn, readOn, answers, differed } = answer;
  system.judged(12);
  const erasedOn = erasureOf(system, answer);
  if (erasedOn !== undefined && Date.parse(readOn) - Date.parse(erasedOn) > maxReadMs + skewOf(system))
    return { promise: 8, what: `${id} was erased, and is read back from the platform.` };
  const age = system.scheduler.now() - Date.parse(modifiedOn) + skewOf(system);
  if (differed !== undefined && age <= system.environment.reconciliation.grace)
    return { promise: 12, what: `${id} changed within the grace period, and counts as drift.` };
  const isLate = answers !== undefined && Date.parse(answers) - Date.parse(readOn) > skewOf(system);
  return isLate
    ? { promise: 12, what: `An answer about ${id} settles a report that was received after the query.` }
    : undefined;
}

function erasureOf({ cloud }: SimulatedSystem, { kind, id }: ReadBackKey): string | undefined {
  return cloud.dynamodb.table('entities').get(keyOfState({ kind, id }))?.['erasedOn']?.S;
}

/** A walk continues where it stopped, and skips no drift. */
function checkCheckpoint(
  system: SimulatedSystem,
  { input: { TableName, Item = {} } }: PutItemCommand,
): BrokenPromise | undefined {
  if (TableName !== 'checkpoints' || Item['job']?.S !== 'reconcile') return undefined;
  const stored = system.cloud.dynamodb.table('checkpoints').get({ job: { S: 'reconcile' } });
  // The condition refuses this write, because another run has saved first.
  if (Number(Item['version']?.N) !== Number(stored?.['version']?.N ?? 0) + 1) return undefined;
  const [before, after] = [progressIn(stored), progressIn(Item)];
  const isOver = after.last !== undefined && after.last.beganOn !== before.last?.beganOn;
  if (before.walk?.listedOn !== undefined && before.walk.beganOn !== (isOver ? after.last : after.walk)?.beganOn)
    return { promise: 12, what: 'A running walk is dropped, and another one starts.' };
  if (before.walk !== undefined && before.walk.phase !== 'persons' && after.walk?.phase === 'persons')
    return { promise: 12, what: 'A walk returns to an earlier phase.' };
  return isOver ? checkWalkEnd(system, Date.parse(after.last?.listedOn ?? '')) : undefined;
}

function progressIn(item: Item = nothing): ReconcileProgress {
  return readProgress(item);
}

const nothing: Item = {};

/** Cached, because each checkpoint is read many times. */
const readProgress = readOnce((item) => reconcileProgress.parse(JSON.parse(item['progress']?.S ?? '{}')));

/** The last completed walk. */
export function lastWalkOf({ cloud }: SimulatedSystem): ReconcileProgress['last'] {
  return progressIn(cloud.dynamodb.table('checkpoints').get({ job: { S: 'reconcile' } })).last;
}

/**
 * Every change before a walk began to read its lists, outside the grace period, is known or handed over at the end of the walk. A person
 * that is marked to be read back can be left to the next run.
 */
function checkWalkEnd(system: SimulatedSystem, listedAt: number): BrokenPromise | undefined {
  const sent = system.cloud.sends().flatMap((message) => answerIn(message) ?? []);
  return firstOf(personsOf(system), ({ naturalPersonId: id, modifiedOn }) => {
    const wasUnderWay = listedAt - Date.parse(modifiedOn) <= system.environment.reconciliation.grace + skewOf(system);
    const isHandedOver = sent.some((answer) => answer.id === id && answer.modifiedOn === modifiedOn);
    if (
      wasUnderWay ||
      isHandedOver ||
      wasMarked(system, id) ||
      knows(system, { kind: 'natural-person', id }, modifiedOn)
    )
      return undefined;
    return { promise: 12, what: `A walk has ended, and the state of ${id} is neither known nor handed over.` };
  });
}

/** Whether any report about the person had no time. */
function wasMarked(system: SimulatedSystem, id: string): boolean {
  return timelineOf(system, { kind: 'natural-person', id }).some(({ modifiedOn }) => modifiedOn === undefined);
}

function personsOf({ platform: { core } }: SimulatedSystem) {
  return core.persons.list({ limit: 1_000 }).data;
}

/** Whether the view is at least as recent as this time. */
function knows(system: SimulatedSystem, key: ReadBackKey, modifiedOn: string): boolean {
  const view = entityViewOf(system, key);
  if (view === 'erased') return true;
  return view?.modifiedOn !== undefined && compareTimestamps(view.modifiedOn, modifiedOn) >= 0;
}

/** Promise 12: at the end, each person and each reported verification matches the platform. */
export const checkReconciled: FinalCheck = (system) => {
  if (!system.isReconciling()) return undefined;
  const dead = deadEvents(system).size > 0;
  const persons = personsOf(system);
  const verifications = persons.flatMap(({ naturalPersonId }) =>
    system.platform.core.verifications.of(naturalPersonId),
  );
  return dead
    ? undefined
    : (firstOf(persons, ({ naturalPersonId: id, naturalPersonStatus: status, modifiedOn }) =>
        checkKnown(system, { kind: 'natural-person', id }, { status, modifiedOn }),
      ) ??
        firstOf(verifications, ({ identificationVerificationId: id, naturalPersonId, status, modifiedOn }) => {
          const key = { kind: 'identification-verification', id } as const;
          const isReported = entityViewOf(system, key) !== undefined || isOfOnboarding(system, id);
          return isReported && canBeAskedFor(system, naturalPersonId)
            ? checkKnown(system, key, { status, modifiedOn })
            : undefined;
        }));
};

/** Whether any onboarding knows the verification. */
function isOfOnboarding({ cloud }: SimulatedSystem, id: string): boolean {
  const rows = cloud.dynamodb.table('onboardings').all().map(readOnboarding);
  return rows.some((row) => !isErased(row) && row.state.identificationVerificationId === id);
}

/** Whether the requestor may read the verifications of this person (section 5). */
function canBeAskedFor({ platform, environment }: SimulatedSystem, naturalPersonId: string): boolean {
  const { requestor } = environment.reconciliation;
  try {
    platform.core.requestors.authorize(requestor === 'self' ? naturalPersonId : requestor, {
      naturalPersonId,
      isIdentification: true,
    });
    return true;
  } catch (error) {
    if (error instanceof RefusedError) return false;
    throw error;
  }
}

type PlatformStatus = { readonly status: string; readonly modifiedOn: string };

function checkKnown(
  system: SimulatedSystem,
  key: ReadBackKey,
  { status, modifiedOn }: PlatformStatus,
): BrokenPromise | undefined {
  const view = entityViewOf(system, key);
  if (view === 'erased') return undefined;
  system.judged(12);
  const isSame =
    view?.modifiedOn !== undefined &&
    view.status === status &&
    compareTimestamps(view.modifiedOn, modifiedOn) === 0 &&
    !view.toReadBack;
  if (isSame) return undefined;
  const known = `${view?.status ?? 'not known'} of ${view?.modifiedOn ?? 'no time'}`;
  return { promise: 12, what: `${key.kind} ${key.id} is ${known}, and on the platform ${status} of ${modifiedOn}.` };
}

function firstOf<One>(
  items: readonly One[],
  check: (item: One) => BrokenPromise | undefined,
): BrokenPromise | undefined {
  for (const item of items) {
    const broken = check(item);
    if (broken !== undefined) return broken;
  }
  return undefined;
}
