import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { canaryFinder } from './canary.ts';
import { type Check, checkNone, checkSome } from './checks.ts';

/** Where a canary must not be seen. */
export type CanaryPlace = 'log' | 'bus' | 'queue' | 'webhooks queue' | 'answer' | 'dead letter' | 'table';

export type CanaryWatch = ReturnType<typeof createCanaryWatch>;

const putEvents = z.object({ Entries: z.array(z.looseObject({ DetailType: z.string() })) });
const toQueue = z.object({ QueueUrl: z.string() });

/** Looks for words that were planted in personal data wherever anything leaves a function. */
export function createCanaryWatch(words: readonly string[]) {
  const holdsCanary = canaryFinder(words);
  const looks = new Map<CanaryPlace, number>();
  const sightings = new Map<CanaryPlace, string[]>();

  /** @param what names where it stands, and is no canary itself */
  function look(place: CanaryPlace, text: string, what: string): void {
    looks.set(place, (looks.get(place) ?? 0) + 1);
    if (holdsCanary(text)) sightings.set(place, [...(sightings.get(place) ?? []), what]);
  }

  function lookAtBus(input: unknown, caller: string | undefined): void {
    for (const entry of putEvents.parse(input).Entries) {
      // A partner's own system asks for an onboarding: that has to name the person.
      if (caller === undefined && entry.DetailType === 'OnboardingRequested') continue;
      look('bus', JSON.stringify(entry), entry.DetailType);
    }
  }

  function lookAtQueue(input: unknown, caller = 'others'): void {
    // What is a webhook goes through its queue byte for byte, whatever it holds.
    const isOfWebhooks = /\/[^/]*Webhooks[^/]*$/i.test(toQueue.parse(input).QueueUrl);
    look(isOfWebhooks ? 'webhooks queue' : 'queue', JSON.stringify(input), `by ${caller}`);
  }

  return {
    look,
    onAwsCall: ({ when, operation, input, caller }: AwsCallMoment): void => {
      if (when !== 'before') return;
      if (operation === 'PutEvents') lookAtBus(input(), caller);
      if (operation === 'SendMessage' || operation === 'SendMessageBatch') lookAtQueue(input(), caller);
    },
    /** @param log what the functions wrote: each line begins with the name of its function */
    lookAtLog: (log: string): void => {
      for (const line of log.split('\n')) {
        const name = line.slice(0, line.indexOf(' '));
        if (name !== 'platform' && name !== '') look('log', line, `by ${name}`);
      }
    },
    looks: (place: CanaryPlace): number => looks.get(place) ?? 0,
    /** What was seen, once for each time. */
    sightings: (place: CanaryPlace): readonly string[] => sightings.get(place) ?? [],
  };
}

const names: Readonly<Record<CanaryPlace, string>> = {
  log: 'lines of the log, metrics among them',
  bus: 'events put on the bus',
  queue: 'messages sent to queues',
  'webhooks queue': 'messages sent to the webhooks queue',
  answer: 'answers',
  'dead letter': 'dead letters',
  table: 'rows of what has ended',
};

/** Whether something was looked at, but for dead letters, and no canary was seen. */
export function checkCanaries(
  { looks, sightings }: Pick<CanaryWatch, 'looks' | 'sightings'>,
  places: readonly CanaryPlace[],
  word = 'canaries',
): readonly Check[] {
  return places.flatMap((place) => [
    ...(looks(place) > 0 || place === 'dead letter' ? [] : [checkSome(`${names[place]} looked at`, 0)]),
    checkNone(`${word} in ${looks(place)} ${names[place]}`, sightings(place).length),
  ]);
}
