import type * as z from 'zod';
import { alarmProperties, compositeAlarmProperties } from '#sandbox/aws/cloud-watch/alarm-types.ts';
import { isMeasured } from '#sandbox/aws/cloud-watch/metric-store.ts';
import { SandboxError } from '#sandbox/errors.ts';
import { plainMessage, valueAt } from '#shared/plain-message.ts';
import type { Resource, SynthesizedStack } from './cloud-assembly.ts';
import * as eventing from './eventing-types.ts';
import * as http from './http-api-types.ts';
import * as iam from './iam-types.ts';
import { type Identity, identify, nameResources, type Place, stackId } from './identity.ts';
import { type References, resolveIntrinsics } from './intrinsics.ts';
import * as types from './resource-types.ts';

/** A resource as the sandbox creates it: its names, and its properties with all references resolved. */
export type Declared<Properties> = Identity & { readonly properties: Properties };

type Hosted<Schema extends z.ZodType> = readonly Declared<z.output<Schema>>[];

/** A stack as CloudFormation describes it. */
export type DescribedStack = {
  readonly name: string;
  readonly id: string;
  readonly description: string | undefined;
  readonly outputs: readonly {
    readonly key: string;
    readonly value: string;
    readonly description: string | undefined;
    readonly exportName: string | undefined;
  }[];
  readonly resources: readonly {
    readonly logicalId: string;
    readonly physicalId: string;
    readonly type: string;
  }[];
};

/** All that the stacks declare, of what the sandbox hosts. */
export type Blueprint = {
  readonly stacks: readonly DescribedStack[];
  readonly tables: Hosted<typeof types.tableProperties>;
  readonly queues: Hosted<typeof types.queueProperties>;
  readonly secrets: Hosted<typeof types.secretProperties>;
  readonly functions: Hosted<typeof types.functionProperties>;
  readonly eventSourceMappings: Hosted<typeof types.eventSourceMappingProperties>;
  readonly eventInvokeConfigs: Hosted<typeof types.eventInvokeConfigProperties>;
  readonly apis: Hosted<typeof http.apiProperties>;
  readonly integrations: Hosted<typeof http.integrationProperties>;
  readonly routes: Hosted<typeof http.routeProperties>;
  readonly stages: Hosted<typeof http.stageProperties>;
  readonly schedules: Hosted<typeof eventing.scheduleProperties>;
  readonly eventBuses: Hosted<typeof eventing.eventBusProperties>;
  readonly rules: Hosted<typeof eventing.ruleProperties>;
  readonly archives: Hosted<typeof eventing.archiveProperties>;
  readonly roles: Hosted<typeof iam.roleProperties>;
  readonly policies: Hosted<typeof iam.policyProperties>;
  readonly alarms: Hosted<typeof alarmProperties>;
  readonly compositeAlarms: Hosted<typeof compositeAlarmProperties>;
  readonly logGroups: Hosted<typeof types.logGroupProperties>;
  readonly queryDefinitions: Hosted<typeof types.queryDefinitionProperties>;
  /** What the stacks declare and nothing on the laptop checks, in words. */
  readonly notChecked: readonly string[];
};

type Located = { readonly identity: Identity; readonly resource: Resource; readonly references: References };

/**
 * Turns the synthesized templates into what the sandbox has to create.
 *
 * @throws {SandboxError} NOT_HOSTED naming the resource type, property or function that the sandbox does not know
 */
