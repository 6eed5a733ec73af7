import { ListRulesCommand, ListTargetsByRuleCommand, type Rule, type Target } from '@aws-sdk/client-eventbridge';
import { sessionPrefix } from '#cli/bus-session/open-bus-session.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';

/** Not the rules of the archive, and not those of `tail` and `listen`. */
export function isSubscriber({ Name = '', ManagedBy }: Rule): boolean {
  return ManagedBy === undefined && !Name.startsWith(sessionPrefix);
}

/** The names of the rules that the stacks of Drawbridge have on the bus. */
export async function readOwnRules({ resources }: Pick<Deployment, 'resources'>): Promise<ReadonlySet<string>> {
  // CloudFormation refers to a rule of an own bus by `bus|rule`.
  return new Set(
    (await resources()).ofType('AWS::Events::Rule').map(({ physicalId }) => physicalId.split('|').at(-1) ?? ''),
  );
}

/** The rules that others have on the bus. */
export async function listSubscriberRules(deployment: Deployment, bus: string): Promise<readonly Rule[]> {
  const [rules, own] = await Promise.all([listRules(deployment, bus), readOwnRules(deployment)]);
  return rules.filter((rule) => isSubscriber(rule) && !own.has(rule.Name ?? ''));
}

/** A rule of a subscriber, with the ARNs of what gets its events. */
type Subscription = {
  readonly rule: string;
  readonly enabled: boolean;
  readonly targets: readonly (string | undefined)[];
};

/** The rules of subscribers with their targets. */
export async function readSubscriptions(deployment: Deployment): Promise<readonly Subscription[]> {
  const bus = (await deployment.resources()).idOf('bus', 'Bus');
  const rules = await listSubscriberRules(deployment, bus);
  return Promise.all(
    rules.map(async (rule) => ({
      rule: rule.Name ?? '',
      enabled: rule.State !== 'DISABLED',
      targets: (await listTargets(deployment, bus, rule)).map(({ Arn }) => Arn),
    })),
  );
}

export async function listRules({ clients }: Deployment, EventBusName: string): Promise<readonly Rule[]> {
  const all: Rule[] = [];
  let NextToken: string | undefined;
  do {
    const page = await clients.eventBridge.send(new ListRulesCommand({ EventBusName, NextToken }));
    all.push(...(page.Rules ?? []));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  return all;
}

/** A rule has five targets at most, so they come in one page. */
export async function listTargets(
  { clients }: Deployment,
  EventBusName: string,
  { Name }: Rule,
): Promise<readonly Target[]> {
  const { Targets = [] } = await clients.eventBridge.send(new ListTargetsByRuleCommand({ EventBusName, Rule: Name }));
  return Targets;
}
