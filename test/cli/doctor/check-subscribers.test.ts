import {
  ListRulesCommand,
  PutRuleCommand,
  PutTargetsCommand,
  type RuleState,
  type Target,
} from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { checkSubscribers } from '#cli/doctor/check-subscribers.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';

let emulators: Emulators;
beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: true });
});
afterAll(() => emulators.close());

const arn = (queue: string) => `arn:aws:sqs:eu-central-1:000000000000:${queue}`;

describe('cli doctor: checkSubscribers', () => {
  async function put(Name: string, State: RuleState, ...Targets: readonly Target[]): Promise<void> {
    const { eventBridge, busName: EventBusName } = emulators;
    const EventPattern = JSON.stringify({ 'detail-type': ['NoSuchEvent'] });
    await eventBridge.send(new PutRuleCommand({ EventBusName, Name, EventPattern, State }));
    if (Targets.length > 0)
      await eventBridge.send(new PutTargetsCommand({ EventBusName, Rule: Name, Targets: [...Targets] }));
  }

  it('finds a disabled rule, a target without a dead-letter queue, and events in the dead-letter queue of a subscriber', async () => {
    const { sqs, eventBridge, busName } = emulators;
    const { Rules = [] } = await eventBridge.send(new ListRulesCommand({ EventBusName: busName }));
    const ownRules = Rules.map(({ Name }) => ({ physicalId: `${busName}|${Name}` }));
    const deployment = {
      clients: { sqs, eventBridge },
      resources: async () => ({ idOf: () => busName, ofType: () => ownRules }),
    } as unknown as Deployment;
    expect(await checkSubscribers(deployment)).toEqual([expect.objectContaining({ result: 'good' })]);

    const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'changes-dlq' }));
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}' }));
    const target = { Id: 'queue', Arn: arn('changes') };
    await put('asleep', 'DISABLED', target);
    await put('failing', 'ENABLED', { ...target, DeadLetterConfig: { Arn: arn('changes-dlq') } });
    await put('unread', 'ENABLED', { ...target, DeadLetterConfig: { Arn: arn('no-such-queue') } });
    await put('aimless', 'ENABLED');
    await put('drawbridge-cli-tail-0', 'ENABLED');
    const found = await checkSubscribers(deployment);
    expect(found.map(({ detail, result }) => `${result}: ${detail}`)).toEqual([
      expect.stringMatching(/^problem: the rule asleep is disabled/),
      expect.stringMatching(/^problem: the target .*:changes of the rule asleep has no dead-letter queue/),
      expect.stringMatching(/^problem: 1 events of the rule failing are in the dead-letter queue .*:changes-dlq$/),
      expect.stringMatching(/^unknown: the dead-letter queue .*:no-such-queue of the rule unread cannot be read: /),
      expect.stringMatching(/^problem: the rule aimless has no target$/),
      expect.stringMatching(/^good: the rule drawbridge-cli-tail-0 belongs to a command that watches the bus\. /),
    ]);
    for (const { remedy } of found) expect(remedy).toEqual(expect.any(String));
  });
});
