import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { openBusSession } from '#cli/bus-session/open-bus-session.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { matchesPattern, readEventPattern } from '#sandbox/aws/services/event-pattern.ts';

/** Opens a session whose clients are the test. */
function open(detailTypes?: readonly string[]) {
  const sent: object[] = [];
  const client = {
    send: async (command: { readonly input: object }) => {
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
  return { opened, sent };
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
});
