import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { requestDetailType } from '#shared/bus/event-details.ts';
import { type Check, checkNone, checkSome } from './checks.ts';
import { markerFinder } from './marker-words.ts';

/** The places where no marker word may be. */
export type MarkerPlace = 'log' | 'bus' | 'queue' | 'webhooks queue' | 'answer' | 'dead letter' | 'table';

export type MarkerWatch = ReturnType<typeof createMarkerWatch>;

const putEvents = z.object({ Entries: z.array(z.looseObject({ DetailType: z.string() })) });
const toQueue = z.object({ QueueUrl: z.string() });

/** Searches for words that were planted in personal data, in everything that leaves a function. */
export function createMarkerWatch(words: readonly string[]) {
  const holdsMarker = markerFinder(words);
  const inspected = new Map<MarkerPlace, number>();
  const sightings = new Map<MarkerPlace, string[]>();

  /** @param what names the exact place; it contains no marker word */
  function inspect(place: MarkerPlace, text: string, what: string): void {
    inspected.set(place, (inspected.get(place) ?? 0) + 1);
    if (holdsMarker(text)) sightings.set(place, [...(sightings.get(place) ?? []), what]);
  }

  function inspectBus(input: unknown, caller: string | undefined): void {
    for (const entry of putEvents.parse(input).Entries) {
      // A partner's own system requests an onboarding on the bus, so this event must name the person.
      if (caller === undefined && entry.DetailType === requestDetailType) continue;
      inspect('bus', JSON.stringify(entry), entry.DetailType);
    }
  }

  function inspectQueue(input: unknown, caller: string | undefined): void {
    const { QueueUrl } = toQueue.parse(input);
    // The rule hands the request of a partner's own system on as it is. No function sends to this queue.
    if (caller === undefined && isNamed(QueueUrl, 'Requests')) return;
    // The webhooks queue carries the webhooks byte for byte, with any content.
    const place = isNamed(QueueUrl, 'Webhooks') ? 'webhooks queue' : 'queue';
    inspect(place, JSON.stringify(input), `by ${caller ?? 'others'}`);
  }

  return {
    inspect,
    onAwsCall: ({ when, operation, input, caller }: AwsCallMoment): void => {
      if (when !== 'before') return;
      if (operation === 'PutEvents') inspectBus(input(), caller);
      if (operation === 'SendMessage' || operation === 'SendMessageBatch') inspectQueue(input(), caller);
    },
    /** @param log the log of all functions: each line begins with the name of its function */
    inspectLog: (log: string): void => {
      for (const line of log.split('\n')) {
        const name = line.slice(0, line.indexOf(' '));
        if (name !== 'platform' && name !== '') inspect('log', line, `by ${name}`);
      }
    },
    inspected: (place: MarkerPlace): number => inspected.get(place) ?? 0,
    /** Where marker words were found, once for each time. */
    sightings: (place: MarkerPlace): readonly string[] => sightings.get(place) ?? [],
  };
}

function isNamed(queueUrl: string, name: string): boolean {
  return queueUrl.slice(queueUrl.lastIndexOf('/')).toLowerCase().includes(name.toLowerCase());
}

const names: Readonly<Record<MarkerPlace, string>> = {
  log: 'log lines, including metrics',
  bus: 'events on the bus',
  queue: 'messages to queues',
  'webhooks queue': 'messages to the webhooks queue',
  answer: 'answers',
  'dead letter': 'dead letters',
  table: 'table items of ended onboardings',
};

/** Checks that each place was inspected and held no marker word. There may be no dead letters to inspect. */
export function checkMarkers(
  { inspected, sightings }: Pick<MarkerWatch, 'inspected' | 'sightings'>,
  places: readonly MarkerPlace[],
  word = 'marker words',
): readonly Check[] {
  return places.flatMap((place) => [
    ...(inspected(place) > 0 || place === 'dead letter' ? [] : [checkSome(`inspected ${names[place]}`, 0)]),
    checkNone(`${word} in ${inspected(place)} ${names[place]}`, sightings(place).length),
  ]);
}
