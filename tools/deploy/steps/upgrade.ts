import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { adaptAssembly } from '#tools/deploy/assembly/adapt-assembly.ts';
import { adaptTemplate } from '#tools/deploy/assembly/adaptations.ts';
import { asDeployable, findLatestRelease, readRelease } from '#tools/deploy/assembly/release-templates.ts';
import {
  assembliesOf,
  type DeployedResource,
  type Deployment,
  readResources,
  readStatus,
  stacksOf,
} from '#tools/deploy/deployment.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import type { Skipped } from '#tools/deploy/run-steps.ts';

/** What an upgrade must neither replace nor remove: promise 11. */
const stateful = /^AWS::(DynamoDB::Table|SQS::Queue|SecretsManager::Secret|Events::EventBus|KMS::Key)$/;

const releaseAssembly = (directory: string) => join(directory, 'release.out');

/** The resources with state, as the release has deployed them. */
const deployedByRelease = new WeakMap<Deployment, readonly DeployedResource[]>();

async function readStateful(deployment: Deployment): Promise<readonly DeployedResource[]> {
  const { data, service } = stacksOf(deployment);
  const all = [...(await readResources(deployment, data)), ...(await readResources(deployment, service))];
  return all.filter(({ ResourceType }) => stateful.test(ResourceType));
}

/** Deploys the templates of the last release, with the code of today. */
export async function deployLastRelease(deployment: Deployment): Promise<string | Skipped> {
  const { root, directory, environment, cdk } = deployment;
  const release = findLatestRelease(root);
  if (release === undefined) return { skipped: 'no earlier release: tools/releases has no folder' };
  const assembly = releaseAssembly(directory);
  adaptAssembly(assembliesOf(deployment).synthesized, assembly, (today, stack) =>
    adaptTemplate(asDeployable(readRelease(release, stack.split('-').at(-1) ?? ''), environment, today)),
  );
  await cdk.deploy(assembly);
  const resources = await readStateful(deployment);
  deployedByRelease.set(deployment, resources);
  return `release ${release.version} with ${resources.length} resources that hold state`;
}

/** Deploys the stacks of today over the release, and compares the resources that hold state. */
export async function upgrade(deployment: Deployment): Promise<string | Skipped> {
  const before = deployedByRelease.get(deployment);
  if (before === undefined) return { skipped: 'no earlier release' };
  await deployment.cdk.deploy(assembliesOf(deployment).adapted);
  const kept = new Set((await readStateful(deployment)).map(({ PhysicalResourceId }) => PhysicalResourceId));
  const lost = before.filter(({ PhysicalResourceId }) => !kept.has(PhysicalResourceId));
  if (lost.length > 0)
    throw new DeploymentError(
      `Replaced or removed: ${lost.map(({ LogicalResourceId }) => LogicalResourceId).join(', ')}.`,
    );
  return `all ${before.length} resources that hold state are the same`;
}

/** Deploys only the service stack of the release, as docs/how-to/upgrade.md says. The data stack stays as it is. */
export async function rollBack(deployment: Deployment): Promise<string | Skipped> {
  if (!deployedByRelease.has(deployment)) return { skipped: 'no earlier release' };
  const { data, service } = stacksOf(deployment);
  const idsOf = async () => (await readResources(deployment, data)).map(({ PhysicalResourceId }) => PhysicalResourceId);
  const before = await idsOf();
  await deployment.cdk.deployAlone(releaseAssembly(deployment.directory), service);
  if (!isDeepStrictEqual(await idsOf(), before)) throw new DeploymentError('The data stack has other resources.');
  const status = await readStatus(deployment, service);
  if (status !== 'UPDATE_COMPLETE') throw new DeploymentError(`${service} is ${status}, not UPDATE_COMPLETE.`);
  return `the service is rolled back, and the data stack has its ${before.length} resources`;
}
