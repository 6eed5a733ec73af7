import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { arnOf, deployedStack, refTo, resolved, resourcesOf, theResource } from '#test/infra/deployed-stack.ts';

const service = deployedStack('service');
const replay = theResource(service, 'AWS::Lambda::Function', 'Replay');
const events = theResource(deployedStack('data'), 'AWS::DynamoDB::Table', 'Events');
const webhooks = theResource(deployedStack('data'), 'AWS::SQS::Queue', 'Webhooks');

describe('the replay of quarantined events', () => {
  it('has an output with the function name and the first step for an operator', () => {
    expect(service.Outputs['ReplayFunction']).toMatchObject({
      Value: refTo(replay),
      Description: expect.stringContaining('Invoke it with {}'),
    });
  });

  it('has no trigger: no schedule, rule, route or queue starts it', () => {
    const starters = ['Permission', 'EventSourceMapping', 'EventInvokeConfig', 'Url'].flatMap((kind) =>
      resourcesOf(service, `AWS::Lambda::${kind}`),
    );
    const schedules = ['AWS::Scheduler::Schedule', 'AWS::Events::Rule'].flatMap((type) => resourcesOf(service, type));
    expect(starters.length * schedules.length).toBeGreaterThan(0);
    for (const { Properties } of [...starters, ...schedules])
      expect(JSON.stringify(Properties)).not.toContain(JSON.stringify(arnOf(replay)));
  });

  it('reads the events table and sends to the webhooks queue of store', () => {
    const { Variables } = z
      .object({ Variables: z.record(z.string(), z.unknown()) })
      .parse(replay.Properties.Environment);
    expect(resolved(Variables['EVENTS_TABLE'])).toEqual(refTo(events));
    expect(resolved(Variables['QUEUE_URL'])).toEqual(refTo(webhooks));
  });
});
