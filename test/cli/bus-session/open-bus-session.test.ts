import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { openBusSession } from '#cli/bus-session/open-bus-session.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { matchesPattern, readEventPattern } from '#sandbox/aws/services/event-pattern.ts';

/** Opens a session whose clients are the test. `expire` has each later call fail. */
function open(detailTypes?: readonly string[]) {
  let isExpired = false;
  const sent: object[] = [];
  const client = {
    send: async (command: { readonly input: object }) => {
      if (isExpired) throw new Error('The token is expired.');
      sent.push(command);
      return command instanceof CreateQueueCommand ? { QueueUrl: 'https://sqs/queue' } : {};
    },
  };
  const deployment = {
    environment: 'local',
    clients: { sqs: client, eventBridge: client },
    resources: async () => ({ idOf: () => 'bus', ofType: () => [] }),
  } as unknown as Deployment;
  const opened = openBusSession({
    deployment,
    command: 'tail',
    sessionId: 'id',
    ...(detailTypes !== undefined && { detailTypes }),
  });
  return { opened, sent, expire: () => (isExpired = true) };
}

describe('the rule of tail, listen and the console', () => {
  it('leaves out OnboardingRequested, which holds a person, also where its sender names Drawbridge as the source', async () => {
    const { opened, sent } = open();
    await opened;
    const [pattern = ''] = sent.flatMap((command) => {
      const { input } = command as { readonly input: { readonly EventPattern?: string } };
      return input.EventPattern ?? [];
    });
    const takes = (detailType: string) =>
      matchesPattern(readEventPattern(JSON.parse(pattern), 'rule'), {
        source: 'drawbridge',
        'detail-type': detailType,
      });
    expect(['OnboardingRequested', 'OnboardingAccepted', 'OrderStatusChanged'].map(takes)).toEqual([false, true, true]);
  });

  it('refuses OnboardingRequested by name before it makes a queue', async () => {
    const { opened, sent } = open(['OrderStatusChanged', 'OnboardingRequested']);
    await expect(opened).rejects.toThrow('holds a person');
    expect(sent).toEqual([]);
  });

  it('is named with its queue where expired credentials cannot remove them', async () => {
    const { opened, expire } = open();
    const session = await opened;
    expire();
    const lost = 'The queue of this command cannot be read any more: The token is expired.';
    await expect(session.receive(new AbortController().signal)).rejects.toThrow(lost);
    await expect(session.close()).rejects.toThrow(
      `${lost}\nNot removed: the rule and the queue drawbridge-cli-tail-id.\nNext: drawbridge doctor`,
    );
  });
});
