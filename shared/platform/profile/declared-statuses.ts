import * as z from 'zod/mini';
import { word } from '#shared/platform/fields/received.ts';
import type { EntityKind } from './event-place.ts';

/** Before the first status of an entity. */
export const beginning = '(none)';

const wordOrBeginning = z.union([word, z.literal(beginning)]);

/** A status that the platform of an environment has, and section 3 of the specification has not. */
export const declaredStatus = z.strictObject({
  status: word,
  /** Its place: directly above this status of the order, or below all others at `(none)`. */
  after: wordOrBeginning,
  /** Whether nothing follows it. */
  final: z.boolean(),
  /** Whether an entity can stay in a status that is not final, so that no report is overdue. */
  resting: z.optional(z.boolean()),
  /** What it can follow directly; `(none)` where it can be the first. */
  from: z.array(wordOrBeginning).check(z.minLength(1), z.maxLength(30)),
  /** What can follow it directly. */
  to: z._default(z.array(word).check(z.maxLength(30)), []),
  meaning: z.optional(z.string().check(z.regex(/^[^\n|]{1,100}$/))),
});

export type DeclaredStatus = Readonly<z.output<typeof declaredStatus>>;

const ofKind = z.optional(z.array(declaredStatus).check(z.maxLength(20)));

/** Further statuses of each kind of entity. `check-declared-statuses.ts` holds them against the tables of section 3. */
export const declaredStatuses = z.strictObject({
  'natural-person': ofKind,
  'identification-verification': ofKind,
  order: ofKind,
  transfer: ofKind,
} satisfies Record<EntityKind, typeof ofKind>);

export type DeclaredStatuses = Readonly<z.output<typeof declaredStatuses>>;
