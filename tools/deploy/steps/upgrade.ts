import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  assembliesOf,
  type DeployedResource,
  type DeployRun,
  findResource,
  forgetOutputs,
  readOutputs,
  readResources,
  readStatus,
  stacksOf,
  until,
} from '#tools/deploy/deploy-run.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import {
  findLatestRelease,
  initRepository,
  type Release,
  readPackage,
  renameImports,
  synthesizeRepository,
} from '#tools/deploy/partner-repository.ts';
import { runAndRead, runPage } from '#tools/deploy/run-page.ts';
import type { Skipped } from '#tools/deploy/run-steps.ts';
import { deadline, readAllResources, readApplied, tallyOf } from '#tools/deploy/tally.ts';
import { runCommand } from '#tools/deploy/tools/command.ts';
import { startTraffic, type Traffic } from '#tools/deploy/traffic.ts';
import { fireTokenRefresh, storeCredentials } from './connect.ts';
import { readOnboarding, requestOnboarding } from './onboard.ts';

const page = 'docs/how-to/upgrade.md';

/** What an upgrade must neither replace nor remove: promise 11. */
const stateful = /^AWS::(DynamoDB::Table|SQS::Queue|SecretsManager::Secret|Events::EventBus|KMS::Key)$/;

/** The name of the package until 0.2.0. */
const formerName = 'drawbridge';

/** What the steps of the upgrade hand on. */
type Rehearsal = {
  readonly release: Release;
  /** The deployment, operated in the partner's repository. */
  readonly partner: DeployRun;
  /** The tarball of today. */
  readonly tarball: string;
  /** The resources with state, as the release has deployed them. */
  readonly resources: readonly DeployedResource[];
  readonly traffic: Traffic;
  /** The ids of the onboardings that wait for a video call, and of those that wait in the queue. */
  readonly onboardings: { readonly waiting: readonly string[]; readonly queued: readonly string[] };
  /** The events whose messages wait in the queue. */
  readonly queued: readonly string[];
};

const rehearsals = new WeakMap<DeployRun, Rehearsal>();

/** Deploys the kept package of the last release, from the repository of a partner, and leaves work behind for the next release. */
export async function deployLastRelease(deployment: DeployRun): Promise<string | Skipped> {
  const { root, cdk, platform } = deployment;
  const release = findLatestRelease(root);
  if (release === undefined) return { skipped: 'no earlier release: tools/release/kept has no tarball' };
  // Before there is traffic: a build takes what cores there are.
  const tarball = await packToday(deployment);
  const partner = await initRepository(deployment, release);
  await synthesizeRepository(partner);
  await cdk.deploy(assembliesOf(partner).adapted);
  forgetOutputs(deployment);
  await storeCredentials(deployment);
  await fireTokenRefresh(deployment);
  await deployment.aws.invoke((await readOutputs(deployment)).RegisterFunction, { mode: 'apply' });
  const resources = await readStateful(deployment);

  const traffic = startTraffic(deployment);
  platform.platform.settings.change({ videoCallsAfter: null });
  const waiting = ['upgrade-1', 'upgrade-2'];
  for (const id of waiting) await requestOnboarding(deployment, id);
  for (const id of waiting) await untilVideoCall(deployment, id);
  await setMappings(deployment, '--no-enabled');
  const before = traffic.eventIds.length;
  const queuedOnboardings = ['upgrade-3', 'upgrade-4'];
  for (const id of queuedOnboardings) await requestOnboarding(deployment, id);
  await until('Twenty webhooks wait in the queue', () => traffic.eventIds.length >= before + 20);
  // What the disabled mappings had read already is not counted.
  const done = new Set((await readApplied(deployment)).map(({ eventId }) => eventId));
  const queued = traffic.eventIds.slice(before).filter((id) => traffic.accepted.has(id) && !done.has(id));
  for (const id of queuedOnboardings)
    if ((await readOnboarding(deployment, id)).step !== 'REQUESTED')
      throw new DeploymentError(`The onboarding ${id} did not wait in the queue.`);
  const onboardings = { waiting, queued: queuedOnboardings };
  rehearsals.set(deployment, { release, partner, tarball, resources, traffic, onboardings, queued });
  return [
    `release ${release.version} from its kept tarball, by a repository that its own init wrote: ${resources.length} resources that hold state`,
    `messages queued by ${release.version}: ${queued.length} webhooks, ${queuedOnboardings.length} onboardings`,
    `onboardings open: ${waiting.length} wait for a video call, ${queuedOnboardings.length} in the queue`,
  ].join('\n');
}

