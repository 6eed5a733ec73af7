import * as z from 'zod';
import type { Clock } from '#sandbox/platform/core/clock.ts';

const which = {
  operation: z
    .string()
    .default('*')
    .describe('The operationId in /openapi.json, for example createNaturalPerson; * means all, including Get Token'),
  share: z.number().gt(0).max(1).default(1).describe('The share of calls, from 0 to 1'),
  times: z.int().positive().optional().describe('The maximum number of times; unlimited by default'),
  seconds: z.number().positive().optional().describe('The duration by the clock of the platform; unlimited by default'),
};

/** A fault of API calls. */
export const fault = z.discriminatedUnion('effect', [
  z.strictObject({
    ...which,
    effect: z.literal('ANSWER').describe('Answers in place of the platform'),
    status: z.int().min(200).max(599),
    retryAfter: z
      .string()
      .regex(/^[\x20-\x7e]*$/, 'must be a header of printable ASCII')
      .optional()
      .describe('The header Retry-After: seconds, or a date'),
    body: z.string().optional().describe('Sent unchanged as application/json; an error body by default'),
    commits: z.boolean().default(false).describe('Whether the platform carries out the call nevertheless'),
  }),
  z.strictObject({
    ...which,
    effect: z.literal('NO_ANSWER').describe('Breaks the connection'),
    commits: z.boolean().default(false).describe('Whether the platform carries out the call nevertheless'),
  }),
  z.strictObject({
    ...which,
    effect: z.literal('LATENCY').describe('Answers late'),
    milliseconds: z.int().min(0).max(120_000).describe('Milliseconds of real time'),
  }),
]);

export type Fault = z.infer<typeof fault>;

/** A fault, and the number of times it has happened. */
export const placedFault = z.strictObject({ id: z.uuid(), fault, happened: z.int() }).meta({ id: 'PlacedFault' });

export type PlacedFault = z.infer<typeof placedFault>;

export type FaultsDeps = {
  readonly clock: Pick<Clock, 'now'>;
  readonly random: () => number;
  readonly newId: () => string;
};

export type Faults = ReturnType<typeof createFaults>;

type Entry = PlacedFault & { readonly endsAt: number };

export function createFaults({ clock, random, newId }: FaultsDeps) {
  const placed = new Map<string, Entry>();

  function matches(operation: string, { fault: one, happened, endsAt }: Entry): boolean {
    const isOver = happened >= (one.times ?? Number.POSITIVE_INFINITY) || clock.now().getTime() >= endsAt;
    if (isOver || (one.operation !== '*' && one.operation !== operation)) return false;
    return one.share === 1 || random() < one.share;
  }

  /** The faults that match a call. At most one of them answers in place of the platform: the oldest. */
  function faultsFor(operation: string): readonly Fault[] {
    const candidates = [...placed.values()].filter((entry) => matches(operation, entry));
    const answering = candidates.find((entry) => entry.fault.effect !== 'LATENCY');
    const chosen = candidates.filter((entry) => entry.fault.effect === 'LATENCY' || entry === answering);
    for (const entry of chosen) placed.set(entry.id, { ...entry, happened: entry.happened + 1 });
    return chosen.map((entry) => entry.fault);
  }

  function place(one: Fault): PlacedFault {
    const id = newId();
    const endsAt = clock.now().getTime() + (one.seconds ?? Number.POSITIVE_INFINITY) * 1_000;
    placed.set(id, { id, fault: one, happened: 0, endsAt });
    return { id, fault: one, happened: 0 };
  }

  return {
    faultsFor,
    place,
    remove: (id: string): boolean => placed.delete(id),
    clear: (): void => placed.clear(),
    /** Every fault, including ended ones. */
    list: (): PlacedFault[] =>
      [...placed.values()].map(({ id, fault: one, happened }) => ({ id, fault: one, happened })),
  };
}
