import { globSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import type { PlatformServer } from '#sandbox/platform/app/serve.ts';
import { DeploymentError } from './errors.ts';
import type { Target } from './target.ts';
import type { Aws } from './tools/aws-cli.ts';
import type { Cdk } from './tools/cdk-cli.ts';

/** What all steps share: where they deploy, the platform, and the tools of an operator. */
export type DeployRun = {
  /** The repository. */
  readonly root: string;
  /** All files of this run. */
  readonly directory: string;
  /** The environment that is deployed. */
  readonly environment: string;
  /** The programs that pip has installed. */
  readonly bin: string;
  /** The variables of an operator's shell. */
  readonly env: Readonly<Record<string, string>>;
  readonly target: Target;
  /** What the app is synthesized with, beside the name of the environment. */
  readonly context: Readonly<Record<string, string>>;
  readonly aws: Aws;
  readonly cdk: Cdk;
  readonly platform: PlatformServer;
  /** Whether the platform reaches API Gateway. */
  readonly network: { isUp: boolean };
  /** Ends the tools of a step that an interrupt has abandoned: it changes nothing during the removal. */
  readonly signal?: AbortSignal | undefined;
};

/** `undelivered.settle` of the environment's platform profile, in milliseconds: shorter than the default, which a step waits for. */
export const settleMs = 5_000;

/** The context by which the stacks of the laptop find the platform of this run. */
export const contextOfPlatform = (url: string): Readonly<Record<string, string>> => ({
  platform: JSON.stringify({ baseUrl: url, authUrl: url }),
  platformProfile: JSON.stringify({ undelivered: { settle: settleMs } }),
});

/** The folders of the cloud assemblies. */
export const assembliesOf = ({ directory }: Pick<DeployRun, 'directory'>) => ({
  /** As `cdk synth` writes it. */
  synthesized: join(directory, 'cdk.out'),
  /** The same stacks with every setting, to be scanned only. */
  everySetting: join(directory, 'every-setting.out'),
  /** As the target takes it: the emulator takes adapted templates. */
  adapted: join(directory, 'adapted.out'),
});

/** The templates that the scanners read: of the stacks with this run's settings, and with every setting. */
export function scannedTemplates(deployment: Pick<DeployRun, 'directory'>): readonly string[] {
  const { synthesized, everySetting } = assembliesOf(deployment);
  return [synthesized, everySetting].flatMap((assembly) =>
    globSync('*.template.json', { cwd: assembly }).map((file) => join(assembly, file)),
  );
}

export const stacksOf = ({ environment }: Pick<DeployRun, 'environment'>) => ({
  data: `drawbridge-${environment}-data`,
  service: `drawbridge-${environment}-service`,
});

type StackName = keyof ReturnType<typeof stacksOf>;

/** In milliseconds. */
const pollInterval = 250;
const defaultDeadline = 180_000;

/** Repeats a question until its answer is no longer undefined or false. @throws {DeploymentError} */
export async function until<Answer>(
  what: string,
  ask: () => Promise<Answer | undefined | false> | Answer | undefined | false,
  deadline = defaultDeadline,
): Promise<Answer> {
  const giveUpAt = Date.now() + deadline;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > giveUpAt) throw new DeploymentError(`${what}: not within ${deadline / 1_000} s.`);
    await wait(pollInterval);
  }
}

const tableState = z.object({ Table: z.object({ TableStatus: z.string() }) });

/** In milliseconds: a restore takes up to an hour. `aws dynamodb wait` ends after 500 s. */
const restoreDeadline = 3_600_000;

/** Waits until a table that may be restored just now can be used or deleted. */
export async function untilActive({ aws }: Pick<DeployRun, 'aws'>, table: string): Promise<void> {
  const read = () => aws.read(tableState, 'dynamodb', 'describe-table', '--table-name', table);
  await until(`${table} is ACTIVE`, async () => (await read()).Table.TableStatus === 'ACTIVE', restoreDeadline);
}

