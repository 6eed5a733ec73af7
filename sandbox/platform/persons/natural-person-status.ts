import * as z from 'zod';
import { refusedField } from '#sandbox/platform/core/refused-error.ts';
import type { Settings } from '#sandbox/platform/core/settings.ts';
import type { Transitions } from '#sandbox/platform/core/transitions.ts';

/** The statuses of a natural person: those of section 3.1, and those that were seen beside them. */
export const naturalPersonStatus = z
  .enum([
    'RECEIVED',
    'INVALID',
    'REVIEW',
    'CREATED',
    'PENDING',
    'ACTIVE',
    'SUSPENDED',
    'BLOCKED',
    'REJECTED',
    'DECEASED',
  ])
  .meta({ id: 'NaturalPersonStatus' });

export type NaturalPersonStatus = z.infer<typeof naturalPersonStatus>;

/** Section 3.1 names statuses only; what follows which was seen, or goes without saying. */
export const naturalPersonTransitions: Transitions<NaturalPersonStatus> = {
  RECEIVED: ['CREATED', 'INVALID', 'REVIEW', 'REJECTED'],
  INVALID: [],
  REVIEW: ['CREATED', 'REJECTED'],
  CREATED: ['PENDING'],
  PENDING: ['ACTIVE'],
  ACTIVE: ['SUSPENDED', 'BLOCKED', 'DECEASED'],
  SUSPENDED: ['ACTIVE', 'BLOCKED', 'DECEASED'],
  BLOCKED: ['ACTIVE', 'DECEASED'],
  REJECTED: [],
  DECEASED: [],
};

/**
 * One of section 3.1, or one of the setting `furtherPersonStatuses`. Typed as one of section 3.1: this code decides by no other, and
 * looks up in {@link personTransitionsOf} what follows any of them.
 */
export const anyPersonStatus = z
  .string()
  .refine((status): status is NaturalPersonStatus => status !== '')
  .describe(`${naturalPersonStatus.options.join(', ')}, or one of the setting furtherPersonStatuses`)
  .meta({ id: 'AnyNaturalPersonStatus' });

type FurtherStatuses = Pick<Settings, 'furtherPersonStatuses'>;

/** What follows each status by the specification and the settings. */
export function personTransitionsOf({
  furtherPersonStatuses,
}: FurtherStatuses): Readonly<Record<string, readonly string[]>> {
  const all: Record<string, readonly string[]> = { ...naturalPersonTransitions };
  for (const { status, to } of furtherPersonStatuses) all[status] = to;
  for (const { status, from } of furtherPersonStatuses)
    for (const before of from) {
      const next = all[before];
      if (next !== undefined) all[before] = [...next, status];
    }
  return all;
}

/** @throws {RefusedError} Bad Request for a status that neither section 3.1 nor the setting has */
export function requirePersonStatus(status: string | undefined, field: string, settings: FurtherStatuses): void {
  if (status === undefined || Object.hasOwn(personTransitionsOf(settings), status)) return;
  throw refusedField(field, `must be one of ${Object.keys(personTransitionsOf(settings)).join(', ')}`);
}

/** The statuses in which a person can be identified: not rejected and not dead. */
export function isIdentifiable(status: NaturalPersonStatus): boolean {
  return status !== 'INVALID' && status !== 'REJECTED' && status !== 'DECEASED';
}
