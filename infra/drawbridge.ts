import { Aspects, type Environment, Stack, Stage, Tags, Token } from 'aws-cdk-lib';
import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { type ISecurityGroup, type IVpc, type SubnetSelection, SubnetType } from 'aws-cdk-lib/aws-ec2';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import { Grant, ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { detailTypeOf } from '#shared/bus/event-details.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';
import { version } from '#shared/version.ts';
import { BusSubscription, BusSubscriptionError, type DetailType } from './bus-subscription.ts';
import { DataStack } from './data-stack.ts';
import { parseSettings } from './parse-settings.ts';
import { literal, pinTarget, refuseOtherTarget, type Target, targetOf } from './parts/deployment-target.ts';
import { addOutput } from './parts/output.ts';
import type { Conditions } from './parts/use-key.ts';
import { ServiceStack } from './service-stack.ts';
import type { DrawbridgeSettings, Settings } from './settings.ts';
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
  /** Where the functions run that call the platform, in place of the setting `network`. */
  readonly network?: DrawbridgeNetwork;
  /** A domain of yours for the webhook route, in place of the setting `webhookDomain`. */
  readonly webhookDomain?: DrawbridgeWebhookDomain;
  /**
   * Encrypts what Drawbridge keeps. A key of Drawbridge's own unless given. Choose before the first deployment. The policy of an
   * imported key is yours: CloudWatch Logs and CloudWatch alarms need the key, and EventBridge (`events.amazonaws.com`) needs
   * `kms:Decrypt` and `kms:GenerateDataKey`, or each `OnboardingRequested` is lost. Tag the key with `drawbridge:environment` and the
   * name of the environment: the policies of `drawbridge policy boundary`, `execution-data` and `execution-service` allow no other key.
   */
  readonly key?: IKey;
  /** Topics that each alarm notifies too. The policy of an imported or encrypted topic is yours: CloudWatch publishes. */
  readonly alarmTopics?: readonly ITopic[];
};

export type DrawbridgeNetwork = {
  /** Its subnets are in two availability zones or more. */
  readonly vpc: IVpc;
  /** Private subnets with a route to a NAT gateway unless given. */
  readonly subnets?: SubnetSelection;
  /** They allow outgoing HTTPS (port 443). */
  readonly securityGroups: readonly ISecurityGroup[];
  /** Whether every function is in the VPC, and not only those that call the platform. */
  readonly allFunctions?: boolean;
};

export type DrawbridgeWebhookDomain = {
  /** Create its DNS record after the first deployment. */
  readonly name: string;
  /** In the region of the stacks. */
  readonly certificate: ICertificate;
};

/** The context that lets a construct have placeholder addresses: for a test of an app, which deploys nothing. */
export const allowPlaceholders = 'drawbridge:allowPlaceholders';

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
    const settings = settingsOf(props);
    const values = this.node.tryGetContext(allowPlaceholders) ? {} : settings;
    refuseUnready(name, { values, standIns: findRefusedStandIns(settings) }, 'The construct of Drawbridge');
    const env = props.env ?? environmentAround(this);
    const target = targetOf(literalEnvironment(env, stageAround(this)), process.env);
    refuseOtherTarget(settings, target);
    const placed = env === undefined ? {} : { env };
    this.data = new DataStack(stageAround(this), `drawbridge-${name}-data`, {
      ...placed,
      stackName: `drawbridge-${name}-data`,
      description: `Drawbridge ${version}: the data (tables, secrets, key, event bus)`,
      environment: { name, settings },
      key: props.key,
    });
    this.service = new ServiceStack(stageAround(this), `drawbridge-${name}-service`, {
      ...placed,
      stackName: `drawbridge-${name}-service`,
      description: `Drawbridge ${version}: the service (API, functions, queues, alarms)`,
      settings,
      data: this.data,
      knownRegion: settings.region ?? target.region,
    });
    addOutput(this.service, 'Version', 'The release of Drawbridge that is deployed', version);
    for (const stack of [this.data, this.service]) {
      Tags.of(stack).add('drawbridge:environment', name);
      boundRoles(stack, settings.permissionsBoundary);
      pinTarget(stack, settings);
    }
    for (const topic of props.alarmTopics ?? []) {
      this.addAlarmAction(new SnsAction(topic));
      this.service.alarms.addOkAction(new SnsAction(topic));
    }
    applyAspectsOf(this, [this.data, this.service]);
    this.bus = this.data.bus;
    this.apiUrl = this.service.webhookIngest.api.apiEndpoint;
  }

  /**
   * Subscribes a standard queue to events of the bus, such as `OrderStatusChanged`. Events may come twice and out of order:
   * of two changes of an entity, the one with the higher `sequence` is the later. Put an alarm on the `deadLetterQueue` of the
   * subscription. A `…StatusReported` among them has Drawbridge publish the statuses of that kind that did not become the shown ones.
   *
   * @throws {BusSubscriptionError} when EventBridge could never deliver to the queue, or the queue is subscribed already
   */
  subscribe(queue: Queue, detailTypes: readonly DetailType[]): BusSubscription {
    if (queue.node.tryFindChild(subscriptionId) !== undefined)
      throw new BusSubscriptionError(`${queue.node.path} is subscribed already: name all detail-types in one call.`);
    const reported = entityKinds.filter((kind) => detailTypes.includes(detailTypeOf(kind, 'StatusReported')));
    this.service.webhookIngest.store.reportStatuses(reported);
    const environment = this.data.environmentName;
    const subscription = new BusSubscription(queue, subscriptionId, { environment, detailTypes, queue });
    // The subscription knows the bus only by its name, from which the CDK cannot derive what is deployed first.
    subscription.rule.node.addDependency(this.bus);
    return subscription;
  }

  /** Has each alarm that notifies do more when it goes off: the actions of `aws-cdk-lib/aws-cloudwatch-actions`. */
  addAlarmAction(...actions: readonly IAlarmAction[]): void {
    this.service.alarms.addAlarmAction(...actions);
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
      allow: (actions, resourceArn, conditions) => grants.push(grantOn(fn, actions, [resourceArn], conditions)),
    });
    return combined(grants);
  }

  /**
   * Allows a function to send signed requests to the routes of the queries: entities, their timelines, and events. Bodies of
   * events hold personal data. Adds the variable `DRAWBRIDGE_API_URL`.
   */
  grantQuery(fn: LambdaFunction): Grant {
    return this.#grantRoutes(fn, [...this.service.webhookIngest.query.throttles.keys()]);
  }

  /**
   * Allows a function to send signed requests to the routes of onboardings: to start, show, list, cancel and retry them, and to update
   * their persons. Adds the variable `DRAWBRIDGE_API_URL`.
   */
  grantOnboarding(fn: LambdaFunction): Grant {
    return this.#grantRoutes(fn, this.#onboardingRoutes('/onboardings'));
  }

  /**
   * Allows a function to export and to erase what is stored of a person, which cannot be undone. The export is personal data. Adds the
   * variable `DRAWBRIDGE_API_URL`.
   */
  grantPersons(fn: LambdaFunction): Grant {
    return this.#grantRoutes(fn, this.#onboardingRoutes('/persons'));
  }

  #onboardingRoutes(path: string): readonly string[] {
    return [...this.service.onboarding.throttles.keys()].filter((routeKey) => routeKey.includes(` ${path}`));
  }

  #grantRoutes(fn: LambdaFunction, routeKeys: readonly string[]): Grant {
    const { api } = this.service.webhookIngest;
    addVariables(fn, { [apiUrlVariable]: this.apiUrl });
    const arns = routeKeys.map((routeKey) => {
      const [method, path = ''] = routeKey.split(' ');
      return api.arnForExecuteApi(method, path.replaceAll(/\{\w+\}/g, '*'), '$default');
    });
    return grantOn(fn, ['execute-api:Invoke'], arns);
  }
}

