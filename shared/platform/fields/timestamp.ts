import * as z from 'zod/mini';
import { maybe } from './received.ts';

const zone = z.string().check(z.refine(isZone, 'must be a time zone such as UTC or Europe/Vienna'));

/** What the specification leaves open of times and days. */
export const platformTimes = z.strictObject({
  /** The zone of times that name none. */
  zone: z.optional(zone),
  /** What times that are numbers count since 1970. */
  unit: z.optional(z.enum(['seconds', 'milliseconds'])),
  /** The zone of the platform's days. */
  dayZone: z.optional(zone),
});

export type PlatformTimes = Readonly<z.output<typeof platformTimes>>;

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Makes a schema once for each profile: to make one takes longer than to read an answer. */
export function oncePerTimes<Schema>(make: (times: PlatformTimes) => Schema): (times: PlatformTimes) => Schema {
  const made = new WeakMap<PlatformTimes, Schema>();
  return (times) => {
    const schema = made.get(times) ?? make(times);
    made.set(times, schema);
    return schema;
  };
}

/** A `date-time` of the platform: ISO 8601, UTC, with 0 to 9 digits of a second's fraction. Kept as it was written. */
export const timestamp = z.string().check(
  z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})$/),
  z.refine((text) => !Number.isNaN(parts(text)[0])),
);

/**
 * Which of two timestamps is later: above 0 when it is the first. Exact to the nanosecond, if a Date has
 * milliseconds only.
 */
export function compareTimestamps(one: string, other: string): number {
  const [oneSeconds, oneFraction] = parts(one);
  const [otherSeconds, otherFraction] = parts(other);
  return oneSeconds - otherSeconds || oneFraction - otherFraction;
}

/** The whole seconds since 1970, and the fraction of the next. */
function parts(text: string): readonly [number, number] {
  const point = text.indexOf('.');
  return [Math.floor(Date.parse(text) / 1_000), point < 0 ? 0 : Number.parseFloat(text.slice(point))];
}

const dateAndTime = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;
const sinceEpoch = /^(\d{1,20})(?:\.(\d{1,40}))?$/;

/**
 * A time of the platform as a {@link timestamp}; undefined if it cannot be read, as if it were absent. Without a zone it is of the
 * zone of the profile, or UTC (section 2). A number is read only if the profile says what it counts.
 */
export function readTime(value: unknown, { zone = 'UTC', unit }: PlatformTimes): string | undefined {
  return read(value, zone, unit);
}

/** As {@link readTime}, for a time that decides about what is older: without a zone it counts only if the profile states the zone. */
export function readTimeOfOrder(value: unknown, { zone, unit }: PlatformTimes): string | undefined {
  return read(value, zone, unit);
}

/** A time that is received: absent if {@link readTime} cannot read it. */
export function receivedTime(times: PlatformTimes) {
  return readBy((value) => readTime(value, times));
}

/** As {@link receivedTime}, by {@link readTimeOfOrder}. */
export function receivedTimeOfOrder(times: PlatformTimes) {
  return readBy((value) => readTimeOfOrder(value, times));
}

function readBy(reader: (value: unknown) => string | undefined) {
  return maybe(z.pipe(z.transform(reader), z.optional(z.string())));
}

function read(value: unknown, zone: PlatformTimes['zone'], unit: PlatformTimes['unit']): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const time = sinceEpoch.test(text) ? unit && fromEpoch(text, unit) : fromText(text, zone);
  if (time === undefined) return undefined;
  const written = timestamp.safeParse(time).data;
  return written !== undefined && fourDigitYear.test(new Date(written).toISOString()) ? written : undefined;
}

/** A text of `toISOString` with a year of four digits. Any other year has a sign before it, and no field of Drawbridge may have a sign. */
const fourDigitYear = /^\d/;

function fromText(text: string, zone: string | undefined): string | undefined {
  const [, day, minute, second = ':00', offset] = dateAndTime.exec(text) ?? [];
  if (day === undefined || minute === undefined) return undefined;
  const local = `${day}T${minute}${second}`;
  if (offset === undefined) return zone === undefined ? undefined : inZone(local, zone);
  return `${local}${offset.length === 3 ? `${offset}:00` : offset.toUpperCase()}`;
}

/** Digit by digit: a double holds no nanoseconds of our day. */
function fromEpoch(text: string, unit: 'seconds' | 'milliseconds'): string | undefined {
  const [, whole = '', fraction = ''] = sinceEpoch.exec(text) ?? [];
  const places = unit === 'seconds' ? 0 : 3;
  const digits = whole.padStart(places + 1, '0');
  const point = digits.length - places;
  const second = new Date(Number(digits.slice(0, point)) * 1_000);
  if (!(second.getTime() < yearTenThousand)) return undefined;
  const rest = `${digits.slice(point)}${fraction}`.slice(0, 9);
  return `${second.toISOString().slice(0, 19)}${rest === '' ? '' : `.${rest}`}Z`;
}

const yearTenThousand = Date.UTC(10_000, 0);

/** In milliseconds. A zone does not change its offset twice within two days. */
const day = 86_400_000;

/**
 * The local time with its offset. Undefined in the hour that a change of the clocks skips, in the one that it repeats, and before the zone
 * had standard time: its offset then has seconds, which no timestamp can hold.
 */
function inZone(local: string, zone: string): string | undefined {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return undefined;
  if (zone === 'UTC') return `${local}Z`;
  const offsets = new Set([offsetAt(asUtc - day, zone), offsetAt(asUtc + day, zone)]);
  const [offset, ...others] = [...offsets].filter((one) => one === undefined || isOffset(one, local, zone));
  return offset === undefined || others.length > 0 ? undefined : `${local}${offset}`;
}

function isOffset(offset: string, local: string, zone: string): boolean {
  const time = Date.parse(`${local}${offset}`);
  return !Number.isNaN(time) && offsetAt(time, zone) === offset;
}

const formats = new Map<string, Intl.DateTimeFormat>();
const longOffset = /^GMT([+-]\d{2}:\d{2})?$/;

/** Such as +02:00; undefined if the offset has seconds. */
function offsetAt(time: number, zone: string): string | undefined {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  const name = longOffset.exec(format.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? '');
  return name === null ? undefined : (name[1] ?? '+00:00');
}
