import * as z from 'zod';
import { DeploymentError } from '#tools/deploy/errors.ts';

/** How many hours a run may take on AWS: what is billed by the hour, and how long the credentials must hold. */
export const runHours = 3;

/** What the command line says. */
export type AccountOptions = {
  readonly aws: boolean;
  /** A run to remove, in place of a new one. */
  readonly remove?: string | undefined;
  /** The account that the caller expects. */
  readonly account?: string | undefined;
  /** Whether the run begins without a question. */
  readonly yes: boolean;
  /** Where the functions reach the platform of this run. */
  readonly platformUrl?: string | undefined;
  /** Whether an emulator stands for AWS. */
  readonly rehearse: boolean;
};

/** Whose credentials are used, as STS says. */
export const identity = z.object({ Account: z.string().regex(/^\d{12}$/), Arn: z.string() });

/** An ARN without the name of its session, which is an e-mail address in IAM Identity Center. */
export const withoutSession = (arn: string) => arn.replace(/(:assumed-role\/[^/]+)\/.*/, '$1');

export type Plan = {
  /** Six hexadecimal digits. */
  readonly run: string;
  readonly environment: string;
  readonly account: string;
  readonly region: string;
  /** The ARN of the caller, without a session. */
  readonly caller: string;
  readonly platformUrl: string | undefined;
  readonly isRehearsal: boolean;
  /** See `estimateOf`. */
  readonly estimate: string;
};

/** The environment of a run. CloudFormation keeps the whole prefix `drawbridge-verify-…` in every name that it generates. */
export const environmentOf = (run: string) => `verify-${run}`;

/** The qualifier of a bootstrap of its own: that of the account may have other policies, and stays as it is. */
export const qualifierOf = (run: string) => `v${run}`;

export const toolkitStackOf = (qualifier: string) => `CDKToolkit-${qualifier}`;

/**
 * Refuses options and variables with which the run would not be what it says.
 *
 * @throws {DeploymentError}
 */
export function checkOptions(
  { aws, remove, account, yes, platformUrl, rehearse }: AccountOptions,
  env: Readonly<Record<string, string | undefined>>,
): void {
  const refuse = (message: string) => {
    throw new DeploymentError(`Nothing was created: ${message}`);
  };
  const others = Object.entries({ '--remove': remove, '--account': account, '--platform-url': platformUrl });
  const [needsAws] = [...others, ['--rehearse', rehearse], ['--yes', yes]].find(([, value]) => value) ?? [];
  if (!aws) {
    if (needsAws !== undefined) refuse(`${needsAws} needs --aws.`);
    return;
  }
  if (remove !== undefined && !/^verify-[\da-f]{6}$/.test(remove))
    refuse('--remove needs the name of a run, such as verify-1a2b3c.');
  if (remove !== undefined && rehearse) refuse('--remove takes no --rehearse: an emulator keeps no run.');
  const endpoint = Object.keys(env).find((name) => name.startsWith('AWS_ENDPOINT_URL') && env[name] !== '');
  if (!rehearse && endpoint !== undefined)
    refuse(`${endpoint} is set, so that the record would not be of AWS. Unset it, or add --rehearse.`);
  if (yes && account === undefined) refuse('--yes needs --account <id>, the account that you expect.');
  if (rehearse && platformUrl !== undefined) refuse('--rehearse takes no --platform-url: all is on this machine.');
  const url = platformUrl === undefined ? undefined : URL.parse(platformUrl);
  if (url === null || (url !== undefined && (url.protocol !== 'https:' || url.origin !== platformUrl)))
    refuse('--platform-url must be https:// and a host, without a path or a slash at its end.');
}

/**
 * Refuses credentials of another account, of another partition, or that end before the run does.
 *
 * @throws {DeploymentError}
 */
export function checkIdentity(
  { Account, Arn }: z.infer<typeof identity>,
  { account }: Pick<AccountOptions, 'account'>,
  { expiration, now }: { readonly expiration?: Date | undefined; readonly now: Date },
): void {
  const refuse = (message: string) => {
    throw new DeploymentError(`Nothing was created: ${message}`);
  };
  if (account !== undefined && account !== Account)
    refuse(`the credentials are of the account ${Account}, and --account says ${account}.`);
  if (!Arn.startsWith('arn:aws:')) refuse('the run knows the commercial regions only.');
  if (expiration !== undefined && expiration.getTime() - now.getTime() < runHours * 3_600_000)
    refuse(
      `the credentials end on ${expiration.toISOString()}, and a run may take ${runHours} hours. Take ones that hold for longer.`,
    );
}

/** What is shown before anything is created. */
export function describePlan(plan: Plan): string {
  const { account, region, caller, environment, run, platformUrl, isRehearsal, estimate } = plan;
  return [
    isRehearsal ? 'A rehearsal: an emulator stands for AWS. Its record is not evidence of AWS.' : undefined,
    `Account      ${account}, region ${region}, as ${caller}`,
    `Environment  ${environment}. Every resource has the tag drawbridge:environment=${environment}, or the name in its own.`,
    `Creates      the stacks drawbridge-${environment}-data and -service, with tables, queues, functions, an API, alarms and KMS keys;`,
    `             the bootstrap ${toolkitStackOf(qualifierOf(run))} with a bucket and roles; IAM users and policies drawbridge-${environment}-*.`,
    '             It disables and enables its own keys, and fires its own alarms. No one is subscribed to them.',
    'Removes      all of it at its end, also after a failure. KMS deletes the keys 7 to 30 days later, without a charge.',
    `Cost         ${estimate}`,
    platformUrl === undefined
      ? 'Platform     no --platform-url: the steps that need the platform do not run, and the record names them.'
      : `Platform     the sandbox of this run, which the functions reach at ${platformUrl}.`,
  ]
    .filter((line) => line !== undefined)
    .join('\n');
}

export type ConfirmDeps = {
  /** Undefined if there is no terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
};

/** Has the caller write the id of the account. @throws {DeploymentError} if another text, or none, is written */
export async function confirmPlan(
  { account }: Pick<Plan, 'account'>,
  { yes }: Pick<AccountOptions, 'yes'>,
  { ask }: ConfirmDeps,
): Promise<void> {
  if (yes) return;
  if (ask === undefined)
    throw new DeploymentError('Nothing was created: there is no terminal to ask. Add --yes --account <id>.');
  const written = await ask('Write the id of the account to begin, or anything else to end: ');
  if (written.trim() !== account) throw new DeploymentError('Nothing was created: you did not write the id.');
}
