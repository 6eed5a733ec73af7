import * as z from 'zod';
import { platformCode } from '#shared/entities/reason-codes.ts';
import { type Form, forms } from './forms.ts';

/** The first number that a later form of the file gets is 2. */
export const recordingVersion = 1;

const maxCount = 1_000_000;
const count = z.int().positive().max(maxCount);

/** A count that a recording can have: more is as many. */
export function cappedCount(number: number): number {
  return Math.min(number, maxCount);
}

/** What stands in one place of all bodies: how it is written, and no value but words. */
export type Shape = {
  /** How many values are written so. */
  readonly forms: Readonly<Partial<Record<Form, number>>>;
  /** In how many objects the field is missing. */
  readonly absent?: number | undefined;
  /** Status words, event types and error codes, and how often each stands here. */
  readonly words?: Readonly<Record<string, number>> | undefined;
  readonly fields?: Readonly<Record<string, Shape>> | undefined;
  /** Fields whose names may be data: how many names there are, and the shape of all their values. */
  readonly otherNames?: number | undefined;
  readonly others?: Shape | undefined;
  /** The members of arrays. */
  readonly items?: Shape | undefined;
  /** Whether the values have more in them than a recording takes. */
  readonly isCut?: boolean | undefined;
};

/** The name of a field that is kept. */
export const fieldName = z.string().regex(/^[A-Za-z]\w{0,63}$/);

const shape: z.ZodType<Shape> = z.lazy(() =>
  z.strictObject({
    forms: z.partialRecord(z.enum(forms), count),
    absent: count.optional(),
    words: z.record(platformCode, count).optional(),
    fields: z.record(fieldName, shape).optional(),
    otherNames: count.optional(),
    others: shape.optional(),
    items: shape.optional(),
    isCut: z.boolean().optional(),
  }),
);

export const contentTypes = ['json', 'html', 'text', 'xml', 'other', 'none'] as const;

/** The answers of one status to one operation. */
const recordedAnswers = z.strictObject({
  answers: count,
  contentTypes: z.array(z.enum(contentTypes)),
  /** The JSON bodies; absent if no body is JSON. */
  body: shape.optional(),
});

/** The bodies of the webhooks of one event type. */
const recordedWebhooks = z.strictObject({
  /** From the platform's list of undelivered webhooks. */
  undelivered: count.optional(),
  /** From the event store of the deployment. */
  stored: count.optional(),
  /** How many are not JSON. */
  notJson: count.optional(),
  body: shape.optional(),
});

export const operations = [
  'Get Token',
  'Get natural persons',
  'Get natural person',
  'Get Identification Verifications',
  'Get Identification Verification',
  'List webhooks',
  'Get webhook',
  'List missing webhooks',
  'List undelivered webhooks',
] as const;

export type Operation = (typeof operations)[number];

/** The file that `drawbridge platform record` writes. */
export const recording = z.strictObject({
  recordingVersion: z.literal(recordingVersion),
  /** Of Drawbridge. */
  release: z.string(),
  environment: z.string(),
  recordedOn: z.iso.datetime(),
  /** By the status of the answers. */
  operations: z.partialRecord(z.enum(operations), z.record(z.string().regex(/^[1-5]\d\d$/), recordedAnswers)),
  /** By event type. */
  webhooks: z.record(platformCode, recordedWebhooks),
  /** What was not recorded, and why. */
  notRecorded: z.array(z.string()),
});

export type Recording = Readonly<z.output<typeof recording>>;
export type RecordedAnswers = z.output<typeof recordedAnswers>;
export type RecordedWebhooks = z.output<typeof recordedWebhooks>;

/** Of a file: a recording of every operation and event type has fewer values, and none is as deep. */
const maxima = { values: 2_000_000, depth: 64 } as const;

/** Whether a value has no more in it than a recording can have. Without recursion: nothing bounds how deep a file is. */
export function isRecordable(content: unknown): boolean {
  let level: readonly unknown[] = [content];
  let values = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    values += level.length;
    if (depth > maxima.depth || values > maxima.values) return false;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return true;
}
