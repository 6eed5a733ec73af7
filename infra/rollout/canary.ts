import { Duration, Lazy, Stack, Validations } from 'aws-cdk-lib';
import {
  Alarm,
  CfnAlarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  CfnFunction,
  CfnVersion,
  FunctionBase,
  type IFunction,
  type Function as LambdaFunction,
  type Version,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { acknowledge, acknowledgeInlinePolicy } from '#infra/parts/acknowledge.ts';
import { onlyThisAccount } from '#infra/parts/only-this-account.ts';
import {
  environmentDimension,
  type FunctionVersion,
  metricsNamespace,
  type VersionCountName,
} from '#shared/lambda/metrics.ts';

/** What stops a deployment, of what the new version counts. */
export type CanaryWatch = readonly (keyof typeof judgements)[];

export type CanaryProps = {
  readonly lambda: LambdaFunction;
  readonly watches: CanaryWatch;
  /** The environment that the metrics of the function name. */
  readonly environmentName: string;
};

const aliasName = 'live';

/** Of a new version: invocations that crash, for each 100. */
const maxFailedPercent = 5;

const period = Duration.minutes(5);

type Judgement = {
  readonly id: string;
  /** Out of which number the count is a share; without a name, out of the invocations of the version. */
  readonly outOf?: VersionCountName;
  readonly maxPercent: number;
  /** How many there may be in a period, however small the number is that they are a share of. */
  readonly maxFew: number;
  /** What there is too much of, as the alarm says it. */
  readonly what: string;
};

const judgements = {
  FirstAttemptsFailed: {
    id: 'Failures',
    maxPercent: maxFailedPercent,
    maxFew: 2,
    what: 'webhooks or records failed in the new version',
  },
  NewWebhooksUnpublished: {
    id: 'Unpublished',
    outOf: 'NewWebhooks',
    maxPercent: 50,
    maxFew: 10,
    what: 'new webhooks went to quarantine or published nothing in the new version',
  },
  OnboardingsStoppedByVersion: {
    id: 'Stops',
    maxPercent: maxFailedPercent,
    maxFew: 2,
    what: 'onboardings stopped in the new version',
  },
} as const satisfies Partial<Record<VersionCountName, Judgement>>;

/**
 * Releases new code of a function in two steps: CodeDeploy gives the new version 10% of the invocations for 15 minutes, then all. An
 * alarm on the new version stops the deployment, and CloudFormation rolls the stack back.
 */
export class Canary extends Construct {
  /** The alias that queues and APIs invoke. */
  readonly alias: IFunction;

  constructor(scope: Construct, id: string, { lambda, environmentName, watches }: CanaryProps) {
    super(scope, id);
    const version = lambda.currentVersion;
    const alias = lambda.addAlias(aliasName);
    const role = this.#createRole(lambda);
    const deployments = new LambdaDeploymentGroup(this, 'Deployments', {
      alias,
      // The CDK attaches a policy of AWS to a role that can be changed: it allows to update every alias of the account.
      role: role.withoutPolicyUpdates(),
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
      alarms: this.#createAlarms(lambda, version, { environmentName, watches }),
    });
    deployments.node.addDependency(role.node.findChild('DefaultPolicy'));
    // The type of an alias does not compile as one of a function, with `exactOptionalPropertyTypes`.
    const invoked: unknown = alias;
    if (!(invoked instanceof FunctionBase)) throw new TypeError(`${alias.node.path} is not a function.`);
    this.alias = invoked;
  }

  #createRole(lambda: LambdaFunction): Role {
    const codeDeploy = new ServicePrincipal('codedeploy.amazonaws.com', { conditions: onlyThisAccount(this) });
    const role = new Role(this, 'Role', { assumedBy: codeDeploy });
    const { functionArn } = lambda;
    const ofAlias = ['lambda:GetAlias', 'lambda:GetProvisionedConcurrencyConfig', 'lambda:UpdateAlias'];
    role.addToPolicy(new PolicyStatement({ actions: ofAlias, resources: [functionArn, `${functionArn}:*`] }));
    role.addToPolicy(new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }));
    acknowledgeInlinePolicy(role);
    const { defaultChild: resource } = lambda.node;
    if (!(resource instanceof CfnFunction)) throw new TypeError(`${lambda.node.path} has no resource.`);
    Validations.of(role).acknowledge(
      {
        id: `AwsSolutions-IAM5[Resource::<${Stack.of(this).getLogicalId(resource)}.Arn>:*]`,
        reason: 'They are the versions and the alias of one function. Lambda numbers the versions.',
      },
      {
        id: 'AwsSolutions-IAM5[Resource::*]',
        reason: 'CodeDeploy reads the alarms of a deployment. Their names are generated for each version.',
      },
    );
    return role;
  }

  #createAlarms(
    { functionName }: LambdaFunction,
    version: Version,
    { environmentName, watches }: Pick<CanaryProps, 'environmentName' | 'watches'>,
  ): Alarm[] {
    const ofVersion: FunctionVersion = { FunctionName: functionName, ExecutedVersion: version.version };
    const ofLambda = (metricName: string, statistic: string) =>
      new Metric({
        namespace: 'AWS/Lambda',
        metricName,
        dimensionsMap: { ...ofVersion, Resource: `${functionName}:${aliasName}` },
        period,
        statistic,
      });
    const ofOurs = (metricName: VersionCountName) =>
      new Metric({
        namespace: metricsNamespace,
        metricName,
        dimensionsMap: { [environmentDimension]: environmentName, ...ofVersion },
        period,
        statistic: 'Sum',
      });
    const judge = (name: CanaryWatch[number]) => {
      const { id, outOf, maxPercent, maxFew, what }: Judgement = judgements[name];
      const share = new MathExpression({
        expression: `IF(count > ${maxFew}, count / total, 0)`,
        usingMetrics: {
          count: ofOurs(name),
          total: outOf === undefined ? ofLambda('Invocations', 'Sum') : ofOurs(outOf),
        },
        label: `${name} of ${outOf ?? 'Invocations'}`,
        period,
      });
      const ofTotal = outOf === undefined ? 'for each 100 invocations' : 'of 100';
      return this.#createAlarm(id, version, {
        metric: share,
        maxPercent,
        happened: `in ${period.toHumanString()}, more than ${maxFew} ${what}, and more than ${maxPercent} ${ofTotal}`,
      });
    };
    // Lambda writes 0 for an invocation without an error: the average is the part that failed.
    const errors = this.#createAlarm('Errors', version, {
      metric: ofLambda('Errors', 'Average'),
      maxPercent: maxFailedPercent,
      happened: `more than ${maxFailedPercent}% of the invocations of the new version crashed or exceeded the time limit`,
    });
    return [errors, ...watches.map(judge)];
  }

  #createAlarm(
    id: string,
    version: Version,
    {
      metric,
      maxPercent,
      happened,
    }: { readonly metric: IMetric; readonly maxPercent: number; readonly happened: string },
  ): Alarm {
    const alarm = new Alarm(this, id, {
      alarmDescription: `Stops a deployment: ${happened}. Read its log, fix the cause, and deploy again.`,
      metric,
      threshold: maxPercent / 100,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    acknowledge(alarm, 'CloudWatchAlarmAction', 'CodeDeploy reads it during a deployment, and sends what it finds.');
    nameByVersion(alarm, version);
    return alarm;
  }
}

/**
 * Gives each version an alarm of its own. CloudWatch keeps the state of an alarm whose metric changes: the alarm of a failing version
 * would stop the deployment of the fix.
 */
function nameByVersion(alarm: Alarm, version: Version): void {
  const { defaultChild: resource } = alarm.node;
  const { defaultChild: published } = version.node;
  if (!(resource instanceof CfnAlarm && published instanceof CfnVersion))
    throw new TypeError(`${alarm.node.path} has no resource.`);
  const stack = Stack.of(alarm);
  const id: unknown = stack.resolve(resource.logicalId);
  resource.overrideLogicalId(
    Lazy.uncachedString({ produce: () => `${id}${String(stack.resolve(published.logicalId)).slice(-32)}` }),
  );
}
