import * as z from 'zod';
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

/** The statuses in which a person can be identified: not rejected and not dead. */
export function isIdentifiable(status: NaturalPersonStatus): boolean {
  return status !== 'INVALID' && status !== 'REJECTED' && status !== 'DECEASED';
}
