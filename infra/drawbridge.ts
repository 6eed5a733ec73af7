import { type Environment, Stack, Stage, Tags } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { Grant, ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { version } from '#shared/version.ts';
import { BusSubscription, BusSubscriptionError, type DetailType } from './bus-subscription.ts';
import { DataStack } from './data-stack.ts';
import type { DrawbridgeSettings } from './drawbridge-settings.ts';
import { parseSettings } from './parse-settings.ts';
import { pinTarget, refuseOtherTarget, targetOf } from './parts/deployment-target.ts';
import { addOutput } from './parts/output.ts';
import { ServiceStack } from './service-stack.ts';
import { requireEnvironmentName } from './settings-file/settings-file.ts';
import { findRefusedStandIns, refuseUnready } from './settings-file/stand-ins.ts';

export type DrawbridgeProps = {
  /** What the environment has of its own, such as the address of its platform. All but `platform` have a default. */
  readonly settings: DrawbridgeSettings;
  /**
   * The name of the environment: part of the names of the stacks and of the bus, so that environments can share an account.
   * `production` unless given.
   */
  readonly environmentName?: string;
  /** The account and the region. Those of the stack or stage around the construct unless given. */
  readonly env?: Environment;
};

/** The variable by which a function finds the API. */
const apiUrlVariable = 'DRAWBRIDGE_API_URL';

const subscriptionId = 'DrawbridgeSubscription';

/**
 * Drawbridge in a CDK app: two stacks, `drawbridge-<environment>-data` and `drawbridge-<environment>-service`, in the app or
 * the stage around the construct. Their names and logical ids do not depend on where the construct is: moving it replaces no data
 * (docs/decisions/package.md, "The construct puts its stacks beside itself").
 *
 * @throws {SettingsError} naming each setting that is wrong
 */
export class Drawbridge extends Construct {
  /** Carries the changes, and takes `OnboardingRequested`: `bus.grantPutEventsTo(fn)` allows a function to send it. */
  readonly bus: EventBus;
  /** Where the partner's own systems call Drawbridge. */
  readonly apiUrl: string;
  /** What outlives a release: tables, webhooks queue, secrets, key and bus. */
  readonly data: DataStack;
  /** What works on the data: functions, API, schedules, alarms. */
  readonly service: ServiceStack;

  constructor(scope: Construct, id: string, props: DrawbridgeProps) {
    super(scope, id);
    const name = requireEnvironmentName(props.environmentName ?? 'production');
    const settings = parseSettings(props.settings, 'The settings of Drawbridge are invalid');
    refuseUnready(name, { standIns: findRefusedStandIns(settings) }, 'The construct of Drawbridge');
    const env = props.env ?? environmentAround(this);
    refuseOtherTarget(settings, targetOf(env, process.env));
    const placed = env === undefined ? {} : { env };
    this.data = new DataStack(stageAround(this), `drawbridge-${name}-data`, {
      ...placed,
      stackName: `drawbridge-${name}-data`,
      description: `Drawbridge ${version}: the data (tables, secrets, key, event bus)`,
      environment: { name, settings },
    });
    this.service = new ServiceStack(stageAround(this), `drawbridge-${name}-service`, {
      ...placed,
      stackName: `drawbridge-${name}-service`,
      description: `Drawbridge ${version}: the service (API, functions, queues, alarms)`,
      settings,
      data: this.data,
    });
    addOutput(this.service, 'Version', 'The release of Drawbridge that is deployed', version);
    for (const stack of [this.data, this.service]) {
      Tags.of(stack).add('drawbridge:environment', name);
      boundRoles(stack, settings.permissionsBoundary);
      pinTarget(stack, settings);
    }
    this.bus = this.data.bus;
    this.apiUrl = this.service.webhookIngest.api.apiEndpoint;
  }

  /**
   * Subscribes a standard queue to events of the bus, such as `OrderStatusChanged`. Events may come twice and out of order:
   * of two changes of an entity, the one with the higher `sequence` is the later. Put an alarm on the `deadLetterQueue` of the
   * subscription.
   *
   * @throws {BusSubscriptionError} when EventBridge could never deliver to the queue, or the queue is subscribed already
   */
  subscribe(queue: Queue, detailTypes: readonly DetailType[]): BusSubscription {
    if (queue.node.tryFindChild(subscriptionId) !== undefined)
      throw new BusSubscriptionError(`${queue.node.path} is subscribed already: name all detail-types in one call.`);
    const environment = this.data.environmentName;
    const subscription = new BusSubscription(queue, subscriptionId, { environment, detailTypes, queue });
    // The subscription knows the bus by its name alone, from which the CDK cannot tell what is deployed first.
    subscription.rule.node.addDependency(this.bus);
    return subscription;
  }

  /**
   * Allows a function to call the platform with Drawbridge's token: to read the token, and to report a token that the platform
   * rejects. Adds the variables `PLATFORM_BASE_URL`, `PLATFORM_TOKEN_SECRET_ID` and `TOKEN_REFRESHES_QUEUE_URL`, and
   * `PLATFORM_PROFILE` if the environment has a profile.
   */
  grantPlatformAccess(fn: LambdaFunction): Grant {
    const grants: Grant[] = [];
    this.service.platformAccess.grant({
      addVariables: (variables) => addVariables(fn, variables),
      allow: (actions, resourceArn) => grants.push(grantOn(fn, actions, [resourceArn])),
    });
    return combined(grants);
  }

  /**
   * Allows a function to send signed requests to the routes of the queries: entities, their timelines, and events. Bodies of
   * events hold personal data. Adds the variable `DRAWBRIDGE_API_URL`.
   */
  grantQuery(fn: LambdaFunction): Grant {
    const { api, query } = this.service.webhookIngest;
    addVariables(fn, { [apiUrlVariable]: this.apiUrl });
    const arns = [...query.throttles.keys()].map((routeKey) => {
      const [method, path = ''] = routeKey.split(' ');
      return api.arnForExecuteApi(method, path.replaceAll(/\{\w+\}/g, '*'), '$default');
    });
    return grantOn(fn, ['execute-api:Invoke'], arns);
  }
}

/** Every role below the stack, those that the CDK makes included. @param boundary the name or the ARN of a managed policy */
function boundRoles(stack: Stack, boundary: string | undefined): void {
  if (boundary === undefined) return;
  const id = 'PermissionsBoundary';
  const policy = boundary.startsWith('arn:')
    ? ManagedPolicy.fromManagedPolicyArn(stack, id, boundary)
    : ManagedPolicy.fromManagedPolicyName(stack, id, boundary);
  PermissionsBoundary.of(stack).apply(policy);
}

function stageAround(scope: Construct): Stage {
  const stage = Stage.of(scope);
  if (stage === undefined)
    throw new TypeError(`${scope.node.path} is in no app: put Drawbridge into an App or a Stage.`);
  return stage;
}

/** That of the stack around the construct; undefined where there is none, and the stage decides. */
function environmentAround(scope: Construct): Environment | undefined {
  const stack = scope.node.scopes.find((around) => Stack.isStack(around));
  return Stack.isStack(stack) ? { account: stack.account, region: stack.region } : undefined;
}

function addVariables(fn: LambdaFunction, variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) fn.addEnvironment(name, value);
}

/** By the role alone: a policy of the key or the queue would make our stacks depend on the partner's. */
function grantOn(fn: LambdaFunction, actions: readonly string[], resourceArns: readonly string[]): Grant {
  return Grant.addToPrincipal({ grantee: fn, actions: [...actions], resourceArns: [...resourceArns] });
}

function combined(grants: readonly Grant[]): Grant {
  return grants.reduce((all, grant) => all.combine(grant));
}
