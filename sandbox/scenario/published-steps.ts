import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';

const putOnboarding = z.object({
  Item: z.object({
    onboardingId: z.object({ S: z.string() }),
    version: z.object({ N: z.string() }),
    outbox: z.object({ S: z.string() }),
  }),
});
const outbox = z.array(z.object({ detail: z.object({ sequence: z.number() }) }));
const putEvents = z.object({ Entries: z.array(z.object({ DetailType: z.string(), Detail: z.string() })) });
const detail = z.object({ onboardingId: z.string().optional(), sequence: z.number().optional() });

/** Watches what becomes of onboardings in their table, and what of it is published. */
export function watchSteps() {
  /** By onboarding and version: whether each that was about to write it had something to publish. One of them has won. */
  const written = new Map<string, readonly boolean[]>();
  const published = new Map<string, Set<string>>();

  function noteWritten(input: unknown): void {
    const { success, data } = putOnboarding.safeParse(input);
    if (!success) return;
    const { onboardingId, version, outbox: events } = data.Item;
    const sequence = Number(version.N);
    const hasNews = outbox.parse(JSON.parse(events.S)).some((event) => event.detail.sequence === sequence);
    const key = `${onboardingId.S} ${sequence}`;
    written.set(key, [...(written.get(key) ?? []), hasNews]);
  }

  function notePublished(input: unknown): void {
    for (const { DetailType, Detail } of putEvents.parse(input).Entries) {
      const { onboardingId, sequence } = detail.parse(JSON.parse(Detail));
      const keys = published.get(DetailType) ?? new Set();
      published.set(DetailType, keys.add(`${onboardingId} ${sequence}`));
    }
  }

  return {
    onAwsCall: ({ when, operation, input }: Pick<AwsCallMoment, 'when' | 'operation' | 'input'>): void => {
      if (when !== 'after') return;
      if (operation === 'PutItem') noteWritten(input());
      if (operation === 'PutEvents') notePublished(input());
    },
    /** How many versions with something to publish were never published. */
    unpublished: (): number => {
      const told = new Set([...published.values()].flatMap((keys) => [...keys]));
      return [...written].filter(([key, hasNews]) => hasNews.every(Boolean) && !told.has(key)).length;
    },
    /** How many different events of this type there were. */
    count: (detailType: string): number => published.get(detailType)?.size ?? 0,
  };
}

export type StepWatch = ReturnType<typeof watchSteps>;
