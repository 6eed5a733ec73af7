import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { createRandom } from '#sandbox/platform/core/random.ts';
import { videoCallsAt } from '#sandbox/platform/verifications/identification-verification-schema.ts';
import { createMarkerWatch } from '#sandbox/scenario/common/marker-watch.ts';
import { externalIdMarker, markerWords } from '#sandbox/scenario/common/marker-words.ts';
import { publishedBy, watchChanges } from '#sandbox/scenario/common/published-changes.ts';
import { createFunctionKills } from './faults.ts';

/** At most half of the receives of a message: the others stay available for other faults. */
const maxKills = 5;

export type OnboardingWatch = ReturnType<typeof createOnboardingWatch>;

/** Watches the AWS calls of all functions, and kills functions at some of them. */
export function createOnboardingWatch(seed: number) {
  const persons = createMarkerWatch(markerWords);
  const externalIds = createMarkerWatch([externalIdMarker]);
  const videoCalls = createMarkerWatch([videoCallsAt]);
  const steps = watchSteps();
  const { onAwsCall, changes } = watchChanges();
  const kills = createFunctionKills({ random: createRandom(seed), maxKills });
  return {
    /** Marker words in personal data, in the partner's externalIds, and in the URLs of video calls. */
    markers: { persons, externalIds, videoCalls },
    steps,
    changes,
    kills,
    onAwsCall: (moment: AwsCallMoment): void => {
      for (const watcher of [persons, externalIds, videoCalls, steps]) watcher.onAwsCall(moment);
      onAwsCall(moment);
      kills.onAwsCall(moment);
    },
  };
}

const putOnboarding = z.object({
  Item: z.object({
    onboardingId: z.object({ S: z.string() }),
    version: z.object({ N: z.string() }),
    outbox: z.object({ S: z.string() }),
  }),
  ConditionExpression: z.string().default(''),
});
const outbox = z.array(z.object({ detail: z.object({ sequence: z.number() }) }));
const stepDetail = z.object({ onboardingId: z.string().optional(), sequence: z.number().optional() });

/** Compares the versions of onboardings that are written to their table with the published events. */
export function watchSteps() {
  /** For each onboarding and version: whether each attempted write had an event to publish. One attempt succeeded. */
  const written = new Map<string, readonly boolean[]>();
  /** For each onboarding: the first versions of all attempts to create it, which depend on the time. One attempt succeeded. */
  const created = new Map<string, readonly string[]>();
  const published = new Map<string, Set<string>>();

  function noteWritten(input: unknown): void {
    const { success, data } = putOnboarding.safeParse(input);
    if (!success) return;
    const { onboardingId, version, outbox: events } = data.Item;
    const sequence = Number(version.N);
    const hasChange = outbox.parse(JSON.parse(events.S)).some((event) => event.detail.sequence === sequence);
    const key = `${onboardingId.S} ${sequence}`;
    if (hasChange && data.ConditionExpression.includes('attribute_not_exists'))
      created.set(onboardingId.S, [...(created.get(onboardingId.S) ?? []), key]);
    else written.set(key, [...(written.get(key) ?? []), hasChange]);
  }

  return {
    onAwsCall: (moment: Pick<AwsCallMoment, 'when' | 'operation' | 'input'>): void => {
      if (moment.when === 'after' && moment.operation === 'PutItem') noteWritten(moment.input());
      for (const { detailType, detail } of publishedBy(moment)) {
        const { onboardingId, sequence } = stepDetail.parse(detail);
        const keys = published.get(detailType) ?? new Set();
        published.set(detailType, keys.add(`${onboardingId} ${sequence}`));
      }
    },
    /** The number of versions with an event that was never published. */
    unpublished: (): number => {
      const known = new Set([...published.values()].flatMap((keys) => [...keys]));
      const lost = [...written].filter(([key, hasChange]) => hasChange.every(Boolean) && !known.has(key));
      const lostFirst = [...created.values()].filter((keys) => !keys.some((key) => known.has(key)));
      return lost.length + lostFirst.length;
    },
    /** The number of different events of this type. */
    count: (detailType: string): number => published.get(detailType)?.size ?? 0,
  };
}

export type StepWatch = ReturnType<typeof watchSteps>;
