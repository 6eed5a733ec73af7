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

/** What stops a deployment besides crashes, of what the new version counts. */
export type CanaryWatch = readonly (keyof typeof judgements)[];

export type CanaryProps = {
  readonly lambda: LambdaFunction;
  readonly watches: CanaryWatch;
  /** The environment that the metrics of the function name. */
  readonly environmentName: string;
};

const aliasName = 'live';

const period = Duration.minutes(5);

/** What there may be too much of in a period: a share, since it fits every load, and more than a few, since one of few is a large share. */
type Judgement = {
  readonly id: string;
  /** Out of which count it is a share; without a name, out of the invocations of the version. */
  readonly outOf?: VersionCountName;
  readonly maxPercent: number;
  readonly maxFew: number;
  /** So many are enough if they are all that there is. */
  readonly enoughIfAll?: number;
  /** What there is too much of, and the command that shows it, as the alarm says it. */
  readonly what: string;
  readonly shownBy: string;
};

const judgements = {
  FirstAttemptsFailed: {
    id: 'Failures',
    maxPercent: 5,
    maxFew: 2,
    what: 'webhooks or records that failed',
    shownBy: 'logs errors-by-function',
  },
  NewWebhooksUnpublished: {
    id: 'Unpublished',
    outOf: 'NewWebhooks',
    maxPercent: 50,
    maxFew: 10,
    enoughIfAll: 4,
    what: 'new webhooks in quarantine, or without anything to publish',
    shownBy: 'quarantine ls',
  },
  OnboardingsGivenUp: {
    id: 'GivenUp',
    maxPercent: 5,
    maxFew: 2,
    what: 'onboardings that stopped or were refused',
    shownBy: 'onboardings ls',
  },
} as const satisfies Partial<Record<VersionCountName, Judgement>>;

const crashes: Judgement = {
  id: 'Errors',
  maxPercent: 5,
  maxFew: 1,
  what: 'invocations that crashed or exceeded the time limit',
  shownBy: 'logs errors-by-function',
};

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
    const ofLambda = (metricName: 'Errors' | 'Invocations') =>
      new Metric({
        namespace: 'AWS/Lambda',
        metricName,
        dimensionsMap: { ...ofVersion, Resource: `${functionName}:${aliasName}` },
        period,
        statistic: 'Sum',
      });
    const ofOurs = (metricName: VersionCountName) =>
      new Metric({
        namespace: metricsNamespace,
        metricName,
        dimensionsMap: { [environmentDimension]: environmentName, ...ofVersion },
        period,
        statistic: 'Sum',
      });
    const judge = (count: Metric, judgement: Judgement) => {
      const { outOf, maxFew, enoughIfAll } = judgement;
      const ofAll = enoughIfAll === undefined ? '' : ` OR (count >= ${enoughIfAll} AND count == total)`;
      const metric = new MathExpression({
        expression: `IF(count > ${maxFew}${ofAll}, count / total, 0)`,
        usingMetrics: { count, total: outOf === undefined ? ofLambda('Invocations') : ofOurs(outOf) },
        label: `${count.metricName} of ${outOf ?? 'Invocations'}`,
        period,
      });
      return this.#createAlarm(version, metric, judgement);
    };
    return [judge(ofLambda('Errors'), crashes), ...watches.map((name) => judge(ofOurs(name), judgements[name]))];
  }

  #createAlarm(version: Version, metric: IMetric, { id, maxFew, maxPercent, outOf, what, shownBy }: Judgement): Alarm {
    const ofTotal = outOf === undefined ? 'for each 100 invocations' : 'of 100';
    const alarm = new Alarm(this, id, {
      alarmDescription: `Stops a deployment: the new version had, in ${period.toHumanString()}, more than ${maxFew} ${what}, and more than ${maxPercent} ${ofTotal}. See "drawbridge ${shownBy}", fix the cause, and deploy again.`,
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