const described = z.object({
  Stacks: z.tuple([
    z.object({
      StackStatus: z.string(),
      Outputs: z.array(z.object({ OutputKey: z.string(), OutputValue: z.string() })).default([]),
    }),
  ]),
});

/** The status of a stack, such as `CREATE_COMPLETE`. */
export async function readStatus({ aws }: DeployRun, stack: string): Promise<string> {
  return (await aws.read(described, 'cloudformation', 'describe-stacks', '--stack-name', stack)).Stacks[0].StackStatus;
}

/** Makes something for a deployment when it is first asked for, and once. */
export function oncePerRun<Made>(make: (deployment: DeployRun) => Promise<Made>) {
  const made = new WeakMap<DeployRun, Promise<Made>>();
  return (deployment: DeployRun): Promise<Made> => {
    const known = made.get(deployment) ?? make(deployment);
    made.set(deployment, known);
    return known;
  };
}

const keptOutputs = z.object({
  AlarmTopicArn: z.string(),
  ApiUrl: z.url(),
  PlatformCredentialsArn: z.string(),
  ReconcileFunction: z.string(),
  RegisterFunction: z.string(),
  ReplayFunction: z.string(),
  Version: z.string(),
  WebhooksUrl: z.url(),
});

type KeptOutputs = z.infer<typeof keptOutputs>;

const outputs = new WeakMap<DeployRun, Promise<KeptOutputs>>();

/** The outputs that an operator keeps, as docs/how-to/without-the-command-line.md says. */
export function readOutputs(deployment: DeployRun): Promise<KeptOutputs> {
  const known = outputs.get(deployment) ?? describeOutputs(deployment);
  outputs.set(deployment, known);
  return known;
}

/** To be called when other stacks are deployed than those that were read. */
export function forgetOutputs(deployment: DeployRun): void {
  outputs.delete(deployment);
}

async function describeOutputs({ aws, ...deployment }: DeployRun): Promise<KeptOutputs> {
  const { data, service } = stacksOf(deployment);
  const all = await Promise.all(
    [data, service].map((stack) => aws.read(described, 'cloudformation', 'describe-stacks', '--stack-name', stack)),
  );
  const pairs = all
    .flatMap(({ Stacks }) => Stacks[0].Outputs)
    .map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]);
  return keptOutputs.parse(Object.fromEntries(pairs));
}

const resources = z.object({
  StackResourceSummaries: z.array(
    z.object({
      LogicalResourceId: z.string(),
      PhysicalResourceId: z.string().default(''),
      ResourceType: z.string(),
      ResourceStatus: z.string(),
    }),
  ),
});

export type DeployedResource = z.infer<typeof resources>['StackResourceSummaries'][number];

/** The resources of a stack, by the call that the AWS CLI pages: describe-stack-resources answers with the first 100. */
export async function readResources({ aws }: DeployRun, stack: string): Promise<readonly DeployedResource[]> {
  return (await aws.read(resources, 'cloudformation', 'list-stack-resources', '--stack-name', stack))
    .StackResourceSummaries;
}

/** The resources of a type. @throws {DeploymentError} if the stack has none */
export async function resourcesOfType(
  deployment: DeployRun,
  stack: StackName,
  type: string,
): Promise<readonly DeployedResource[]> {
  const all = await readResources(deployment, stacksOf(deployment)[stack]);
  const found = all.filter(({ ResourceType }) => ResourceType === type);
  if (found.length === 0) throw new DeploymentError(`The ${stack} stack has no ${type}.`);
  return found;
}

/** The physical id of the first resource of a type whose logical id begins so. @throws {DeploymentError} */
export async function findResource(
  deployment: DeployRun,
  stack: StackName,
  type: string,
  prefix = '',
): Promise<string> {
  const all = await resourcesOfType(deployment, stack, type);
  const found = all.find(({ LogicalResourceId }) => LogicalResourceId.startsWith(prefix));
  if (found === undefined) throw new DeploymentError(`The ${stack} stack has no ${type} ${prefix}.`);
  return found.PhysicalResourceId;
}