/** The upgrade of docs/how-to/upgrade.md with the npm package, while webhooks come. */
export async function upgrade(deployment: DeployRun): Promise<string | Skipped> {
  const rehearsal = rehearsals.get(deployment);
  if (rehearsal === undefined) return { skipped: 'no earlier release' };
  const { release, partner, tarball, resources, traffic, onboardings, queued } = rehearsal;
  const { name, version } = readPackage(deployment.root);
  const headings = ['Leave the name of 0.2.0', 'Install and compare'];
  renameImports(partner.directory, formerName, name);
  const compared = await runAndRead(partner, page, headings, { VERSION: `file:${tarball}` });
  expectText(compared.printed, `Release ${release.version} is deployed, and ${version} is installed.`);
  expectText(compared.printed, 'Your data is safe');
  await synthesizeRepository(partner);
  const from = traffic.attempts.all;
  const deployed = await runAndRead(partner, page, 'Test and deploy');
  const during = traffic.attempts.all - from;
  forgetOutputs(deployment);
  await expectVersion(deployment, version);
  const kept = new Set((await readStateful(deployment)).map(({ PhysicalResourceId }) => PhysicalResourceId));
  const lost = resources.filter(({ PhysicalResourceId }) => !kept.has(PhysicalResourceId));
  if (lost.length > 0)
    throw new DeploymentError(
      `Replaced or removed: ${lost.map(({ LogicalResourceId }) => LogicalResourceId).join(', ')}.`,
    );

  await setMappings(deployment, '--enabled');
  await endOnboardings(deployment, [...onboardings.waiting, ...onboardings.queued]);
  const handled = await until(
    'The queued webhooks are applied',
    async () => {
      const ours = (await readApplied(deployment)).filter(({ eventId }) => queued.includes(eventId));
      return new Set(ours.map(({ eventId }) => eventId)).size === queued.length && ours;
    },
    deadline,
  );
  const byOthers = handled.filter((one) => one.version !== version);
  if (byOthers.length > 0)
    throw new DeploymentError(`${byOthers.length} queued webhooks were not handled by ${version}.`);
  return [
    `${compared.script}\n${deployed.script}`,
    `${counted(compared.printed, /^ {2}- /gm)} things to do and changes printed by upgrade --check, "Your data is safe"`,
    `all ${resources.length} resources that hold state are the same`,
    `webhooks while it was deployed: ${during} deliveries`,
    `messages queued by ${release.version}: ${queued.length} webhooks handled by ${version}, ${onboardings.queued.length} onboardings`,
    `onboardings open before: ${onboardings.waiting.length + onboardings.queued.length}, ACTIVE afterwards: ${onboardings.waiting.length + onboardings.queued.length}`,
  ].join('\n');
}

/**
 * Deploys only the service stack of the release, as docs/how-to/upgrade.md says. The data stack stays as it is. Then the traffic ends, and
 * nothing is lost or doubled.
 */
