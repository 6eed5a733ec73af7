import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { defaultProvider } from '@aws-sdk/credential-provider-node';
import * as z from 'zod';
import { boundaryNameOf, environmentTag } from '#cli/policy/deployment/policy.ts';
import { settings } from '#infra/settings.ts';
import { laptop } from '#infra/settings-file/settings-file.ts';
import { version } from '#shared/version.ts';
import { contextOfPlatform, type DeployRun, settleMs } from '#tools/deploy/deploy-run.ts';
import { DeploymentError } from '#tools/deploy/errors.ts';
import { runSteps, type Step } from '#tools/deploy/run-steps.ts';
import { queryThrottle } from '#tools/deploy/steps/account/limits.ts';
import { accountTarget, emulatorTarget } from '#tools/deploy/target.ts';
import { createAws } from '#tools/deploy/tools/aws-cli.ts';
import { createCdk } from '#tools/deploy/tools/cdk-cli.ts';
import { accountEnvironment } from '#tools/deploy/tools/child-environment.ts';
import { runCommand } from '#tools/deploy/tools/command.ts';
import type { Emulator } from '#tools/deploy/tools/emulator.ts';
import { estimateOf } from './estimate.ts';
import {
  type AccountOptions,
  type ConfirmDeps,
  checkIdentity,
  confirmPlan,
  describePlan,
  environmentOf,
  identity,
  type Plan,
  qualifierOf,
  toolkitStackOf,
  withoutSession,
} from './plan.ts';
import { hasPassed, writeRecord } from './record.ts';
import { checkFound, type Removal, removeRun } from './removal.ts';

/** The platform that no function reaches, if the caller names none. */
const nowhere = 'https://drawbridge-verify.internal';

/** In milliseconds: how long AWS lists by tag what is deleted. */
const listDelay = 900_000;

export type VerifyAccountProps = {
  readonly options: AccountOptions;
  readonly steps: readonly Step<DeployRun>[];
  readonly root: string;
  readonly bin: string;
  /** All files of this run but the record. */
  readonly directory: string;
  /** Variables of an operator's shell, without credentials of an account. */
  readonly env: Readonly<Record<string, string>>;
  readonly region: string;
  /** Stands for AWS in a rehearsal. */
  readonly emulator: Emulator | undefined;
  /** Of an account. */
  readonly credentials: Awaited<ReturnType<ReturnType<typeof defaultProvider>>> | undefined;
  readonly platform: Pick<DeployRun, 'platform' | 'network'>;
  /** Ends the steps. What they created is removed. */
  readonly signal: AbortSignal;
};

export type VerifyAccountDeps = ConfirmDeps & {
  readonly print: (text: string) => void;
  readonly newRun: () => string;
};

type RemoveProps = Pick<VerifyAccountProps, 'options' | 'directory' | 'env' | 'region' | 'credentials'>;

/** Removes a run that was killed. @returns whether nothing is left */
export async function removeAccountRun(
  environment: string,
  props: RemoveProps,
  deps: Pick<VerifyAccountDeps, 'ask' | 'print'>,
): Promise<boolean> {
  const { options, directory, region } = props;
  const aws = createAws({ directory, env: variablesOf(props) });
  const caller = await aws.read(identity, 'sts', 'get-caller-identity');
  checkIdentity(caller, options, { now: new Date() });
  const run = { aws, environment, qualifier: qualifierOf(environment.replace(/^verify-/, '')), listDelay };
  await checkFound(run, region);
  deps.print(`Removes the run ${environment} from ${caller.Account}, ${region}.`);
  await confirmPlan({ account: caller.Account }, options, deps);
  return report(await removeRun(run), deps.print);
}

function variablesOf({ env, credentials, region }: RemoveProps): Readonly<Record<string, string>> {
  return credentials === undefined ? env : accountEnvironment(env, credentials, { region, env: process.env });
}

