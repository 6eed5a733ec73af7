import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { metricsIn } from '#sandbox/aws/cloud-watch/embedded-metrics.ts';
import { type AdvanceWorldOptions, createAdvanceWorld } from '#test/functions/onboarding/advance/advance-world.ts';
import { sampleRequest } from '#test/functions/onboarding/requests.ts';
import { createFailingReceive } from '#test/functions/webhook-ingest/receive/receive-function.ts';
import {
  createStoreFunction,
  messageOf,
  releasedVersion,
} from '#test/functions/webhook-ingest/store/store-function.ts';
import { trialResources } from '#test/infra/shared-trial-apps.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { lambdaContext } from '#test/shared/lambda/lambda-context.ts';

const released = trialResources({ rollout: 'canary' }).service;
/** A release that changes a setting of `store`, and nothing of `receive`. */
const next = trialResources({ rollout: 'canary', unreadRetentionDays: 29 }).service;
const atOnce = trialResources().service;

type Resources = typeof released;

const names = ['WebhookIngest/Receive', 'WebhookIngest/Store', 'Onboarding/Advance'];
const [receive = '', store = '', advance = ''] = names;

function resourceOf(resources: Resources, name: string) {
  const found = resources.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no ${name}.`);
  return found;
}

const aliasOf = (name: string) => `<${name}/Function/Aliaslive>`;
const versionOf = (name: string) => `<${name}/Function/CurrentVersion.Version>`;
/** What stops a deployment: the alarm, the count that it reads, what that is a share of, when it is enough, and the largest share. */
const watches = [
  ...[receive, store, advance].flatMap((name) => [
    [name, 'Errors', 'Errors', 'Invocations', 'count > 1', 0.05] as const,
    [name, 'Failures', 'FirstAttemptsFailed', 'Invocations', 'count > 2', 0.05] as const,
  ]),
  [store, 'Unpublished', 'NewWebhooksUnpublished', 'NewWebhooks', 'count > 10 OR (count >= 4 AND count == total)', 0.5],
  [advance, 'GivenUp', 'OnboardingsGivenUp', 'Invocations', 'count > 2', 0.05],
] as const;
const alarmsOf = (name: string) => watches.filter(([of]) => of === name).map(([, id]) => `${name}/Canary/${id}`);

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

let emulators: Emulators;

beforeAll(async () => {
  emulators = await startEmulators();
});
afterAll(() => emulators.close());

/** What handlers of a released version write for one invocation, or one onboarding. */
const badReleases = [
  [receive, 'Failures', 'answers 503', () => written((write) => createFailingReceive(write)(lambdaContext()))],
  [store, 'Failures', 'fails a record', () => stored('a message that no release writes')],
  [store, 'Unpublished', 'quarantines a webhook', () => stored(messageOf([], 'delivery'))],
  [advance, 'GivenUp', 'sends what the platform refuses as data', () => advanced({ 'create person': { status: 422 } })],
  [advance, 'GivenUp', 'calls what the platform forbids', () => advanced({ 'create person': { status: 403 } })],
] as const;

async function written(invoke: (write: (line: string) => void) => Promise<unknown>): Promise<string> {
  const lines: string[] = [];
  await invoke((line) => void lines.push(line));
  return lines.join('');
}

async function stored(message: string): Promise<string> {
  const { store: handle, lines } = createStoreFunction(emulators, releasedVersion);
  await handle([message]);
  return lines();
}

async function advanced(fails: AdvanceWorldOptions['fails']): Promise<string> {
  const world = createAdvanceWorld({ fails });
  await world.accept(sampleRequest({}));
  await world.run(3_600);
  world.close();
  return world.written();
}

describe('a canary', () => {
  it.each(badReleases)('counts for %s by %s a version that %s', async (name, alarm, _, release) => {
    const { Metrics } = shareAlarm.parse(resourceOf(released, `${name}/Canary/${alarm}`).Properties);
    const { Metric } = Metrics[1].MetricStat;
    const counted = (await release())
      .split('\n')
      .flatMap(metricsIn)
      .filter(({ id }) => id.name === Metric.MetricName);
    expect(counted).toMatchObject([{ value: 1, id: { namespace: Metric.Namespace } }]);
    expect(counted[0]?.id.dimensions).toEqual({
      Environment: expect.any(String),
      FunctionName: releasedVersion.AWS_LAMBDA_FUNCTION_NAME,
      ExecutedVersion: releasedVersion.AWS_LAMBDA_FUNCTION_VERSION,
    });
    expect(Object.keys(dimensionsOf(Metrics[1])).toSorted()).toEqual(
      Object.keys(counted[0]?.id.dimensions ?? {}).toSorted(),
    );
  });

  it.each(watches)(
    'stops a deployment of %s by the alarm %s, within its 15 minutes',
    (name, id, counted, outOf, isMuch, maxShare) => {
      const { Metrics, Threshold } = shareAlarm.parse(resourceOf(released, `${name}/Canary/${id}`).Properties);
      const [{ Expression }, count, total] = Metrics;
      expect([Expression, Threshold]).toEqual([`IF(${isMuch}, count / total, 0)`, maxShare]);
      expect(count.MetricStat.Period).toBeLessThan(15 * 60);
      expect([count.Id, total.Id]).toEqual(['count', 'total']);
      expect([count, total].map(({ MetricStat }) => MetricStat.Metric.MetricName)).toEqual([counted, outOf]);
      const ofVersion = { FunctionName: `<${name}>`, ExecutedVersion: versionOf(name) };
      for (const one of [count, total])
        expect(dimensionsOf(one)).toEqual({
          ...ofVersion,
          ...(one.MetricStat.Metric.Namespace === 'AWS/Lambda'
            ? { Resource: `<${name}>:live` }
            : { Environment: 'trial' }),
        });
    },
  );

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
    for (const alarm of alarmsOf(name))
      expect(resourceOf(released, alarm).Properties).toMatchObject({
        ComparisonOperator: 'GreaterThanThreshold',
        TreatMissingData: 'notBreaching',
      });
  });

  it('gives the version of a fix alarms of its own, and does not deploy the functions that did not change', () => {
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

  it('is not there without versions: a function that publishes none writes no metric of them', async () => {
    const { store: handle, lines } = createStoreFunction(emulators);
    await handle(['a message that no release writes']);
    expect(lines().split('\n').flatMap(metricsIn)).toEqual([]);
  });
});
