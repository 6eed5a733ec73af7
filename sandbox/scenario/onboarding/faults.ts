import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import type { Platform } from '#sandbox/platform/app/platform.ts';
import { maxSeconds } from '#sandbox/platform/core/settings.ts';
import type { SettingsChange } from '#sandbox/platform/core/settings-store.ts';
import { fault } from '#sandbox/platform/faults/faults.ts';

/** The platform acts on its own as little as possible, so that the personas decide. */
export const passivePlatform: SettingsChange = {
  checksAfter: maxSeconds,
  activationsAfter: maxSeconds,
  videoCallsAfter: null,
};

/**
 * `deliveryDelay` is in seconds. The shares are so high that each kind happens in a run of few persons too, which has about
 * forty deliveries.
 */
const unreliable: SettingsChange = {
  deliveriesLost: 0.25,
  deliveriesDuplicated: 0.25,
  deliveriesDelayed: 0.2,
  deliveriesReordered: 0.2,
  deliveryDelay: 600,
};

const reliable: SettingsChange = {
  deliveriesLost: 0,
  deliveriesDuplicated: 0,
  deliveriesDelayed: 0,
  deliveriesReordered: 0,
};

/** The operations whose answers are lost after the platform has committed. */
const creates = ['createNaturalPerson', 'createIdentificationVerification', 'createNaturalPersonIdentification'];

/** The faults of each kind. */
const faults = {
  /** The credentials lack a right. A refused onboarding stops until an operator retries it. */
  refusals: creates.map((operation) => ({ operation, effect: 'ANSWER', status: 403, times: 2 })),
  lostAnswers: creates.flatMap((operation) => [
    // At least one answer of each kind is lost, however few persons there are.
    { operation, effect: 'ANSWER', status: 500, commits: true, times: 1 },
    { operation, effect: 'ANSWER', status: 500, commits: true, share: 0.1 },
    { operation, effect: 'NO_ANSWER', commits: true, share: 0.05 },
  ]),
  errors: [
    { effect: 'ANSWER', status: 503, share: 0.05 },
    { effect: 'ANSWER', status: 429, retryAfter: '1', share: 0.05 },
  ],
};

/** How often each kind of fault happened. */
export type FaultCounts = Readonly<Record<keyof typeof faults, number>>;

export type RunningFaults = ReturnType<typeof startFaults>;

export function startFaults({ settings, faults: { place, list, remove, clear } }: Platform) {
  settings.change(unreliable);
  const idsOf = (ones: readonly unknown[]) => new Set(ones.map((one) => place(fault.parse(one)).id));
  const ids = {
    refusals: idsOf(faults.refusals),
    lostAnswers: idsOf(faults.lostAnswers),
    errors: idsOf(faults.errors),
  };
  const happened = (kind: keyof typeof ids) =>
    list().reduce((sum, placed) => sum + (ids[kind].has(placed.id) ? placed.happened : 0), 0);
  let refusals: number | undefined;

  return {
    /** Restores the right of the credentials. */
    endRefusals: (): void => {
      refusals ??= happened('refusals');
      for (const id of ids.refusals) remove(id);
    },
    haveRefusalsEnded: (): boolean => refusals !== undefined,
    end: (): FaultCounts => {
      const counts = {
        refusals: refusals ?? happened('refusals'),
        lostAnswers: happened('lostAnswers'),
        errors: happened('errors'),
      };
      clear();
      settings.change(reliable);
      return counts;
    },
  };
}

export type KillsDeps = {
  readonly random: () => number;
  /** The most kills of one function: fewer than the deliveries of a message. */
  readonly maxKills: number;
};

export type FunctionKills = ReturnType<typeof createFunctionKills>;

type Kill = (functionName: string) => void;

/** The approximate number of calls before the first kill. It doubles each time, so that kills become rare. */
const firstInterval = 15;

/**
 * Kills functions at random moments of their own AWS calls: before the service receives a call, or after it has carried
 * out the call. Every message that the function was processing is delivered again.
 */
export function createFunctionKills({ random, maxKills }: KillsDeps) {
  let kill: Kill | undefined;
  const counts = new Map<string, number>();
  /** The number of calls before the next kill of each function. */
  const left = new Map<string, number>();

  const intervalAfter = (kills: number) => Math.ceil(firstInterval * 2 ** kills * (0.5 + random()));

  return {
    onAwsCall: ({ caller }: Pick<AwsCallMoment, 'caller'>): void => {
      const kills = counts.get(caller ?? '') ?? 0;
      if (kill === undefined || caller === undefined || kills >= maxKills) return;
      const moments = (left.get(caller) ?? intervalAfter(kills)) - 1;
      left.set(caller, moments);
      if (moments > 0) return;
      counts.set(caller, kills + 1);
      left.set(caller, intervalAfter(kills + 1));
      kill(caller);
    },
    begin: (how: Kill): void => {
      kill = how;
    },
    end: (): void => {
      kill = undefined;
    },
    /** The number of kills by function. */
    counts: (): ReadonlyMap<string, number> => counts,
  };
}
