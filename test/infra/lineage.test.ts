import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Template } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { detailTypeOf } from '#shared/bus/detail-type.ts';
import { entityEvents, otherEvents } from '#shared/bus/event-details.ts';
import { onboardingDetails } from '#shared/onboarding/onboarding-event.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';
import { arnOf, type Deployed, deployedStack, pathOf, resolved, resourcesOf } from './deployed-stack.ts';
import { roleOf, statementsOf } from './policy-statements.ts';

/** Node by node, where its messages and invocations go. A node is a function, a queue or a bus, by its JSON reference. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const data = deployedStack('data');
const service = deployedStack('service');

/** Actions by which a function starts another one, over a queue or directly. */
const starting = new Set(['sqs:SendMessage', 'lambda:InvokeFunction', 'lambda:InvokeAsync', 'sns:Publish']);

const keyOf = (reference: unknown) => JSON.stringify(resolved(reference));

const mapping = z.object({ EventSourceArn: z.unknown(), FunctionName: z.object({ Ref: z.string() }) });

const rule = z.object({
  EventPattern: z.object({ 'detail-type': z.array(z.string()).optional() }),
  Targets: z.array(z.object({ Arn: z.unknown() })).default([]),
});

/** Who may start whom. The bus is followed where a rule takes what our functions publish, although Lambda does not follow it. */
function graphOf(template: Template): Graph {
  const edges = new Map<string, Set<string>>();
  const add = (from: string, to: string) => edges.set(from, (edges.get(from) ?? new Set()).add(to));
  const functions = resourcesOf(template, 'AWS::Lambda::Function');
  const targets = resourcesOf(template, 'AWS::Events::Rule')
    .map(({ Properties }) => rule.parse(Properties))
    .filter(({ EventPattern: { 'detail-type': taken } }) => taken?.some((type) => published.has(type)) ?? true)
    .flatMap(({ Targets }) => Targets.map(({ Arn }) => keyOf(Arn)));
  for (const lambda of functions) {
    for (const { Action, Resource } of statementsOf(template, roleOf(template, lambda))) {
      expect(Action.filter((action) => action.includes('*'))).toEqual([]);
      if (Action.some((action) => starting.has(action)))
        for (const one of Resource) add(keyOf(arnOf(lambda)), keyOf(one));
      if (Action.includes('events:PutEvents')) for (const target of targets) add(keyOf(arnOf(lambda)), target);
    }
  }
  for (const { Properties } of resourcesOf(template, 'AWS::Lambda::EventSourceMapping')) {
    const { EventSourceArn, FunctionName } = mapping.parse(Properties);
    add(keyOf(EventSourceArn), keyOf({ 'Fn::GetAtt': [FunctionName.Ref, 'Arn'] }));
  }
  return edges;
}

const published: ReadonlySet<string> = new Set([
  ...Object.keys(onboardingDetails),
  ...otherEvents.map(({ detailType }) => detailType),
  ...entityEvents.flatMap(({ what }) => entityKinds.map((kind) => detailTypeOf(kind, what))),
]);

/** Every way from a node to its end. A way that comes back to itself ends there. */
function waysFrom(graph: Graph, node: string, before: readonly string[] = []): readonly (readonly string[])[] {
  const way = [...before, node];
  const next = [...(graph.get(node) ?? [])];
  if (before.includes(node) || next.length === 0) return [way];
  return next.flatMap((one) => waysFrom(graph, one, way));
}

const nameOf = (one: Deployed) => pathOf(one).at(one.Type === 'AWS::Lambda::Function' ? -3 : -2) ?? '';

const nodes = [
  ...resourcesOf(service, 'AWS::Lambda::Function'),
  ...[service, data].flatMap((stack) => resourcesOf(stack, 'AWS::SQS::Queue')),
];
const names = new Map(nodes.map((one) => [keyOf(arnOf(one)), nameOf(one)]));

/** Every way from every function, by names. */
function chainsIn(graph: Graph): readonly (readonly string[])[] {
  return resourcesOf(service, 'AWS::Lambda::Function').flatMap((lambda) =>
    waysFrom(graph, keyOf(arnOf(lambda))).map((way) => way.map((node) => names.get(node) ?? node)),
  );
}

const isCycle = (chain: readonly string[]) => new Set(chain).size < chain.length;

/** The stack with a further permission of a function. */
function withGrant(lambda: Deployed, queue: unknown): Template {
  const policy = resourcesOf(service, 'AWS::IAM::Policy').find(({ Properties }) =>
    JSON.stringify(Properties.Roles).includes(roleOf(service, lambda).id),
  );
  if (policy === undefined) throw new Error('The function has no policy.');
  const { Metadata, Type, Properties } = policy;
  const { PolicyDocument } = z
    .object({ PolicyDocument: z.looseObject({ Statement: z.array(z.unknown()) }) })
    .parse(Properties);
  const Statement = [...PolicyDocument.Statement, { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: queue }];
  const changed = { Metadata, Type, Properties: { ...Properties, PolicyDocument: { ...PolicyDocument, Statement } } };
  return { ...service, Resources: { ...service.Resources, [policy.id]: { ...policy, ...changed } } };
}

function nodeNamed(name: string): Deployed {
  const node = nodes.find((one) => nameOf(one) === name);
  if (node === undefined) throw new Error(`There is no ${name}.`);
  return node;
}

describe('the functions', () => {
  it('are in no cycle, over queues, the bus or direct invocations', () => {
    expect(chainsIn(graphOf(service)).filter(isCycle)).toEqual([]);
  });

  it('would be in a cycle if advance sent to the queue that invokes it', () => {
    const graph = graphOf(withGrant(nodeNamed('Advance'), arnOf(nodeNamed('Onboarding'))));
    expect(chainsIn(graph).filter(isCycle)).toContainEqual(['Advance', 'Onboarding', 'Advance']);
  });

  it('have the chains that the architecture lists', () => {
    const chains = chainsIn(graphOf(service)).filter((chain) => chain.length > 1);
    const starts = new Set(chains.map(([start]) => start));
    const reached = new Set(chains.flatMap((chain) => chain.slice(1)));
    const whole = chains.filter(([start = '']) => starts.has(start) && !reached.has(start));
    const page = readFileSync(join(import.meta.dirname, '../../docs/explanation/architecture.md'), 'utf8');
    const missing = whole.map((chain) => chain.join(' → ')).filter((chain) => !page.includes(chain));
    expect(missing).toEqual([]);
  });
});
