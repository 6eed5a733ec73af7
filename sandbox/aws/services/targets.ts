import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { FunctionHost } from '#sandbox/aws/lambda/function-host.ts';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import type { Place } from '#sandbox/aws/stacks/identity.ts';
import { SandboxError } from '#sandbox/errors.ts';
import { AwsServiceError } from './aws-service.ts';

/** A target as a schedule or a rule declares it. */
export type DeclaredTarget = {
  readonly Arn: string;
  readonly Input?: string | undefined;
  readonly RetryPolicy: { readonly MaximumRetryAttempts: number };
  readonly DeadLetterConfig?: { readonly Arn: string } | undefined;
  readonly SqsParameters?: { readonly MessageGroupId?: string | undefined };
};

/** The schedule or the rule that a target belongs to. */
export type TargetOwner = {
  /** Where its ARN is in a message of a dead-letter queue, as AWS names it there. */
  readonly attribute: 'SCHEDULE_ARN' | 'RULE_ARN';
  readonly arn: string;
};

/** Hands a payload to a target. Resolves once the target, or its dead-letter queue, has it. */
export type Send = (payload: string) => Promise<void>;

export type Targets = {
  /** @throws {SandboxError} NOT_HOSTED when the target is neither a function nor a queue of the stacks */
  readonly open: (target: DeclaredTarget, owner: TargetOwner, path: string) => Send;
  /**
   * Of a rule that is put over the API: its queue may have been created over the API too.
   *
   * @throws {AwsServiceError} when the target is neither a function of the stacks nor a queue
   */
  readonly openAny: (target: DeclaredTarget, owner: TargetOwner) => Send;
  /** Whether nothing is on its way to a target. */
  readonly isIdle: () => boolean;
};

export type TargetsDeps = {
  readonly sqs: SQSClient;
  readonly functions: FunctionHost;
  readonly place: Pick<Place, 'awsOrigin' | 'account' | 'region'>;
};

/** More tries than this show nothing on a laptop. */
const maxRetries = 3;

/** How often Lambda repeats a failed asynchronous invocation by default. On AWS a minute passes before the first repetition, and two before the second. */
const defaultRepetitions = 2;

/** Puts what could not be handed over, and why, into a dead-letter queue. */
type GiveUp = (payload: string, error: unknown) => Promise<void>;

/**
 * Where schedules and rules send to: functions, and queues. What a queue does not take goes to the dead-letter queue, if there
 * is one. A function is invoked asynchronously: the dead-letter queue has no part in what becomes of a started run.
 */
export function createTargets(
  { queues, eventInvokeConfigs }: Pick<Blueprint, 'queues' | 'eventInvokeConfigs'>,
  { sqs, functions, place }: TargetsDeps,
): Targets {
  let sending = 0;

  /** Tries again as often as the target says, and then gives up. */
  function persist({ Input, RetryPolicy }: DeclaredTarget, send: Send, giveUp: GiveUp): Send {
    return async (payload) => {
      const text = Input ?? payload;
      let error: unknown;
      sending += 1;
      try {
        for (let left = triesOf(RetryPolicy); left > 0; left -= 1) {
          try {
            return await send(text);
          } catch (cause) {
            error = cause;
          }
        }
        await giveUp(text, error);
      } finally {
        sending -= 1;
      }
    };
  }

  function queueAt(arn: string, messageGroup?: string): Send | undefined {
    const queue = queues.find((candidate) => candidate.arn === arn);
    return queue && queueOf(queue.ref, messageGroup);
  }

  /** A queue that may not exist: EventBridge does not check before it sends. */
  function anyQueueAt(arn: string): string | undefined {
    const prefix = `arn:aws:sqs:${place.region}:${place.account}:`;
    return arn.startsWith(prefix) ? `${place.awsOrigin}/${place.account}/${arn.slice(prefix.length)}` : undefined;
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
    const config = eventInvokeConfigs.find(({ properties }) => functions.find(properties.FunctionName) === host);
    const tries = 1 + (config?.properties.MaximumRetryAttempts ?? defaultRepetitions);
    return async (payload) => {
      for (let left = tries; left > 0; left -= 1) if ((await host.invoke(payload)).error === undefined) return;
    };
  }

  function deadLetterQueueAt(arn: string, path: string): string {
    const queue = queues.find((candidate) => candidate.arn === arn);
    if (queue !== undefined) return queue.ref;
    throw new SandboxError('NOT_HOSTED', `The sandbox does not know the dead-letter queue ${arn} of ${path}.`);
  }

  /** With the attributes that AWS documents for the dead-letter queues of schedules and rules. */
  function giveUpTo(QueueUrl: string, { Arn, RetryPolicy }: DeclaredTarget, { attribute, arn }: TargetOwner): GiveUp {
    return async (payload, error) => {
      const attributes = {
        [attribute]: arn,
        TARGET_ARN: Arn,
        ERROR_CODE: error instanceof Error ? error.name : 'Error',
        ERROR_MESSAGE: error instanceof Error ? error.message : String(error),
        RETRY_ATTEMPTS: String(triesOf(RetryPolicy) - 1),
      };
      const MessageAttributes = Object.fromEntries(
        Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: 'String', StringValue }]),
      );
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: payload, MessageAttributes }));
    };
  }

  return {
    open: (target, owner, path) => {
      const { Arn, DeadLetterConfig, SqsParameters } = target;
      const send = queueAt(Arn, SqsParameters?.MessageGroupId) ?? functionAt(Arn);
      if (send === undefined)
        throw new SandboxError('NOT_HOSTED', `The sandbox does not know the target ${Arn} of ${path}.`);
      const giveUp =
        DeadLetterConfig === undefined ? drop : giveUpTo(deadLetterQueueAt(DeadLetterConfig.Arn, path), target, owner);
      return persist(target, send, giveUp);
    },
    openAny: (target, owner) => {
      const { Arn, DeadLetterConfig, SqsParameters } = target;
      const queue = anyQueueAt(Arn);
      const send = queue === undefined ? functionAt(Arn) : queueOf(queue, SqsParameters?.MessageGroupId);
      if (send === undefined) throw notSentTo(Arn);
      if (DeadLetterConfig === undefined) return persist(target, send, drop);
      const deadLetters = anyQueueAt(DeadLetterConfig.Arn);
      if (deadLetters === undefined) throw notSentTo(DeadLetterConfig.Arn);
      return persist(target, send, giveUpTo(deadLetters, target, owner));
    },
    isIdle: () => sending === 0,
  };
}

function notSentTo(arn: string): AwsServiceError {
  const message = `The sandbox sends to functions of the stacks and to queues, and not to ${arn}.`;
  return new AwsServiceError('ValidationException', message);
}

function triesOf({ MaximumRetryAttempts }: DeclaredTarget['RetryPolicy']): number {
  return 1 + Math.min(MaximumRetryAttempts, maxRetries);
}

/** Without a dead-letter queue, EventBridge drops what it cannot hand over. */
const drop: GiveUp = () => Promise.resolve();
