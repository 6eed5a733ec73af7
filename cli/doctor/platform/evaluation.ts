import * as z from 'zod';
import type { Finding, Found } from '#cli/doctor/findings.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

/** Settings of `platformProfile`, as a settings file has them. */
export type ProfileChange = {
  readonly eventTypes?: readonly string[];
  readonly exAnteEventType?: string;
  readonly token?: { readonly path: string };
  readonly webhookPaths?: Readonly<Partial<Record<'webhooks' | 'missing' | 'undelivered', string>>>;
  readonly naturalPersonStatusParameter?: string;
  readonly requestors?: Readonly<Record<string, string>>;
  readonly times?: { readonly unit: 'seconds' | 'milliseconds' };
  readonly pageSize?: number;
};

/** What a probe found, and the settings that make its answers readable. */
export type Evaluation = { readonly found: Found; readonly change?: ProfileChange };

export function good(detail: string): Evaluation {
  return { found: [{ result: 'good', detail }] };
}

export function problem(detail: string, remedy: string, change?: ProfileChange): Evaluation {
  return { found: [{ result: 'problem', detail, remedy }], ...(change && { change }) };
}

export function unknown(detail: string, remedy = 'drawbridge doctor --platform, once the cause is fixed'): Evaluation {
  return { found: [{ result: 'unknown', detail, remedy }] };
}

/** Where the answers of the platform need what no setting says. */
export const report = 'Report the finding to the maintainers of Drawbridge: no setting covers it.';

/** Only status words are printed: any other text of an answer may be of a person. */
export function isStatusWord(word: unknown): word is string {
  return typeof word === 'string' && /^[A-Z0-9_]{1,64}$/.test(word) && /[A-Z]/.test(word);
}

const fields = z.record(z.string(), z.unknown());

export function fieldOf(value: unknown, name: string): unknown {
  const object = fields.safeParse(value);
  return object.success && Object.hasOwn(object.data, name) ? object.data[name] : undefined;
}

/** The fields of an object by their names, if these are known. A name that is not known may be a value: it is counted. */
export function nameFields(value: unknown, known: readonly string[]): string {
  const object = fields.safeParse(value);
  if (!object.success) return Array.isArray(value) ? 'an array' : 'no JSON object';
  const names = Object.keys(object.data);
  const shown = names.filter((name) => known.includes(name)).toSorted();
  const others = names.length - shown.length;
  return [...shown, ...(others > 0 ? [`${others} more`] : [])].join(', ') || 'no field';
}

/** What was compared with the specification and the profile, and what was found. */
export type Result = readonly [check: string, evaluation: Evaluation];

export type PlatformReport = {
  readonly findings: readonly Finding[];
  /** What the setting `platformProfile` should have: its values that differ from the defaults. */
  readonly platformProfile: Readonly<Record<string, unknown>>;
};

/** Puts the findings together, and the changes into the setting. @param ownProfile the setting as the file has it */
export function reportOf(results: readonly Result[], ownProfile: Readonly<Record<string, unknown>>): PlatformReport {
  const changed = results.reduce((profile, [, { change = {} }]) => merge(profile, change), ownProfile);
  return {
    findings: results.flatMap(([check, { found }]) => found.map((finding) => ({ check, ...finding }))),
    platformProfile: differences(changed, platformProfile.parse({})),
  };
}

function merge(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>) {
  const merged = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const [before, after] = [fields.safeParse(merged[name]), fields.safeParse(value)];
    const smaller = name === 'pageSize' && Number(merged[name]) < Number(value);
    if (!smaller) merged[name] = before.success && after.success ? merge(before.data, after.data) : value;
  }
  return merged;
}

function differences(values: Readonly<Record<string, unknown>>, defaults: Readonly<Record<string, unknown>>) {
  const different: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const [own, other] = [fields.safeParse(value), fields.safeParse(defaults[name])];
    const rest: unknown = own.success && other.success ? differences(own.data, other.data) : value;
    const isSame = JSON.stringify(value) === JSON.stringify(defaults[name]);
    const isEmpty = own.success && other.success && JSON.stringify(rest) === '{}';
    if (!isSame && !isEmpty) different[name] = rest;
  }
  return different;
}
