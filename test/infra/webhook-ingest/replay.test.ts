import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { arnOf, deployedStack, refTo, resolved, resourcesOf, theResource } from '#test/infra/deployed-stack.ts';

const service = deployedStack('service');
const replay = theResource(service, 'AWS::Lambda::Function', 'Replay');
const events = theResource(deployedStack('data'), 'AWS::DynamoDB::Table', 'Events');
const webhooks = theResource(service, 'AWS::SQS::Queue', 'Webhooks');

describe('issue 5: what is in quarantine can be replayed', () => {
  it('by a hand, which is told its name and how to begin', () => {
    expect(service.Outputs['ReplayFunction']).toMatchObject({
      Value: refTo(replay),
      Description: expect.stringContaining('Invoke it with {}'),
    });
  });

  it('and by nobody else: no schedule, rule, route or queue starts it', () => {
    const starters = ['Permission', 'EventSourceMapping', 'EventInvokeConfig', 'Url'].flatMap((kind) =>
      resourcesOf(service, `AWS::Lambda::${kind}`),
    );
    const schedules = ['AWS::Scheduler::Schedule', 'AWS::Events::Rule'].flatMap((type) => resourcesOf(service, type));
    expect(starters.length * schedules.length).toBeGreaterThan(0);
    for (const { Properties } of [...starters, ...schedules])
      expect(JSON.stringify(Properties)).not.toContain(JSON.stringify(arnOf(replay)));
  });

  it('from the events table to the webhooks queue, where store takes it', () => {
    const { Variables } = z
      .object({ Variables: z.record(z.string(), z.unknown()) })
      .parse(replay.Properties.Environment);
    expect(resolved(Variables['EVENTS_TABLE'])).toEqual(refTo(events));
    expect(Variables['QUEUE_URL']).toEqual(refTo(webhooks));
  });
});