export function readBlueprint(stacks: readonly SynthesizedStack[], place: Place): Blueprint {
  const located = locate(stacks, place);
  const resources = located.flatMap((stack) => stack.resources);
  const hosted = new Set<string>();
  const declared = <Schema extends z.ZodType>(type: string, schema: Schema): Hosted<Schema> => {
    hosted.add(type);
    const ofType = resources.filter(({ resource }) => resource.Type === type);
    return ofType.map(({ identity, resource, references }) => ({
      ...identity,
      properties: readProperties(schema, type, identity, resolveIntrinsics(resource.Properties, references)),
    }));
  };
  const alarms = declared('AWS::CloudWatch::Alarm', alarmProperties);
  const notEvaluated = alarms
    .filter(({ properties: { Namespace: namespace, MetricName: name } }) => !isMeasured({ namespace, name }))
    .map(({ properties }) => `the alarm ${properties.AlarmName}`);
  const notHosted = resources.flatMap(({ resource }) => types.notHostedTypes.get(resource.Type) ?? []);
  const blueprint: Blueprint = {
    stacks: located.map(describeStack),
    tables: declared('AWS::DynamoDB::Table', types.tableProperties),
    queues: declared('AWS::SQS::Queue', types.queueProperties),
    secrets: declared('AWS::SecretsManager::Secret', types.secretProperties),
    functions: declared('AWS::Lambda::Function', types.functionProperties),
    eventSourceMappings: declared('AWS::Lambda::EventSourceMapping', types.eventSourceMappingProperties),
    eventInvokeConfigs: declared('AWS::Lambda::EventInvokeConfig', types.eventInvokeConfigProperties),
    apis: declared('AWS::ApiGatewayV2::Api', http.apiProperties),
    integrations: declared('AWS::ApiGatewayV2::Integration', http.integrationProperties),
    routes: declared('AWS::ApiGatewayV2::Route', http.routeProperties),
    stages: declared('AWS::ApiGatewayV2::Stage', http.stageProperties),
    schedules: declared('AWS::Scheduler::Schedule', eventing.scheduleProperties),
    eventBuses: declared('AWS::Events::EventBus', eventing.eventBusProperties),
    rules: declared('AWS::Events::Rule', eventing.ruleProperties),
    archives: declared('AWS::Events::Archive', eventing.archiveProperties),
    roles: declared('AWS::IAM::Role', iam.roleProperties),
    policies: declared('AWS::IAM::Policy', iam.policyProperties),
    logGroups: declared('AWS::Logs::LogGroup', types.logGroupProperties),
    queryDefinitions: declared('AWS::Logs::QueryDefinition', types.queryDefinitionProperties),
    alarms,
    compositeAlarms: declared('AWS::CloudWatch::CompositeAlarm', compositeAlarmProperties),
    notChecked: [...new Set(notHosted), ...notEvaluated],
  };
  for (const { resource, identity } of resources) {
    if (hosted.has(resource.Type) || types.notHostedTypes.has(resource.Type)) continue;
    throw new SandboxError(
      'NOT_HOSTED',
      `The sandbox does not know the resource type ${resource.Type} (of ${identity.path}).`,
    );
  }
  return blueprint;
}

type LocatedStack = {
  readonly stack: SynthesizedStack;
  readonly id: string;
  readonly outputs: DescribedStack['outputs'];
  readonly resources: readonly Located[];
};

function locate(stacks: readonly SynthesizedStack[], place: Place): readonly LocatedStack[] {
  const exports = new Map<string, string>();
  const nameOf = nameResources(stacks);
  return stacks.map((stack) => {
    const identities = new Map(
      Object.entries(stack.template.Resources).map(([id, resource]) => [
        id,
        identify(stack, id, resource, { place, name: nameOf(stack.name, id) }),
      ]),
    );
    const id = stackId(stack.name, place);
    const pseudoParameters = new Map([
      ['AWS::AccountId', place.account],
      ['AWS::Region', place.region],
      ['AWS::Partition', 'aws'],
      ['AWS::URLSuffix', 'amazonaws.com'],
      ['AWS::StackName', stack.name],
      ['AWS::StackId', id],
    ]);
    const references: References = {
      ref: (name) => pseudoParameters.get(name) ?? identities.get(name)?.ref,
      attribute: (logicalId, attribute) => identities.get(logicalId)?.attributes.get(attribute),
      exported: (name) => exports.get(name),
    };
    const outputs = Object.entries(stack.template.Outputs).map(([key, { Value, Description, Export }]) => ({
      key,
      value: String(resolveIntrinsics(Value, references)),
      description: Description,
      exportName: Export && String(resolveIntrinsics(Export.Name, references)),
    }));
    for (const { exportName, value } of outputs) if (exportName !== undefined) exports.set(exportName, value);
    const resources = [...identities.values()].map((identity) => {
      const resource = stack.template.Resources[identity.logicalId];
      if (resource === undefined)
        throw new SandboxError('NOT_HOSTED', `${identity.logicalId} is not in ${stack.name}.`);
      return { identity, resource, references };
    });
    return { stack, id, outputs, resources };
  });
}

function describeStack({ stack, id, outputs, resources }: LocatedStack): DescribedStack {
  return {
    name: stack.name,
    id,
    description: stack.template.Description,
    outputs,
    resources: resources.map(({ identity, resource }) => ({
      logicalId: identity.logicalId,
      physicalId: identity.ref,
      type: resource.Type,
    })),
  };
}

function readProperties<Schema extends z.ZodType>(
  schema: Schema,
  type: string,
  { path }: Identity,
  properties: unknown,
): z.output<Schema> {
  const result = schema.safeParse(properties);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => {
    const where = issue.path.join('.');
    if (issue.code !== 'unrecognized_keys')
      return `the value of ${where} (it ${plainMessage(issue, valueAt(properties, issue.path) === undefined)})`;
    return `the property ${issue.keys.map((key) => [...issue.path, key].join('.')).join(', ')}`;
  });
  throw new SandboxError('NOT_HOSTED', `The sandbox does not know ${problems.join(', nor ')} of ${type} ${path}.`);
}
