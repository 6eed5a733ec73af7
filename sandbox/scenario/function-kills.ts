import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';

export type KillsDeps = {
  readonly random: () => number;
  /** So often a function is killed at the most: fewer times than a message is tried. */
  readonly most: number;
};

export type FunctionKills = ReturnType<typeof createFunctionKills>;

type Kill = (functionName: string) => void;

/** In calls: how long a function lives at first, about. Then twice as long each time, so that a few kills last. */
const firstLife = 15;

/**
 * Kills functions at moments of their own AWS calls, by chance: before the service has seen a call, or after it has done
 * it. All messages that a function works on at that time come again.
 */
export function createFunctionKills({ random, most }: KillsDeps) {
  let kill: Kill | undefined;
  const counts = new Map<string, number>();
  /** How many moments each has left to live. */
  const left = new Map<string, number>();

  const lifeAfter = (kills: number) => Math.ceil(firstLife * 2 ** kills * (0.5 + random()));

  return {
    onAwsCall: ({ caller }: Pick<AwsCallMoment, 'caller'>): void => {
      const kills = counts.get(caller ?? '') ?? 0;
      if (kill === undefined || caller === undefined || kills >= most) return;
      const moments = (left.get(caller) ?? lifeAfter(kills)) - 1;
      left.set(caller, moments);
      if (moments > 0) return;
      counts.set(caller, kills + 1);
      left.set(caller, lifeAfter(kills + 1));
      kill(caller);
    },
    begin: (how: Kill): void => {
      kill = how;
    },
    end: (): void => {
      kill = undefined;
    },
    /** How often each function was killed, by its name. */
    counts: (): ReadonlyMap<string, number> => counts,
  };
}
