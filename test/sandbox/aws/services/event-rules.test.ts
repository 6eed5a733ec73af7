import {
  DeleteRuleCommand,
  DescribeArchiveCommand,
  DescribeReplayCommand,
  DisableRuleCommand,
  EventBridgeClient,
  ListArchivesCommand,
  ListRulesCommand,
  ListTargetsByRuleCommand,
  PutEventsCommand,
  PutRuleCommand,
  PutTargetsCommand,
  RemoveTargetsCommand,
  StartReplayCommand,
} from '@aws-sdk/client-eventbridge';
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { EventBus, Match, Rule } from 'aws-cdk-lib/aws-events';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FixtureHost, startFixture } from '#test/sandbox/aws/fixture-host.ts';
import { depthOf, takeMessage } from '#test/sandbox/aws/lambda/queue-fixture.ts';

const EventBusName = 'fixture-changes';
const busArn = `arn:aws:events:eu-central-1:000000000000:event-bus/${EventBusName}`;
const queueArn = (name: string) => `arn:aws:sqs:eu-central-1:000000000000:${name}`;

let fixture: FixtureHost;
let events: EventBridgeClient;
let time = Date.UTC(2026, 10, 21, 8);
beforeAll(async () => {
  fixture = await startFixture(
    (stack) => {
      const eventBus = new EventBus(stack, 'Changes', { eventBusName: EventBusName });
      eventBus.archive('Kept', { eventPattern: { detailType: Match.anythingBut('Private') } });
      const declared = new Rule(stack, 'Declared', { eventBus, eventPattern: { detailType: ['Declared'] } });
      declared.addTarget(new SqsQueue(new Queue(stack, 'Orders')));
      new Queue(stack, 'Others');
    },
    { now: () => new Date(time) },
  );
  const { awsOrigin: endpoint, region } = fixture.host.place;
  events = new EventBridgeClient({ endpoint, region, credentials: { accessKeyId: 'any', secretAccessKey: 'any' } });
});
afterAll(async () => {
  events.destroy();
  await fixture.close();
});

async function publish(DetailType: string, detail: object = {}): Promise<void> {
  const Entries = [{ EventBusName, Source: 'drawbridge', DetailType, Detail: JSON.stringify(detail) }];
  expect(await events.send(new PutEventsCommand({ Entries }))).toMatchObject({ FailedEntryCount: 0 });
}

async function putRule(Name: string, detailType: string, target: string): Promise<string> {
  const EventPattern = JSON.stringify({ 'detail-type': [detailType] });
  const { RuleArn = '' } = await events.send(new PutRuleCommand({ Name, EventBusName, EventPattern }));
  const Targets = [{ Id: 'queue', Arn: queueArn(target) }];
  await events.send(new PutTargetsCommand({ Rule: Name, EventBusName, Targets }));
  return RuleArn;
}

const namesOf = async () => {
  const { Rules = [] } = await events.send(new ListRulesCommand({ EventBusName }));
  return Rules.map(({ Name }) => Name);
};

describe('sandbox aws: a rule that is put over the API', () => {
  it('sends what matches it to its targets, also to a queue that the stacks do not declare', async () => {
    await fixture.host.clients.sqs.send(new CreateQueueCommand({ QueueName: 'made-by-hand' }));
    await putRule('by-hand', 'ByHand', 'made-by-hand');
    await publish('ByHand', { version: 1 });
    const handMade = { ...fixture, queueUrl: () => `${fixture.host.place.awsOrigin}/000000000000/made-by-hand` };
    expect(JSON.parse((await takeMessage(handMade, 'made-by-hand')) ?? '')).toMatchObject({ detail: { version: 1 } });
    expect(await namesOf()).toEqual(['fixture-declared', 'by-hand']);
    expect(await events.send(new ListTargetsByRuleCommand({ Rule: 'by-hand', EventBusName }))).toMatchObject({
      Targets: [{ Id: 'queue', Arn: queueArn('made-by-hand') }],
    });
  });

  it('is refused a dead-letter queue that is no queue, by the ARN of that', async () => {
    await putRule('refused', 'Refused', 'fixture-others');
    const DeadLetterConfig = { Arn: 'arn:aws:sns:eu-central-1:000000000000:topic' };
    const Targets = [{ Id: 'queue', Arn: queueArn('fixture-others'), DeadLetterConfig }];
    const put = events.send(new PutTargetsCommand({ Rule: 'refused', EventBusName, Targets }));
    await expect(put).rejects.toThrow(`and not to ${DeadLetterConfig.Arn}.`);
  });

  it('sends nothing while it is disabled, and can be deleted when it has no targets', async () => {
    await putRule('off', 'Off', 'fixture-others');
    await events.send(new DisableRuleCommand({ Name: 'off', EventBusName }));
    await publish('Off');
    const remove = () => events.send(new DeleteRuleCommand({ Name: 'off', EventBusName }));
    await expect(remove()).rejects.toMatchObject({ name: 'ValidationException' });
    await events.send(new RemoveTargetsCommand({ Rule: 'off', EventBusName, Ids: ['queue'] }));
    await remove();
    expect(await namesOf()).not.toContain('off');
    expect(await depthOf(fixture, 'others')).toEqual({ visible: 0, inFlight: 0 });
  });
});

describe('sandbox aws: a replay of an archive', () => {
  it('sends the events of its time again to the rules that it names, and to no others', async () => {
    time += 60_000;
    const EventStartTime = new Date(time);
    await publish('Private');
    await publish('Declared', { version: 1 });
    expect(await takeMessage(fixture, 'orders')).toContain('"version":1');
    time += 60_000;
    const EventEndTime = new Date(time - 1);
    await publish('Declared', { version: 2 });
    expect(await takeMessage(fixture, 'orders')).toContain('"version":2');
    const rule = await putRule('replayed', 'Declared', 'fixture-others');

    const { Archives = [] } = await events.send(new ListArchivesCommand({}));
    expect(Archives).toMatchObject([{ ArchiveName: 'fixture-kept', EventSourceArn: busArn, State: 'ENABLED' }]);
    const { ArchiveArn: EventSourceArn } = await events.send(
      new DescribeArchiveCommand({ ArchiveName: 'fixture-kept' }),
    );
    const Destination = { Arn: busArn, FilterArns: [rule] };
    const replay = { ReplayName: 'backfill', EventSourceArn, EventStartTime, EventEndTime, Destination };
    await events.send(new StartReplayCommand(replay));

    const replayed = JSON.parse((await takeMessage(fixture, 'others')) ?? '');
    expect(replayed).toMatchObject({ 'replay-name': 'backfill', 'detail-type': 'Declared', detail: { version: 1 } });
    expect(await depthOf(fixture, 'others')).toEqual({ visible: 0, inFlight: 0 });
    expect(await depthOf(fixture, 'orders')).toEqual({ visible: 0, inFlight: 0 });
    expect(await events.send(new DescribeReplayCommand({ ReplayName: 'backfill' }))).toMatchObject({
      State: 'COMPLETED',
      EventStartTime,
    });
    await expect(events.send(new StartReplayCommand(replay))).rejects.toMatchObject({
      name: 'ResourceAlreadyExistsException',
    });
  });
});
