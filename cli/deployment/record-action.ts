import {
  CreateLogStreamCommand,
  PutLogEventsCommand,
  type RejectedLogEventsInfo,
} from '@aws-sdk/client-cloudwatch-logs';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import type { LogFields } from '#shared/lambda/log.ts';
import { onboardingIdIn, onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import type { OperatorAction } from '#shared/operator-actions.ts';
import { version } from '#shared/version.ts';
import type { Deployment } from './deployment.ts';
import { explainError } from './explain-aws-error.ts';

type Ids = Pick<
  LogFields,
  'onboardingId' | 'otherOnboardingIds' | 'naturalPersonIds' | 'identificationVerificationIds'
>;

/** Event types. */
type ChosenWebhooks = { readonly takeOver?: string | undefined; readonly remove?: string | undefined };

type MessagesAction = 'dead letters read' | 'redrive requested' | 'purge requested';

/** What a command or the console is about to do. Lists of ids have commas in between, as in the lines of the functions. */
export type RecordedAction =
  | {
      readonly message:
        | 'video call link read'
        | 'onboarding retry requested'
        | 'onboarding cancel requested'
        | 'person update requested';
      readonly onboardingId: string;
    }
  /** Without an id if the request has no externalId, so that the API refuses it. */
  | { readonly message: 'onboarding start requested'; readonly onboardingId?: string }
  | ({ readonly message: 'erasure requested' | 'export requested' } & Ids)
  | { readonly message: 'erasures repeated'; readonly size: number }
  | {
      readonly message: 'replay requested';
      readonly size: number;
      readonly eventIds?: string | undefined;
      readonly reason?: string | undefined;
      readonly eventType?: string | undefined;
    }
  | {
      readonly message: MessagesAction;
      readonly queue: string;
      readonly size: number;
      /** Of chosen messages. */
      readonly messageIds?: string;
    }
  | ({ readonly message: 'secret rotation requested'; readonly reason: 'rotate' | 'retire' } & ChosenWebhooks)
  | ({ readonly message: 'webhooks change requested' } & ChosenWebhooks)
  | { readonly message: 'bus replay requested'; readonly rules: string }
  | {
      readonly message:
        | 'token replacement requested'
        | 'credentials change requested'
        | 'drain requested'
        | 'repair requested';
    };

/** CloudWatch Logs takes a line of 256 KiB, in which an id has 36 characters, and 1 MiB in a call. */
const maxRecorded = 1_000;

type Recorded = RecordedAction & { readonly message: OperatorAction };

/** What `recordAction` needs of a deployment and of the process. */
export type RecordDeployment = Pick<Deployment, 'clients' | 'resources' | 'control'>;
export type RecordDeps = Pick<CommandDeps, 'fetch' | 'now' | 'newId'>;

/**
 * Records what a command is about to do or to show, and with which access key, in the log group of Query, which has the reads of events too.
 * CloudTrail knows the session of an access key.
 *
 * @throws {CommandError} if there is no record: the caller does nothing then
 */
export function recordAction(deployment: RecordDeployment, action: Recorded, deps: RecordDeps): Promise<void> {
  return recordActions(deployment, [action], deps);
}

/** Records up to 1,000 actions at once, each in a line. @throws {CommandError} as `recordAction` */
async function recordActions(
  deployment: RecordDeployment,
  actions: readonly Recorded[],
  deps: RecordDeps,
): Promise<void> {
  const { logs } = deployment.clients;
  const logGroupName = (await deployment.resources()).idOf('logGroup', 'Query');
  const logStreamName = `drawbridge-cli/${deps.newId()}`;
  // By the clock that the lines of the functions have.
  const time = await readClock(deployment, deps);
  let rejected: RejectedLogEventsInfo | undefined;
  try {
    const { accessKeyId } = await logs.config.credentials();
    const logEvents = actions.map((action) => ({
      timestamp: time.getTime(),
      message: JSON.stringify({ timestamp: time.toISOString(), level: 'INFO', version, ...action, accessKeyId }),
    }));
    await logs.send(new CreateLogStreamCommand({ logGroupName, logStreamName }));
    const answer = await logs.send(new PutLogEventsCommand({ logGroupName, logStreamName, logEvents }));
    rejected = answer.rejectedLogEventsInfo;
  } catch (cause) {
    const { reason, next } = explainError(cause);
    throw new CommandError(
      `Nothing was done or shown, because the log cannot record it: ${reason}`,
      next ?? 'allow the policy of an operator: drawbridge policy operator.',
      { cause },
    );
  }
  // CloudWatch Logs takes no line of more than two hours ahead, or 14 days ago, and answers 200.
  if (rejected !== undefined)
    throw new CommandError(
      `Nothing was done or shown, because the log does not take a record of ${time.toISOString()}.`,
      'correct the clock of this machine, and run the command again.',
    );
}

/** Records an action on these messages, in a line for each 1,000. @throws {CommandError} as `recordAction` */
export async function recordMessages(
  deployment: RecordDeployment,
  {
    messageIds,
    ...action
  }: { readonly message: MessagesAction; readonly queue: string; readonly messageIds: readonly string[] },
  deps: RecordDeps,
): Promise<void> {
  for (let start = 0; start < messageIds.length; start += maxRecorded) {
    const ids = messageIds.slice(start, start + maxRecorded);
    await recordAction(deployment, { ...action, size: ids.length, messageIds: ids.join(',') }, deps);
  }
}

/** Records that the onboarding of a request is requested. @throws {CommandError} as `recordAction` */
export async function recordStart(
  deployment: RecordDeployment,
  { externalId }: Readonly<Record<string, unknown>>,
  deps: RecordDeps,
): Promise<void> {
  const id = typeof externalId === 'string' ? { onboardingId: onboardingIdOf(externalId) } : {};
  await recordAction(deployment, { message: 'onboarding start requested', ...id }, deps);
}

/** Records a retry or an end of these onboardings, in a line for each. @throws {CommandError} as `recordAction` */
export async function recordOperation(
  deployment: RecordDeployment,
  { operation, externalIds }: { readonly operation: 'retry' | 'cancel'; readonly externalIds: readonly string[] },
  deps: RecordDeps,
): Promise<void> {
  const message = `onboarding ${operation} requested` as const;
  const actions = externalIds.map((externalId) => ({ message, onboardingId: onboardingIdIn(externalId) }));
  for (let start = 0; start < actions.length; start += maxRecorded)
    await recordActions(deployment, actions.slice(start, start + maxRecorded), deps);
}
