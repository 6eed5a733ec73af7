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

/** Promise 10: what a run of reconcile may ask of AWS, when it asks for it. @param mode of the run */
export function checkReconciling(system: SimulatedSystem, command: Command, mode: string): BrokenPromise | undefined {
  if (mode === 'report' && writes(command))
    return { promise: 10, what: `A report writes: ${command.constructor.name}.` };
  if (command instanceof SendMessageBatchCommand) return firstOf(answersIn(command), (one) => checkAnswer(system, one));
  return command instanceof PutItemCommand ? checkCheckpoint(system, command) : undefined;
}

/** But for reports of a token that was refused. */
function writes(command: Command): boolean {
  const { input } = command;
  const isToken = 'QueueUrl' in input && input.QueueUrl === 'token-refreshes';
  return /^(Put|Update|Delete|Send|BatchWrite|TransactWrite)/.test(command.constructor.name) && !isToken;
}

/** What is read back, of the messages of a batch. */
function answersIn({ input: { Entries = [] } }: SendMessageBatchCommand): readonly ReadBackAnswer[] {
  return Entries.flatMap(({ MessageBody = '{}' }) => answerIn(MessageBody) ?? []);
}

function answerIn(message: string): ReadBackAnswer | undefined {
  return message.startsWith('{"readBack"') ? readReadBack(JSON.parse(message).readBack) : undefined;
}

/** In milliseconds: how long after it read the entity a run may ask the platform. */
const maxReadMs = 60_000;

/**
 * It must be no news that may be under way, and settle nothing that was heard after the platform was asked; nor is it about
 * somebody who was erased by then (promise 8).
 */
function checkAnswer(system: SimulatedSystem, answer: ReadBackAnswer): BrokenPromise | undefined {
  const { id, modifiedOn, readOn, answers, differed } = answer;
  const erasedOn = erasureOf(system, answer);
  if (erasedOn !== undefined && Date.parse(readOn) - Date.parse(erasedOn) > maxReadMs + skewOf(system))
    return { promise: 8, what: `${id} was erased, and is read back from the platform.` };
  const age = system.scheduler.now() - Date.parse(modifiedOn) + skewOf(system);
  if (differed !== undefined && age <= system.environment.reconciliation.grace)
    return { promise: 10, what: `${id} changed just now, and is taken for drift.` };
  const isLate = answers !== undefined && Date.parse(answers) - Date.parse(readOn) > skewOf(system);
  return isLate
    ? { promise: 10, what: `An answer about ${id} settles what was heard after the platform was asked.` }
    : undefined;
}

function erasureOf({ cloud }: SimulatedSystem, { kind, id }: ReadBackKey): string | undefined {
  return cloud.dynamodb.table('entities').get(keyOfState({ kind, id }))?.['erasedOn']?.S;
}

/** A walk goes on where it stopped; and it has not passed by what had drifted. */
function checkCheckpoint(
  system: SimulatedSystem,
  { input: { TableName, Item = {} } }: PutItemCommand,
): BrokenPromise | undefined {
  if (TableName !== 'checkpoints') return undefined;
  const stored = system.cloud.dynamodb.table('checkpoints').get({ job: { S: 'reconcile' } });
  // Whoever comes after another is refused by the condition.
  if (Number(Item['version']?.N) !== Number(stored?.['version']?.N ?? 0) + 1) return undefined;
  const [before, after] = [progressIn(stored), progressIn(Item)];
  const isOver = after.last !== undefined && after.last.beganOn !== before.last?.beganOn;
  if (before.walk !== undefined && before.walk.beganOn !== (isOver ? after.last : after.walk)?.beganOn)
    return { promise: 10, what: 'A walk under way is forgotten, and another begun.' };
  if (before.walk?.phase === 'entities' && after.walk?.phase === 'persons')
    return { promise: 10, what: 'A walk goes back to where it had been.' };
  return isOver && after.last !== undefined ? checkWalkEnd(system, Date.parse(after.last.beganOn)) : undefined;
}

function progressIn(item: Item = nothing): ReconcileProgress {
  return readProgress(item);
}

const nothing: Item = {};

/** Each checkpoint is asked for when it is written, when another is, and at rest every minute. */
const readProgress = readOnce((item) => reconcileProgress.parse(JSON.parse(item['progress']?.S ?? '{}')));

/** The last walk that came to its end, of all runs so far. */
export function lastWalkOf({ cloud }: SimulatedSystem): ReconcileProgress['last'] {
  return progressIn(cloud.dynamodb.table('checkpoints').get({ job: { S: 'reconcile' } })).last;
}

/**
 * What had changed on the platform some time before a walk began is known when it ends, or was handed over. A person that is
 * marked may be left to the next run.
 */
function checkWalkEnd(system: SimulatedSystem, beganAt: number): BrokenPromise | undefined {
  const sent = system.cloud.sends().flatMap((message) => answerIn(message) ?? []);
  return firstOf(personsOf(system), ({ naturalPersonId: id, modifiedOn }) => {
    const wasUnderWay = beganAt - Date.parse(modifiedOn) <= system.environment.reconciliation.grace + skewOf(system);
    const isHandedOver = sent.some((answer) => answer.id === id && answer.modifiedOn === modifiedOn);
    if (
      wasUnderWay ||
      isHandedOver ||
      wasMarked(system, id) ||
      knows(system, { kind: 'natural-person', id }, modifiedOn)
    )
      return undefined;
    return { promise: 10, what: `A walk is over, and ${id} is neither known as it is nor handed over.` };
  });
}

/** Whether news of it ever came that said no time. */
function wasMarked(system: SimulatedSystem, id: string): boolean {
  return timelineOf(system, { kind: 'natural-person', id }).some(({ modifiedOn }) => modifiedOn === undefined);
}

function personsOf({ platform: { core } }: SimulatedSystem) {
  return core.persons.list({ limit: 1_000 }).data;
}

/** Whether we know what the platform said at that time, or later. */
function knows(system: SimulatedSystem, key: ReadBackKey, modifiedOn: string): boolean {
  const view = entityViewOf(system, key);
  if (view === 'erased') return true;
  return view?.modifiedOn !== undefined && compareTimestamps(view.modifiedOn, modifiedOn) >= 0;
}

/** Promise 10: in the end each person, and each verification that was heard of, is as the platform shows it. */
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
          const isHeardOf = entityViewOf(system, key) !== undefined || isOfOnboarding(system, id);
          return isHeardOf && canBeAskedFor(system, naturalPersonId)
            ? checkKnown(system, key, { status, modifiedOn })
            : undefined;
        }));
};

/** Whether an onboarding that goes on, or has ended, knows the verification. */
function isOfOnboarding({ cloud }: SimulatedSystem, id: string): boolean {
  const rows = cloud.dynamodb.table('onboardings').all().map(readOnboarding);
  return rows.some((row) => !isErased(row) && row.state.identificationVerificationId === id);
}

/** Whether the platform shows us the verifications of this person (section 5). */
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
  const isSame =
    view?.modifiedOn !== undefined &&
    view.status === status &&
    compareTimestamps(view.modifiedOn, modifiedOn) === 0 &&
    !view.toReadBack;
  if (isSame) return undefined;
  const known = `${view?.status ?? 'not known'} of ${view?.modifiedOn ?? 'no time'}`;
  return { promise: 10, what: `${key.kind} ${key.id} is ${known}, and on the platform ${status} of ${modifiedOn}.` };
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
