import type { Context } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { metricsIn } from '#sandbox/aws/cloud-watch/embedded-metrics.ts';
import { ConflictError } from '#shared/aws/conditional-write.ts';
import { batchHandler, type HandlerDeps } from '#shared/lambda/handler.ts';
import { httpHandler, problem } from '#shared/lambda/http-api.ts';
import { createLog } from '#shared/lambda/log.ts';
import { createMetrics, publishedVersion } from '#shared/lambda/metrics.ts';
import { unavailable } from '#shared/lambda/problem-types.ts';
import { trialResources } from '#test/infra/trial-app.ts';
import { lambdaContext } from '#test/shared/lambda/lambda-context.ts';

const released = trialResources({ rollout: 'canary' }).service;
/** A release that changes what `store` is told, and nothing of `receive`. */
const next = trialResources({ rollout: 'canary', unreadRetentionDays: 29 }).service;
const atOnce = trialResources().service;

type Resources = typeof released;

const now = () => new Date(0);

const names = ['WebhookIngest/Receive', 'WebhookIngest/Store', 'Onboarding/Advance'];
const [receive = '', store = '', advance = ''] = names;

function resourceOf(resources: Resources, name: string) {
  const found = resources.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}

const aliasOf = (name: string) => `<${name}/Function/Aliaslive>`;
const versionOf = (name: string) => `<${name}/Function/CurrentVersion.Version>`;
/** What stops a deployment besides crashes: the alarm, the count that it reads, what that is a share of, and the largest share. */
const watches = [
  [receive, 'Failures', 'FirstAttemptsFailed', 'Invocations', 2, 0.05],
  [store, 'Failures', 'FirstAttemptsFailed', 'Invocations', 2, 0.05],
  [store, 'Unpublished', 'NewWebhooksUnpublished', 'NewWebhooks', 10, 0.5],
  [advance, 'Failures', 'FirstAttemptsFailed', 'Invocations', 2, 0.05],
  [advance, 'Stops', 'OnboardingsStoppedByVersion', 'Invocations', 2, 0.05],
] as const;
const alarmsOf = (name: string) =>
  ['Errors', ...watches.filter(([of]) => of === name).map(([, id]) => id)].map((id) => `${name}/Canary/${id}`);

const reference = z.object({ Ref: z.string() });
const policy = z.object({
  CodeDeployLambdaAliasUpdate: z.object({ ApplicationName: reference, DeploymentGroupName: reference }),
});
const stat = z.object({
  Id: z.string(),
  MetricStat: z.object({
    Metric: z.object({
      Namespace: z.string(),
      MetricName: z.string(),
      Dimensions: z.array(z.object({ Name: z.string(), Value: z.string() })),
    }),
    Period: z.number(),
  }),
});
const shareAlarm = z.object({
  Metrics: z.tuple([z.object({ Expression: z.string() }), stat, stat]),
  Threshold: z.number(),
});
const dimensionsOf = ({ MetricStat: { Metric } }: z.output<typeof stat>) =>
  Object.fromEntries(Metric.Dimensions.map(({ Name, Value }) => [Name, Value]));

/** A record that is new, and one that has failed before. */
const records = ['1', '2'].map((receives) => ({
  messageId: receives,
  body: '',
  attributes: { ApproximateReceiveCount: receives },
}));
const planted = () => Promise.reject(new Error('planted'));

const releaseOf =
  (createHandler: (deps: HandlerDeps) => (event: unknown, context: Context) => unknown) =>
  /** What an invocation publishes. */
  async (name: string, version: string) => {
    const lines: string[] = [];
    const output = { write: (line: string) => void lines.push(line), now };
    const functionVersion = publishedVersion({
      AWS_LAMBDA_FUNCTION_NAME: `<${name}>`,
      AWS_LAMBDA_FUNCTION_VERSION: version,
    });
    const metrics = createMetrics({ ...output, environment: 'trial', functionVersion });
    await createHandler({ log: createLog(output), metrics })({ Records: records }, lambdaContext());
    return lines.flatMap((line) => metricsIn(line)).filter(({ id }) => id.name === 'FirstAttemptsFailed');
  };

const failsRecords = releaseOf((deps) => batchHandler(planted, deps));

const badReleases = [
  [store, 'fails records', failsRecords],
  [advance, 'fails records', failsRecords],
  [receive, 'throws', releaseOf((deps) => httpHandler(planted, deps))],
  [receive, 'answers 503', releaseOf((deps) => httpHandler(async () => problem(unavailable, 'Later.'), deps))],
] as const;

