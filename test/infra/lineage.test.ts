import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { detailTypeOf, entityEvents, otherDetails } from '#shared/bus/event-details.ts';
import { onboardingDetails } from '#shared/onboarding/onboarding-event.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';
import { grantsOf } from '#test/infra/stacks/granted-permissions.ts';
import { deployedResources } from './deployed-resources.ts';

const service = deployedResources('service');
const functions = service.filter(({ Type }) => Type === 'AWS::Lambda::Function');

/** Where a function or a queue sends messages or invocations: both by the last part of their names. */
type Edge = readonly [from: string, to: string];

const nameIn = (reference: string) => /([^</>.]+)(?:\.\w+)?>$/.exec(reference)?.[1] ?? reference;

/** Actions by which a function starts another one, over a queue or directly. */
const starting = new Set(['sqs:SendMessage', 'lambda:InvokeFunction', 'lambda:InvokeAsync', 'sns:Publish']);

const published: ReadonlySet<string> = new Set([
  ...Object.keys(onboardingDetails),
  ...Object.keys(otherDetails),
  ...entityEvents.flatMap(({ what }) => entityKinds.map((kind) => detailTypeOf(kind, what))),
]);

const rule = z.object({
  EventPattern: z.object({ 'detail-type': z.array(z.string()).optional() }),
  Targets: z.array(z.object({ Arn: z.string() })).default([]),
});

/** The targets of rules that take what our functions publish. Lambda does not follow the bus; this test does. */
const ofBus = service
  .filter(({ Type }) => Type === 'AWS::Events::Rule')
  .map(({ Properties }) => rule.parse(Properties))
  .filter(({ EventPattern: { 'detail-type': taken } }) => taken?.some((type) => published.has(type)) ?? true)
  .flatMap(({ Targets }) => Targets.map(({ Arn }) => nameIn(Arn)));

const ofFunctions = functions.flatMap(({ name }) =>
  grantsOf(service, `${name}/Role`).flatMap(({ action, resource }): readonly Edge[] => {
    if (action === 'events:PutEvents') return ofBus.map((target) => [nameIn(`<${name}>`), target]);
    return starting.has(action) ? [[nameIn(`<${name}>`), nameIn(resource)]] : [];
  }),
);
const ofQueues = service
  .filter(({ Type }) => Type === 'AWS::Lambda::EventSourceMapping')
  .map(
    ({ Properties }): Edge => [
      nameIn(String(Properties['EventSourceArn'])),
      nameIn(String(Properties['FunctionName'])),
    ],
  );
const edges = [...ofFunctions, ...ofQueues];

/** Every way from a node to its end. A way that comes back to itself ends there. */
function waysFrom(
  node: string,
  given: readonly Edge[],
  before: readonly string[] = [],
): readonly (readonly string[])[] {
  const way = [...before, node];
  const next = given.filter(([from]) => from === node).map(([, to]) => to);
  if (before.includes(node) || next.length === 0) return [way];
  return [...new Set(next)].flatMap((one) => waysFrom(one, given, way));
}

/** Every way from every function. */
const chainsIn = (given: readonly Edge[]) => functions.flatMap(({ name }) => waysFrom(nameIn(`<${name}>`), given));
const isCycle = (chain: readonly string[]) => new Set(chain).size < chain.length;

describe('a function', () => {
  it('is in no cycle, over queues, the bus or direct invocations', () => {
    expect(chainsIn(edges).filter(isCycle)).toEqual([]);
  });

  it('would be in a cycle if advance sent to the queue that invokes it', () => {
    const cycles = chainsIn([...edges, ['Advance', 'Onboarding']]).filter(isCycle);
    expect(cycles).toContainEqual(['Advance', 'Onboarding', 'Advance']);
  });

  it('is only in chains that the architecture lists', () => {
    const chains = chainsIn(edges).filter((chain) => chain.length > 1);
    const reached = new Set(chains.flatMap((chain) => chain.slice(1)));
    const whole = chains.filter(([start = '']) => !reached.has(start)).map((chain) => chain.join(' → '));
    const page = readFileSync(join(import.meta.dirname, '../../docs/explanation/architecture.md'), 'utf8');
    expect(whole.length).toBeGreaterThan(3);
    expect(whole.filter((chain) => !page.includes(chain))).toEqual([]);
  });
});