/** Deploys to an account, operates and removes, and keeps a record. @returns whether all passed and nothing is left */
export async function verifyAccount(props: VerifyAccountProps, deps: VerifyAccountDeps): Promise<boolean> {
  const { options, steps, root, directory, emulator, region, signal } = props;
  const { print } = deps;
  const env = variablesOf(props);
  const aws = createAws({ directory, env });
  const caller = await aws.read(identity, 'sts', 'get-caller-identity');
  checkIdentity(caller, options, { expiration: props.credentials?.expiration, now: new Date() });
  const run = deps.newRun();
  const environment = emulator === undefined ? environmentOf(run) : laptop;
  const qualifier = qualifierOf(run);
  const ofRun = { aws, environment, qualifier, listDelay: emulator === undefined ? listDelay : 0 };
  const given = settingsOfRun(environment, options.platformUrl);
  const estimated = { name: environment, settings: settings.parse(given) };
  const plan: Plan = {
    run,
    environment,
    account: caller.Account,
    region,
    caller: withoutSession(caller.Arn),
    platformUrl: emulator === undefined ? options.platformUrl : props.platform.platform.origin,
    isRehearsal: emulator !== undefined,
    estimate: estimateOf(estimated, { region, directory: join(directory, 'estimate.out') }),
  };
  print(describePlan(plan));
  if (signal.aborted) throw new DeploymentError('Nothing was created: you have interrupted the run.');
  await confirmPlan(plan, options, deps);

  const startedOn = new Date().toISOString();
  const file = join(root, 'settings', `${environment}.json`);
  const target =
    emulator === undefined
      ? accountTarget({ account: plan.account, region, platformUrl: options.platformUrl })
      : emulatorTarget(emulator, props.platform.platform.origin);
  const operator = {
    ...env,
    // The CDK CLI takes its options from such variables.
    CDK_TOOLKIT_STACK_NAME: toolkitStackOf(qualifier),
    CDK_QUALIFIER: qualifier,
    BOOTSTRAP_TAG: `${environmentTag}=${environment}`,
  };
  const deployment: DeployRun = {
    root,
    directory,
    environment,
    bin: props.bin,
    env: operator,
    target,
    context: {
      '@aws-cdk/core:bootstrapQualifier': qualifier,
      ...(emulator === undefined ? {} : contextOfPlatform(props.platform.platform.origin)),
    },
    aws: createAws({ directory, env: operator, signal }),
    cdk: createCdk({ root, env: operator, signal }),
    signal,
    ...props.platform,
  };
  const commit = await commitOf(root);
  const removeCommand = `AWS_REGION=${region} npm run verify:deploy -- --aws --remove ${environment}`;
  try {
    if (emulator === undefined) {
      writeFileSync(file, JSON.stringify(given, undefined, 2));
      print(`\nIf this run is killed: ${removeCommand}\n`);
    }
    const now = () => performance.now();
    const results = await runSteps(steps, deployment, { now, today: () => new Date(), print, signal });
    const stacks = await stacksOfRun(ofRun).catch((error: unknown) => [{ name: 'not listed', id: String(error) }]);
    const write = (removal: Removal) => {
      const record = { plan, release: version, commit, startedOn, endedOn: new Date().toISOString() };
      const complete = { ...record, steps: results, stacks, removal };
      return { page: writeRecord(join(root, 'aws-records'), complete), passed: hasPassed(complete) };
    };
    const unfinished = `everything, until the removal ends. If it was killed: ${removeCommand}`;
    try {
      write({ left: [unfinished], pending: [], failures: [] });
    } catch (error) {
      print(`The record was not written yet: ${String(error)}`);
    }
    print('\nRemoving what is left of the run.');
    const removal = await removeRun(ofRun);
    const { page, passed } = write(removal);
    print(`\n${page} is the record.`);
    report(removal, print);
    return passed;
  } finally {
    if (emulator === undefined) rmSync(file, { force: true });
  }
}

/** The settings of a run: those of the laptop, for an account if CloudFormation has few permissions. */
export function settingsOfRun(environment: string, url = nowhere): z.input<typeof settings> {
  return {
    platform: { baseUrl: url, authUrl: url },
    platformProfile: { undelivered: { settle: settleMs } },
    permissionsBoundary: boundaryNameOf(environment),
    queryThrottle,
    keys: 'separate',
    // The sandbox platform has the words of the specification.
    keepStandIns: true,
  };
}

function report({ left, pending, failures }: Removal, print: (text: string) => void): boolean {
  for (const failure of failures) print(`failed during the removal: ${failure}`);
  for (const key of pending) print(`pending deletion: ${key}`);
  for (const one of left) print(`LEFT: ${one}`);
  if (left.length === 0) print('Nothing is left.');
  return left.length === 0;
}

async function commitOf(root: string): Promise<{ readonly id: string; readonly isChanged: boolean }> {
  const git = (...args: readonly string[]) => runCommand('git', args, { cwd: root, env: process.env });
  const [id, status] = [await git('rev-parse', 'HEAD'), await git('status', '--porcelain')];
  return { id: id.trim(), isChanged: status.trim() !== '' };
}

const stackIds = z.array(z.tuple([z.string(), z.string()])).nullable();

/** CloudFormation lists deleted stacks, too. */
async function stacksOfRun({ aws, environment, qualifier }: Parameters<typeof removeRun>[0]) {
  const isOurs = `starts_with(StackName, 'drawbridge-${environment}-') || StackName=='${toolkitStackOf(qualifier)}'`;
  const query = ['--query', `StackSummaries[?${isOurs}].[StackName, StackId]`];
  return ((await aws.read(stackIds, 'cloudformation', 'list-stacks', ...query)) ?? []).map(([name, id]) => ({
    name,
    id,
  }));
}
