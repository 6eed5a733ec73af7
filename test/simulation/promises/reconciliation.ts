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
import { apartOf } from '#test/simulation/world/skew.ts';
import type { World } from '#test/simulation/world/world.ts';
import { shownOf, timelineOf } from './entities.ts';
import type { Broken, FinalCheck } from './promise.ts';
import { readOnce } from './read-once.ts';
import { deadEvents } from './stored-events.ts';

const skewOf = ({ faults }: World) => apartOf(faults);

/** Promise 10: what a run of reconcile may ask of AWS, when it asks for it. @param mode of the run */
export function checkReconciling(world: World, command: Command, mode: string): Broken | undefined {
  if (mode === 'report' && writes(command))
    return { promise: 10, what: `A report writes: ${command.constructor.name}.` };
  if (command instanceof SendMessageBatchCommand) return firstOf(answersIn(command), (one) => checkAnswer(world, one));
  return command instanceof PutItemCommand ? checkCheckpoint(world, command) : undefined;
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
const longestLook = 60_000;

/**
 * It must be no news that may be under way, and settle nothing that was heard after the platform was asked; nor is it about
 * somebody who was erased by then (promise 8).
 */
function checkAnswer(world: World, answer: ReadBackAnswer): Broken | undefined {
  const { id, modifiedOn, readOn, answers, differed } = answer;
  const erasedOn = erasureOf(world, answer);
  if (erasedOn !== undefined && Date.parse(readOn) - Date.parse(erasedOn) > longestLook + skewOf(world))
    return { promise: 8, what: `${id} was erased, and is read back from the platform.` };
  const age = world.scheduler.now() - Date.parse(modifiedOn) + skewOf(world);
  if (differed !== undefined && age <= world.environment.reconciliation.grace)
    return { promise: 10, what: `${id} changed just now, and is taken for drift.` };
  const isLate = answers !== undefined && Date.parse(answers) - Date.parse(readOn) > skewOf(world);
  return isLate
    ? { promise: 10, what: `An answer about ${id} settles what was heard after the platform was asked.` }
    : undefined;
}

function erasureOf({ cloud }: World, { kind, id }: ReadBackKey): string | undefined {
  return cloud.dynamodb.table('entities').get(keyOfState({ kind, id }))?.['erasedOn']?.S;
}

/** A walk goes on where it stopped; and it has not passed by what had drifted. */
function checkCheckpoint(world: World, { input: { TableName, Item = {} } }: PutItemCommand): Broken | undefined {
  if (TableName !== 'checkpoints') return undefined;
  const stored = world.cloud.dynamodb.table('checkpoints').get({ job: { S: 'reconcile' } });
  // Whoever comes after another is refused by the condition.
  if (Number(Item['version']?.N) !== Number(stored?.['version']?.N ?? 0) + 1) return undefined;
  const [before, after] = [progressIn(stored), progressIn(Item)];
  const isOver = after.last !== undefined && after.last.beganOn !== before.last?.beganOn;
  if (before.walk !== undefined && before.walk.beganOn !== (isOver ? after.last : after.walk)?.beganOn)
    return { promise: 10, what: 'A walk under way is forgotten, and another begun.' };
  if (before.walk?.phase === 'entities' && after.walk?.phase === 'persons')
    return { promise: 10, what: 'A walk goes back to where it had been.' };
  return isOver && after.last !== undefined ? checkWalkEnd(world, Date.parse(after.last.beganOn)) : undefined;
}

function progressIn(item: Item = nothing): ReconcileProgress {
  return readProgress(item);
}

const nothing: Item = {};

/** Each checkpoint is asked for when it is written, when another is, and at rest every minute. */
const readProgress = readOnce((item) => reconcileProgress.parse(JSON.parse(item['progress']?.S ?? '{}')));

/** The last walk that came to its end, of all runs so far. */
export function lastWalkOf({ cloud }: World): ReconcileProgress['last'] {
  return progressIn(cloud.dynamodb.table('checkpoints').get({ job: { S: 'reconcile' } })).last;
}

/**
 * What had changed on the platform some time before a walk began is known when it ends, or was handed over. A person that is
 * marked may be left to the next run.
 */
function checkWalkEnd(world: World, beganAt: number): Broken | undefined {
  const sent = world.cloud.sends().flatMap((message) => answerIn(message) ?? []);
  return firstOf(personsOf(world), ({ naturalPersonId: id, modifiedOn }) => {
    const wasUnderWay = beganAt - Date.parse(modifiedOn) <= world.environment.reconciliation.grace + skewOf(world);
    const isHandedOver = sent.some((answer) => answer.id === id && answer.modifiedOn === modifiedOn);
    if (wasUnderWay || isHandedOver || wasMarked(world, id) || knows(world, { kind: 'natural-person', id }, modifiedOn))
      return undefined;
    return { promise: 10, what: `A walk is over, and ${id} is neither known as it is nor handed over.` };
  });
}

/** Whether news of it ever came that said no time. */
function wasMarked(world: World, id: string): boolean {
  return timelineOf(world, { kind: 'natural-person', id }).some(({ modifiedOn }) => modifiedOn === undefined);
}

function personsOf({ platform: { core } }: World) {
  return core.persons.list({ limit: 1_000 }).data;
}

/** Whether we know what the platform said at that time, or later. */
function knows(world: World, key: ReadBackKey, modifiedOn: string): boolean {
  const shown = shownOf(world, key);
  if (shown === 'erased') return true;
  return shown?.modifiedOn !== undefined && compareTimestamps(shown.modifiedOn, modifiedOn) >= 0;
}

/** Promise 10: in the end each person, and each verification that was heard of, is as the platform shows it. */
export const checkReconciled: FinalCheck = (world) => {
  if (!world.isReconciling()) return undefined;
  const dead = deadEvents(world).size > 0;
  const persons = personsOf(world);
  const verifications = persons.flatMap(({ naturalPersonId }) => world.platform.core.verifications.of(naturalPersonId));
  return dead
    ? undefined
    : (firstOf(persons, ({ naturalPersonId: id, naturalPersonStatus: status, modifiedOn }) =>
        checkKnown(world, { kind: 'natural-person', id }, { status, modifiedOn }),
      ) ??
        firstOf(verifications, ({ identificationVerificationId: id, naturalPersonId, status, modifiedOn }) => {
          const key = { kind: 'identification-verification', id } as const;
          const isHeardOf = shownOf(world, key) !== undefined || isOfOnboarding(world, id);
          return isHeardOf && canBeAskedFor(world, naturalPersonId)
            ? checkKnown(world, key, { status, modifiedOn })
            : undefined;
        }));
};

/** Whether an onboarding that goes on, or has ended, knows the verification. */
function isOfOnboarding({ cloud }: World, id: string): boolean {
  const rows = cloud.dynamodb.table('onboardings').all().map(readOnboarding);
  return rows.some((row) => !isErased(row) && row.state.identificationVerificationId === id);
}

/** Whether the platform shows us the verifications of this person (section 5). */
function canBeAskedFor({ platform, environment }: World, naturalPersonId: string): boolean {
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

type Standing = { readonly status: string; readonly modifiedOn: string };

function checkKnown(world: World, key: ReadBackKey, { status, modifiedOn }: Standing): Broken | undefined {
  const shown = shownOf(world, key);
  if (shown === 'erased') return undefined;
  const isSame =
    shown?.modifiedOn !== undefined &&
    shown.status === status &&
    compareTimestamps(shown.modifiedOn, modifiedOn) === 0 &&
    !shown.toReadBack;
  if (isSame) return undefined;
  const known = `${shown?.status ?? 'not known'} of ${shown?.modifiedOn ?? 'no time'}`;
  return { promise: 10, what: `${key.kind} ${key.id} is ${known}, and on the platform ${status} of ${modifiedOn}.` };
}

function firstOf<One>(items: readonly One[], check: (item: One) => Broken | undefined): Broken | undefined {
  for (const item of items) {
    const broken = check(item);
    if (broken !== undefined) return broken;
  }
  return undefined;
}
