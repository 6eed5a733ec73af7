import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { FunctionHost } from '#sandbox/aws/lambda/function-host.ts';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { HostingError } from '#sandbox/aws/stacks/hosting-error.ts';
import type { Place } from '#sandbox/aws/stacks/identity.ts';
import { AwsServiceError } from './aws-service.ts';

/** A target as a schedule or a rule declares it. */
export type DeclaredTarget = {
  readonly Arn: string;
  readonly Input?: string | undefined;
  readonly RetryPolicy: { readonly MaximumRetryAttempts: number };
  readonly DeadLetterConfig?: { readonly Arn: string } | undefined;
  readonly SqsParameters?: { readonly MessageGroupId?: string | undefined };
};

/** Hands a payload to a target. Resolves once the target, or its dead-letter queue, has it. */
export type Send = (payload: string) => Promise<void>;

export type Targets = {
  /** @throws {HostingError} when the target is neither a function nor a queue of the stacks */
  readonly open: (target: DeclaredTarget, path: string) => Send;
  /**
   * Of a rule that is put over the API: its queue may have been created over the API too.
   *
   * @throws {AwsServiceError} when the target is neither a function of the stacks nor a queue
   */
  readonly openAny: (target: DeclaredTarget) => Send;
};

export type TargetsDeps = {
  readonly sqs: SQSClient;
  readonly functions: FunctionHost;
  readonly place: Pick<Place, 'awsOrigin' | 'account' | 'region'>;
};

/** More tries than this show nothing on a laptop. */
const maxRetries = 3;

/** Where schedules and rules send to: functions, and queues. What fails goes to the dead-letter queue, if there is one. */
export function createTargets(queues: Blueprint['queues'], { sqs, functions, place }: TargetsDeps): Targets {
  function queueAt(arn: string, messageGroup?: string): Send | undefined {
    const queue = queues.find((candidate) => candidate.arn === arn);
    return queue && queueOf(queue.ref, messageGroup);
  }

  /** A queue that may not exist: EventBridge does not look before it sends. */
  function anyQueueAt(arn: string, messageGroup?: string): Send | undefined {
    const prefix = `arn:aws:sqs:${place.region}:${place.account}:`;
    if (!arn.startsWith(prefix)) return undefined;
    return queueOf(`${place.awsOrigin}/${place.account}/${arn.slice(prefix.length)}`, messageGroup);
  }

  function queueOf(QueueUrl: string, MessageGroupId?: string): Send {
    return async (payload) => {
      const message = { QueueUrl, MessageBody: payload, MessageGroupId };
      await sqs.send(new SendMessageCommand(message));
    };
  }

  function functionAt(arn: string): Send | undefined {
    const host = functions.find(arn);
    if (host === undefined) return undefined;
    return async (payload) => {
      const result = await host.invoke(payload);
      if (result.error !== undefined) throw new Error(`${host.name} failed: ${result.error.errorType}`);
    };
  }

  function deadLetterQueueAt(arn: string, path: string): Send {
    const send = queueAt(arn);
    if (send !== undefined) return send;
    throw new HostingError(`The sandbox does not know the dead-letter queue ${arn} of ${path}.`);
  }

  return {
    open: (target, path) => {
      const { Arn, DeadLetterConfig, SqsParameters } = target;
      const send = queueAt(Arn, SqsParameters?.MessageGroupId) ?? functionAt(Arn);
      if (send === undefined) throw new HostingError(`The sandbox does not know the target ${Arn} of ${path}.`);
      const giveUp = DeadLetterConfig === undefined ? drop : deadLetterQueueAt(DeadLetterConfig.Arn, path);
      return persist(target, send, giveUp);
    },
    openAny: (target) => {
      const { Arn, DeadLetterConfig, SqsParameters } = target;
      const send = anyQueueAt(Arn, SqsParameters?.MessageGroupId) ?? functionAt(Arn);
      const giveUp = DeadLetterConfig === undefined ? drop : anyQueueAt(DeadLetterConfig.Arn);
      if (send !== undefined && giveUp !== undefined) return persist(target, send, giveUp);
      const message = `The sandbox sends to functions of the stacks and to queues, and not to ${Arn}.`;
      throw new AwsServiceError('ValidationException', message);
    },
  };
}

/** Tries again as often as the target says, and then gives up. */
function persist({ Input, RetryPolicy }: DeclaredTarget, send: Send, giveUp: Send): Send {
  const tries = 1 + Math.min(RetryPolicy.MaximumRetryAttempts, maxRetries);
  return async (payload) => {
    const text = Input ?? payload;
    const done = await succeeds(tries, () => send(text));
    if (!done) await giveUp(text);
  };
}

/** Without a dead-letter queue, EventBridge drops what it cannot hand over. */
const drop: Send = () => Promise.resolve();

async function succeeds(tries: number, attempt: () => Promise<void>): Promise<boolean> {
  for (let left = tries; left > 0; left -= 1) {
    try {
      await attempt();
      return true;
    } catch {
      // The function's own log says why. The next try, or the dead-letter queue, follows.
    }
  }
  return false;
}
