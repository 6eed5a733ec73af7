/** Where the stacks are deployed: an account of AWS, or the emulator. */
export type Target = {
  readonly account: string;
  readonly region: string;
  /** Whether it is MiniStack, for which templates are adapted and which lacks parts of AWS. */
  readonly isEmulator: boolean;
  /** Sends requests to API Gateway. */
  readonly fetch: typeof fetch;
  /** Where the functions reach the platform of this run. Undefined if they cannot. */
  readonly platformUrl: string | undefined;
  /** In milliseconds: how long IAM takes until each region knows a new user or policy. */
  readonly iamDelay: number;
  /** In milliseconds: the earliest time from now at which a schedule can fire. */
  readonly scheduleDelay: number;
};

/** Of the emulator, whose functions are processes of this machine. */
export function emulatorTarget(
  { account, region, fetch }: Pick<Target, 'account' | 'region' | 'fetch'>,
  platformUrl: string,
): Target {
  return { account, region, fetch, isEmulator: true, platformUrl, iamDelay: 0, scheduleDelay: 0 };
}

/** Of an account. Schedules fire at whole minutes. */
export function accountTarget({
  account,
  region,
  platformUrl,
}: Pick<Target, 'account' | 'region' | 'platformUrl'>): Target {
  return { account, region, fetch, isEmulator: false, platformUrl, iamDelay: 15_000, scheduleDelay: 61_000 };
}