/** The settings, with the constructs that the props have in place of ids. */
function settingsOf({ settings, network, webhookDomain }: DrawbridgeProps): Settings {
  const checked = parseSettings(
    {
      ...settings,
      ...(webhookDomain !== undefined && {
        webhookDomain: { name: webhookDomain.name, certificateArn: webhookDomain.certificate.certificateArn },
      }),
    },
    'The settings of Drawbridge are invalid',
  );
  if (network === undefined) return checked;
  const { vpc, subnets = { subnetType: SubnetType.PRIVATE_WITH_EGRESS }, securityGroups } = network;
  return {
    ...checked,
    // Not checked: the ids of a VPC that the CDK is about to look up are made up.
    network: {
      subnetIds: vpc.selectSubnets(subnets).subnetIds,
      securityGroupIds: securityGroups.map(({ securityGroupId }) => securityGroupId),
      allFunctions: network.allFunctions ?? false,
    },
  };
}

/** The stacks are beside the construct, so that Tags, PermissionsBoundary and other aspects would not reach them. */
function applyAspectsOf(construct: Construct, stacks: readonly Stack[]): void {
  const aspects = Aspects.of(construct);
  const add = aspects.add.bind(aspects);
  aspects.add = (...args) => {
    add(...args);
    for (const stack of stacks) Aspects.of(stack).add(...args);
  };
}

/** Every role below the stack, those that the CDK makes included. @param boundary the name or the ARN of a managed policy */
function boundRoles(stack: Stack, boundary: string | undefined): void {
  if (boundary === undefined) return;
  const id = 'PermissionsBoundary';
  const policy =
    boundary.startsWith('arn:') || Token.isUnresolved(boundary)
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

/** That of the stack around the construct; undefined if there is none, and then the stage decides. */
function environmentAround(scope: Construct): Environment | undefined {
  const stack = scope.node.scopes.find((around) => Stack.isStack(around));
  return Stack.isStack(stack) ? { account: stack.account, region: stack.region } : undefined;
}

/** As the CDK decides where the stacks are deployed to: what `env` leaves open, the stage says. */
function literalEnvironment(env: Environment | undefined, { account, region }: Stage): Target {
  return { account: literal(env?.account) ?? literal(account), region: literal(env?.region) ?? literal(region) };
}

function addVariables(fn: LambdaFunction, variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) fn.addEnvironment(name, value);
}

/** Only by the role: a policy of the key or the queue would make our stacks depend on the partner's. */
function grantOn(
  fn: LambdaFunction,
  actions: readonly string[],
  resourceArns: readonly string[],
  conditions: Conditions = {},
): Grant {
  return Grant.addToPrincipal({ grantee: fn, actions: [...actions], resourceArns: [...resourceArns], conditions });
}

function combined(grants: readonly Grant[]): Grant {
  return grants.reduce((all, grant) => all.combine(grant));
}
