import * as z from 'zod';
import type { Clock } from '#sandbox/platform/core/clock.ts';

const which = {
  operation: z
    .string()
    .default('*')
    .describe('The operationId in /openapi.json, for example createNaturalPerson; * is every one, Get Token included'),
  share: z.number().gt(0).max(1).default(1).describe('Of the calls, from 0 to 1'),
  times: z.int().positive().optional().describe('So often at the most; without end unless given'),
  seconds: z
    .number()
    .positive()
    .optional()
    .describe('For so long, by the clock of the platform; without end unless given'),
};

/** What goes wrong with calls of the API. */
export const fault = z.discriminatedUnion('effect', [
  z.strictObject({
    ...which,
    effect: z.literal('ANSWER').describe('Answers this, in place of what it should'),
    status: z.int().min(200).max(599),
    retryAfter: z
      .string()
      .regex(/^[\x20-\x7e]*$/, 'must be a header of printable ASCII')
      .optional()
      .describe('The header Retry-After: seconds, or a date'),
    body: z.string().optional().describe('Sent as it is, as application/json; an error body unless given'),
    commits: z.boolean().default(false).describe('Whether what was asked for is done all the same'),
  }),
  z.strictObject({
    ...which,
    effect: z.literal('NO_ANSWER').describe('Breaks the connection'),
    commits: z.boolean().default(false).describe('Whether what was asked for is done all the same'),
  }),
  z.strictObject({
    ...which,
    effect: z.literal('LATENCY').describe('Answers late'),
    milliseconds: z.int().min(0).max(120_000).describe('Of real time'),
  }),
]);

export type Fault = z.infer<typeof fault>;

/** A fault, and how often it has happened so far. */
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

  function befalls(operation: string, { fault: one, happened, endsAt }: Entry): boolean {
    const isOver = happened >= (one.times ?? Number.POSITIVE_INFINITY) || clock.now().getTime() >= endsAt;
    if (isOver || (one.operation !== '*' && one.operation !== operation)) return false;
    return one.share === 1 || random() < one.share;
  }

  /** All that befall this call: at most one of them answers in place of the platform, the first that was placed. */
  function befalling(operation: string): readonly Fault[] {
    const candidates = [...placed.values()].filter((entry) => befalls(operation, entry));
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
    befalling,
    place,
    remove: (id: string): boolean => placed.delete(id),
    clear: (): void => placed.clear(),
    /** Those that are over, too. */
    list: (): PlacedFault[] =>
      [...placed.values()].map(({ id, fault: one, happened }) => ({ id, fault: one, happened })),
  };
}
