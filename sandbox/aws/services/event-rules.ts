import * as z from 'zod';
import type { Blueprint } from '#sandbox/aws/stacks/blueprint.ts';
import { ruleProperties } from '#sandbox/aws/stacks/eventing-types.ts';
import type { Place } from '#sandbox/aws/stacks/identity.ts';
import { AwsServiceError, type Operations } from './aws-service.ts';
import type { EventBuses } from './event-buses.ts';
import { type EventPattern, matchesPattern, readEventPattern } from './event-pattern.ts';
import type { DeclaredTarget, Send, Targets } from './targets.ts';

type RuleTarget = { readonly declared: DeclaredTarget & { readonly Id: string }; readonly send: Send };

type Rule = {
  readonly name: string;
  readonly arn: string;
  readonly bus: string;
  readonly description: string | undefined;
  readonly state: 'ENABLED' | 'DISABLED';
  readonly pattern: { readonly text: string; readonly parsed: EventPattern };
  readonly targets: ReadonlyMap<string, RuleTarget>;
};

export type EventRules = {
  /** The operations of EventBridge on rules and their targets. */
  readonly operations: Operations;
  /**
   * The targets of the enabled rules that match the event.
   *
   * @param ruleArns the rules that are asked; all of the bus unless given
   */
  readonly interested: (bus: string, event: unknown, ruleArns?: readonly string[]) => readonly Send[];
};

export type EventRulesDeps = {
  readonly place: Place;
  readonly buses: EventBuses;
  readonly targets: Targets;
  readonly onMatched?: OnMatched | undefined;
};

/** Called for each event that a rule of a bus takes. */
export type OnMatched = (matched: { readonly bus: string; readonly rule: string }) => void;

const onBus = z.object({ EventBusName: z.string().default('default') });
const ofRule = onBus.extend({ Name: z.string().min(1) });
const putRule = ofRule.extend({
  EventPattern: z.string(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  Description: z.string().optional(),
});
const ofTargets = onBus.extend({ Rule: z.string().min(1) });
const putTargets = ofTargets.extend({ Targets: ruleProperties.shape.Targets });
const removeTargets = ofTargets.extend({ Ids: z.array(z.string()).min(1) });
const listRules = onBus.extend({ NamePrefix: z.string().default('') });

/** The rules that the stacks declare, and those that are put over the API. A schedule cannot be put: the stacks declare them. */
export function createEventRules(
  declared: Blueprint['rules'],
  { place, buses, targets, onMatched = () => undefined }: EventRulesDeps,
): EventRules {
  const rules = new Map<string, Rule>();
  const keyOf = (bus: string, name: string) => `${bus}/${name}`;

  for (const { physicalName, arn, path, properties } of declared) {
    const { EventBusName, EventPattern, State: state, Targets, Description: description } = properties;
    if (EventPattern === undefined) continue;
    const bus = buses.declared(EventBusName, path);
    const pattern = { text: JSON.stringify(EventPattern), parsed: readEventPattern(EventPattern, path) };
    const opened = Targets.map((target) => ({
      declared: target,
      send: targets.open(target, { attribute: 'RULE_ARN', arn }, path),
    }));
    const name = physicalName;
    rules.set(keyOf(bus, name), { name, arn, bus, description, state, pattern, targets: byId(opened) });
  }

  function find({ Name, EventBusName }: z.infer<typeof ofRule>): Rule {
    const rule = rules.get(keyOf(buses.find(EventBusName), Name));
    if (rule !== undefined) return rule;
    throw new AwsServiceError('ResourceNotFoundException', `Rule ${Name} does not exist on EventBus ${EventBusName}.`);
  }

  function save(rule: Rule): void {
    rules.set(keyOf(rule.bus, rule.name), rule);
  }

  const inState = (state: Rule['state']) => (input: unknown) => {
    save({ ...find(ofRule.parse(input)), state });
    return {};
  };

  const operations: Operations = {
    PutRule: (input) => {
      const {
        Name: name,
        EventBusName,
        EventPattern: text,
        State: state,
        Description: description,
      } = putRule.parse(input);
      const bus = buses.find(EventBusName);
      const own = bus === 'default' ? name : keyOf(bus, name);
      const known = rules.get(keyOf(bus, name));
      const arn = known?.arn ?? `arn:aws:events:${place.region}:${place.account}:rule/${own}`;
      const pattern = { text, parsed: readPattern(text) };
      save({ name, arn, bus, description, state, pattern, targets: known?.targets ?? new Map() });
      return { RuleArn: arn };
    },
    PutTargets: (input) => {
      const { Rule: Name, EventBusName, Targets } = putTargets.parse(input);
      const rule = find({ Name, EventBusName });
      const opened = Targets.map((target) => ({
        declared: target,
        send: targets.openAny(target, { attribute: 'RULE_ARN', arn: rule.arn }),
      }));
      save({ ...rule, targets: new Map([...rule.targets, ...byId(opened)]) });
      return { FailedEntryCount: 0, FailedEntries: [] };
    },
    RemoveTargets: (input) => {
      const { Rule: Name, EventBusName, Ids } = removeTargets.parse(input);
      const rule = find({ Name, EventBusName });
      save({ ...rule, targets: new Map([...rule.targets].filter(([id]) => !Ids.includes(id))) });
      return { FailedEntryCount: 0, FailedEntries: [] };
    },
    DeleteRule: (input) => {
      const rule = find(ofRule.parse(input));
      if (rule.targets.size > 0)
        throw new AwsServiceError('ValidationException', "Rule can't be deleted since it has targets.");
      rules.delete(keyOf(rule.bus, rule.name));
      return {};
    },
    EnableRule: inState('ENABLED'),
    DisableRule: inState('DISABLED'),
    DescribeRule: (input) => show(find(ofRule.parse(input))),
    ListRules: (input) => {
      const { EventBusName, NamePrefix } = listRules.parse(input);
      const bus = buses.find(EventBusName);
      return {
        Rules: [...rules.values()].filter((rule) => rule.bus === bus && rule.name.startsWith(NamePrefix)).map(show),
      };
    },
    ListTargetsByRule: (input) => {
      const { Rule: Name, EventBusName } = ofTargets.parse(input);
      return { Targets: [...find({ Name, EventBusName }).targets.values()].map(({ declared: target }) => target) };
    },
  };

  return {
    operations,
    interested: (bus, event, ruleArns) =>
      [...rules.values()]
        .filter((rule) => rule.bus === bus && rule.state === 'ENABLED' && (ruleArns?.includes(rule.arn) ?? true))
        .filter((rule) => matchesPattern(rule.pattern.parsed, event))
        .flatMap((rule) => {
          onMatched({ bus, rule: rule.name });
          return [...rule.targets.values()].map(({ send }) => send);
        }),
  };
}

function byId(targets: readonly RuleTarget[]): ReadonlyMap<string, RuleTarget> {
  return new Map(targets.map((target) => [target.declared.Id, target]));
}

function readPattern(text: string): EventPattern {
  try {
    return readEventPattern(JSON.parse(text), 'the rule');
  } catch (error) {
    throw new AwsServiceError('InvalidEventPatternException', `Event pattern is not valid. Reason: ${String(error)}`);
  }
}

function show({ name, arn, bus, description, state, pattern }: Rule) {
  return {
    Name: name,
    Arn: arn,
    EventBusName: bus,
    Description: description,
    State: state,
    EventPattern: pattern.text,
  };
}
