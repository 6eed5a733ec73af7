import {
  DeleteRuleCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { CommandError, messageOf } from '#cli/command/command-error.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { busSource } from '#shared/bus/bus.ts';
import { requestDetailType } from '#shared/bus/event-details.ts';
import { parseJson } from '#shared/parse-json.ts';

/** An event of the bus, as EventBridge hands it to a queue. */
const busEvent = z.object({
  id: z.string(),
  'detail-type': z.string(),
  source: z.string(),
  time: z.string(),
  detail: z.record(z.string(), z.unknown()),
});

/** An event of the bus, which holds ids and statuses. */
export type BusEvent = {
  /** The id that EventBridge gave it. */
  readonly busEventId: string;
  readonly detailType: string;
  readonly time: string;
  readonly detail: Readonly<Record<string, unknown>>;
};

/** A rule and a queue only of this command, which get the events of the bus from now on. */
export type BusSession = {
  /** Waits up to 5 seconds for events, unless the signal aborts. */
  readonly receive: (signal: AbortSignal) => Promise<readonly BusEvent[]>;
  /** Removes the rule and the queue. @throws {CommandError} naming them, if they cannot be removed */
  readonly close: () => Promise<void>;
};

export type BusSessionProps = {
  readonly deployment: Pick<Deployment, 'environment' | 'clients' | 'resources'>;
  /** Which command opens the session: part of the names. */
  readonly command: 'tail' | 'listen' | 'console';
  /** Distinguishes this session from others at the same time. */
  readonly sessionId: string;
  /** Only events of these detail-types; unless given, all of Drawbridge but `OnboardingRequested`. */
  readonly detailTypes?: readonly string[];
};

/** The names of the rules and queues of a session begin with this. */
export const sessionPrefix = 'drawbridge-cli-';

/** The id of the only target of such a rule. */
export const sessionTarget = 'queue';

const waitSeconds = 5;

/** What a process leaves behind that was killed: the queue holds nothing after this time. In seconds. */
const retention = 3_600;

/**
 * Subscribes to the bus by a rule and a queue, on this machine and on AWS. Close the session in a `finally`.
 *
 * @throws {CommandError} if the rule or the queue cannot be made, and for `OnboardingRequested`
 */
export async function openBusSession(props: BusSessionProps): Promise<BusSession> {
  const { deployment, command, sessionId, detailTypes } = props;
  if (detailTypes?.includes(requestDetailType) === true)
    throw new CommandError(
      `An event ${requestDetailType} holds a person, which no queue of a command may keep.`,
      `leave ${requestDetailType} out. OnboardingAccepted or OnboardingRejected follows it.`,
    );
  const { sqs, eventBridge } = deployment.clients;
  const bus = (await deployment.resources()).idOf('bus', 'Bus');
  const name = `${sessionPrefix}${command}-${sessionId}`;
  const undo: { readonly what: 'rule' | 'queue'; readonly remove: () => Promise<unknown> }[] = [];
  let lost: string | undefined;
  const close = async () => {
    const left = new Set<string>();
    let cause: unknown;
    for (const { what, remove } of undo.splice(0).reverse())
      await remove().catch((error: unknown) => {
        left.add(what);
        cause ??= error;
      });
    if (left.size === 0) return;
    throw new CommandError(
      // The error that came first says more.
      `${lost ?? messageOf(cause)}\nNot removed: the ${[...left].join(' and the ')} ${name}.`,
      'drawbridge doctor, with valid credentials, has the commands that remove them.',
      { cause },
    );
  };

  try {
    const { QueueUrl } = await sqs.send(
      new CreateQueueCommand({ QueueName: name, Attributes: { MessageRetentionPeriod: String(retention) } }),
    );
    undo.push({ what: 'queue', remove: () => sqs.send(new DeleteQueueCommand({ QueueUrl })) });
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
    const Arn = Attributes?.QueueArn;
    // As in the archive: every sender may name Drawbridge as the source.
    const pattern = { source: [busSource], 'detail-type': detailTypes ?? [{ 'anything-but': [requestDetailType] }] };
    const { RuleArn } = await eventBridge.send(
      new PutRuleCommand({ Name: name, EventBusName: bus, EventPattern: JSON.stringify(pattern) }),
    );
    undo.push({
      what: 'rule',
      remove: () => eventBridge.send(new DeleteRuleCommand({ Name: name, EventBusName: bus })),
    });
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy: writePolicy(Arn, RuleArn) } }));
    await eventBridge.send(
      new PutTargetsCommand({ Rule: name, EventBusName: bus, Targets: [{ Id: sessionTarget, Arn }] }),
    );
    undo.push({
      what: 'rule',
      remove: () => eventBridge.send(new RemoveTargetsCommand({ Rule: name, EventBusName: bus, Ids: [sessionTarget] })),
    });
    return { close, receive: (signal) => receive(QueueUrl, signal) };
  } catch (cause) {
    await close().catch(() => undefined);
    const reason = messageOf(cause);
    throw new CommandError(
      `The bus cannot be subscribed to: ${reason}`,
      cause instanceof Error && /AccessDenied|NotAuthorized/.test(cause.name)
        ? 'allow the policy of an operator: drawbridge policy operator.'
        : 'drawbridge doctor',
      { cause },
    );
  }

  async function receive(QueueUrl: string | undefined, signal: AbortSignal): Promise<readonly BusEvent[]> {
    try {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: waitSeconds }),
        { abortSignal: signal },
      );
      if (Messages.length > 0)
        await sqs.send(
          new DeleteMessageBatchCommand({
            QueueUrl,
            Entries: Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle })),
          }),
        );
      return Messages.flatMap(({ Body = '' }) => {
        const { data } = busEvent.safeParse(parseJson(Body));
        if (data === undefined) return [];
        const { id: busEventId, 'detail-type': detailType, time, detail } = data;
        return [{ busEventId, detailType, time, detail }];
      });
    } catch (error) {
      if (signal.aborted) return [];
      lost = `The queue of this command cannot be read any more: ${messageOf(error)}`;
      throw new CommandError(lost, 'run the command again, with valid credentials.', { cause: error });
    }
  }
}

function writePolicy(queueArn: string | undefined, ruleArn: string | undefined): string {
  return JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: 'events.amazonaws.com' },
        Action: 'sqs:SendMessage',
        Resource: queueArn,
        Condition: { ArnEquals: { 'aws:SourceArn': ruleArn } },
      },
    ],
  });
}