export async function rollBack(deployment: DeployRun): Promise<string | Skipped> {
  const rehearsal = rehearsals.get(deployment);
  if (rehearsal === undefined) return { skipped: 'no earlier release' };
  const { release, partner, traffic } = rehearsal;
  const { data, service } = stacksOf(deployment);
  const { name, version } = readPackage(deployment.root);
  const begun = 'upgrade-5';
  await requestOnboarding(deployment, begun);
  await untilVideoCall(deployment, begun);
  const idsOf = async () => (await readResources(deployment, data)).map(({ PhysicalResourceId }) => PhysicalResourceId);
  const before = await idsOf();
  const npm = (...args: readonly string[]) => runCommand('npm', args, { cwd: partner.directory, env: partner.env });
  await npm('uninstall', name);
  await npm('install', '--save-exact', `${formerName}@file:${release.tarball}`);
  renameImports(partner.directory, name, formerName);
  await synthesizeRepository(partner);
  const script = await runPage(partner, page, 'Deploy the service of the release before');
  if (!isDeepStrictEqual(await idsOf(), before)) throw new DeploymentError('The data stack has other resources.');
  const status = await readStatus(deployment, service);
  if (status !== 'UPDATE_COMPLETE') throw new DeploymentError(`${service} is ${status}, not UPDATE_COMPLETE.`);
  forgetOutputs(deployment);
  await expectVersion(deployment, release.version);
  await endOnboardings(deployment, [begun]);
  const after = traffic.eventIds.length;
  await until('Webhooks come after the rollback', () => traffic.eventIds.length >= after + 10);
  await traffic.stop();
  return [
    `${script}\nthe service is ${release.version} again, and the data stack has its ${before.length} resources`,
    `onboardings begun by ${version}: 1, ACTIVE under ${release.version}: 1`,
    ...(await tallyOf(deployment, traffic)),
  ].join('\n');
}

/** Builds and packs the package of this repository. */
async function packToday({ root, directory, env }: DeployRun): Promise<string> {
  const built = join(directory, 'built');
  const pages = join(directory, 'pages');
  mkdirSync(pages);
  const program = `
    import { buildPackage } from '#package/build/build-package.ts';
    import { packRelease } from '#package/build/pack-release.ts';
    await buildPackage(${JSON.stringify(built)}, ${JSON.stringify(pages)});
    process.stdout.write(packRelease(${JSON.stringify(built)}, ${JSON.stringify(directory)}).filename);`;
  const printed = await runCommand(process.execPath, ['--input-type=module', '--eval', program], { cwd: root, env });
  return join(directory, printed.split('\n').at(-1) ?? '');
}

async function readStateful(deployment: DeployRun): Promise<readonly DeployedResource[]> {
  return (await readAllResources(deployment)).filter(({ ResourceType }) => stateful.test(ResourceType));
}

/** Lets the messages of the queues of webhooks and of onboardings wait, or be handled. */
async function setMappings(deployment: DeployRun, to: '--enabled' | '--no-enabled'): Promise<void> {
  for (const prefix of ['WebhookIngestStore', 'OnboardingAdvance']) {
    const id = await findResource(deployment, 'service', 'AWS::Lambda::EventSourceMapping', prefix);
    await deployment.aws.run('lambda', 'update-event-source-mapping', '--uuid', id, to);
  }
}

function untilVideoCall(deployment: DeployRun, id: string): Promise<boolean> {
  const isReached = async () => (await readOnboarding(deployment, id)).step === 'AWAITING_VIDEO_CALL';
  return until(`The onboarding ${id} waits for the video call`, isReached, deadline);
}

/** Ends the video calls of onboardings, and waits until their persons are ACTIVE. */
async function endOnboardings(deployment: DeployRun, ids: readonly string[]): Promise<void> {
  const { verifications, persons } = deployment.platform.platform;
  for (const id of ids)
    await until(
      `The onboarding ${id} is COMPLETED and its person ACTIVE`,
      async () => {
        const { step, naturalPersonId = '' } = await readOnboarding(deployment, id);
        for (const { identificationVerificationId, status } of verifications.of(naturalPersonId))
          if (status === 'PENDING') verifications.endVideoCall(identificationVerificationId, 'APPROVED');
        return step === 'COMPLETED' && persons.statusOf(naturalPersonId) === 'ACTIVE';
      },
      deadline,
    );
}

async function expectVersion(deployment: DeployRun, expected: string): Promise<void> {
  const { Version } = await readOutputs(deployment);
  if (Version !== expected) throw new DeploymentError(`Release ${Version} is deployed, not ${expected}.`);
}

function expectText(printed: string, text: string): void {
  if (!printed.includes(text)) throw new DeploymentError(`Not printed: ${text}\n${printed}`);
}

const counted = (text: string, part: RegExp) => [...text.matchAll(part)].length;