describe('a canary', () => {
  it.each(badReleases)('stops a deployment of %s that %s, within its 15 minutes', async (name, _, publishedBy) => {
    const { Metrics, Threshold } = shareAlarm.parse(resourceOf(released, `${name}/Canary/Failures`).Properties);
    const [, failed] = Metrics;
    // Of one invocation.
    expect(await publishedBy(name, versionOf(name))).toEqual([
      {
        id: { namespace: 'Drawbridge', name: failed.MetricStat.Metric.MetricName, dimensions: dimensionsOf(failed) },
        value: 1,
        at: 0,
      },
    ]);
    expect(Threshold).toBeLessThan(1);
    expect(failed.MetricStat.Period).toBeLessThan(15 * 60);
  });

  it.each(watches)('stops a deployment of %s by %s', (name, id, counted, outOf, maxFew, maxShare) => {
    const { Metrics, Threshold } = shareAlarm.parse(resourceOf(released, `${name}/Canary/${id}`).Properties);
    const [{ Expression }, count, total] = Metrics;
    expect([Expression, Threshold]).toEqual([`IF(count > ${maxFew}, count / total, 0)`, maxShare]);
    expect([count.Id, total.Id]).toEqual(['count', 'total']);
    expect([count, total].map(({ MetricStat }) => MetricStat.Metric.MetricName)).toEqual([counted, outOf]);
    const ofVersion = { FunctionName: `<${name}>`, ExecutedVersion: versionOf(name) };
    const ofOurs = { Environment: 'trial', ...ofVersion };
    expect(dimensionsOf(count)).toEqual(ofOurs);
    expect(dimensionsOf(total)).toEqual(
      outOf === 'Invocations' ? { ...ofVersion, Resource: `<${name}>:live` } : ofOurs,
    );
  });

  it.each(names)('rolls %s back where an alarm on the new version stops the deployment', (name) => {
    const group = resourceOf(released, `${name}/Canary/Deployments`);
    expect(group.Properties).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent15Minutes',
      AlarmConfiguration: { Enabled: true, Alarms: alarmsOf(name).map((alarm) => ({ Name: `<${alarm}>` })) },
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_FAILURE']),
      },
    });
    const alias = z.looseObject({ UpdatePolicy: policy }).parse(resourceOf(released, `${name}/Function/Aliaslive`));
    expect(alias.UpdatePolicy.CodeDeployLambdaAliasUpdate.DeploymentGroupName.Ref).toBe(group.id);
    expect(alias['Properties']).toMatchObject({ Name: 'live', FunctionVersion: versionOf(name) });
    expect(resourceOf(released, `${name}/Canary/Errors`).Properties).toMatchObject({
      MetricName: 'Errors',
      Statistic: 'Average',
      Threshold: 0.05,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
      Dimensions: expect.arrayContaining([{ Name: 'ExecutedVersion', Value: versionOf(name) }]),
    });
  });

  it('gives the version of a fix alarms of its own, and leaves the functions alone that did not change', () => {
    const idsOf = (resources: Resources, name: string) =>
      [`${name}/Function/CurrentVersion`, ...alarmsOf(name)].map((one) => resourceOf(resources, one).id);
    const [before, after] = [idsOf(released, store), idsOf(next, store)];
    expect(before.filter((id) => after.includes(id))).toEqual([]);
    expect(idsOf(next, receive)).toEqual(idsOf(released, receive));
  });

  it('is what the queues and the webhook route invoke, by the alias', () => {
    const mappings = [`${store}/Function/WebhooksMessages`, `${advance}/Function/OnboardingMessages`];
    const targets = mappings.map((name) => resourceOf(released, name).Properties['FunctionName']);
    expect(targets).toEqual([store, advance].map((name) => `<part 6 of ${aliasOf(name)}>:live`));
    const { Properties, DependsOn } = resourceOf(released, 'WebhookIngest/Api/WebhooksRoute/ReceiveIntegration');
    expect(Properties['IntegrationUri']).toBe(aliasOf(receive));
    const permission = resourceOf(released, 'WebhookIngest/Api/WebhooksRoute/ReceiveIntegration-Permission');
    expect(permission.Properties['FunctionName']).toBe(aliasOf(receive));
    expect(DependsOn).toEqual([permission.id]);
  });

  it('replaces no mapping, route or function of an environment that deploys at once', () => {
    const kept = /::(?:EventSourceMapping|Function|Route|Integration|Queue)$/;
    const idsIn = (resources: Resources) => resources.filter(({ Type }) => kept.test(Type)).map(({ id }) => id);
    expect(idsIn(released).toSorted()).toEqual(idsIn(atOnce).toSorted());
    expect(atOnce.filter(({ Type }) => /CodeDeploy|Lambda::(?:Alias|Version)/.test(Type))).toEqual([]);
  });

  it('counts no record that another writer overtook', async () => {
    const overtaken = releaseOf((deps) => batchHandler(() => Promise.reject(new ConflictError('planted')), deps));
    expect(await overtaken(advance, versionOf(advance))).toEqual([]);
  });

  it('is not there without versions: a function that publishes none writes no metric of them', async () => {
    expect(await failsRecords(store, '$LATEST')).toEqual([]);
  });
});
