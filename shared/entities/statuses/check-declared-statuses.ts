import { entityKinds } from '#shared/platform/profile/event-place.ts';
import {
  beginning,
  type DeclaredStatus,
  type DeclaredStatuses,
  type PlatformProfile,
} from '#shared/platform/profile/profile.ts';
import { type EntityRules, entityRules } from './entity-rules.ts';
import { extendTable, type Statuses, type StatusRow, type StatusTable, statusesOf } from './status-table.ts';

/** What is wrong with a declared status: where, and a sentence that says what to change. */
export type DeclarationFault = { readonly path: readonly (string | number)[]; readonly message: string };

type Field = keyof DeclaredStatus;

/**
 * Holds the statuses that an environment declares against the tables of section 3. None if the extended tables have all
 * that the tables of section 3 have: an order that begins with the open statuses, that no transition goes down, and in
 * which something leads to each status and from each open one.
 */
export function findDeclarationFaults(declared: DeclaredStatuses): readonly DeclarationFault[] {
  return entityKinds.flatMap((kind) => {
    const own = declared[kind] ?? [];
    return faultsOfKind(entityRules[kind], own).map(({ path, message }) => ({ path: [kind, ...path], message }));
  });
}

function faultsOfKind(rules: EntityRules, declared: readonly DeclaredStatus[]): readonly DeclarationFault[] {
  const { table } = rules.statuses;
  const inPlace = declared.flatMap((one, index) =>
    placeFaults(extendTable(table, declared.slice(0, index)), table, one).map(at(index)),
  );
  // The order is not known before each has its place.
  if (inPlace.length > 0) return inPlace;
  const extended = statusesOf(extendTable(table, declared));
  return declared.flatMap((one, index) => transitionFaults(rules, extended, one).map(at(index)));
}

type FieldFault = { readonly field: Field; readonly message: string };

const at =
  (index: number) =>
  ({ field, message }: FieldFault): DeclarationFault => ({ path: [index, field], message });

const fault = (field: Field, message: string): FieldFault => ({ field, message });

/** @param above the table with what is declared above */
function placeFaults(above: StatusTable, builtIn: StatusTable, one: DeclaredStatus): readonly FieldFault[] {
  const { status, after, final } = one;
  const isIn = ({ statuses }: StatusTable, word: string) => statuses.some((row) => row.status === word);
  if (isIn(builtIn, status))
    return [fault('status', `${status} is a status of section ${builtIn.section}: leave it out`)];
  if (isIn(above, status)) return [fault('status', `${status} is declared twice: leave one out`)];
  if (after !== beginning && !isIn(above, after))
    return [
      fault('after', `${after} is not a status: name one of ${list(above.statuses)}, or one that is declared above`),
    ];
  const place = above.statuses.findIndex((row) => row.status === after);
  const highestOpen = above.statuses.findLastIndex((row) => !row.final);
  if (final && place < highestOpen)
    return [fault('after', `${status} is final: place it after ${above.statuses[highestOpen]?.status}, or higher`)];
  if (!final && place > highestOpen)
    return [fault('after', `${status} is not final: place it after a status that is not final, or after ${beginning}`)];
  return [];
}

function transitionFaults(
  { kind, readsBack }: EntityRules,
  extended: Statuses,
  one: DeclaredStatus,
): readonly FieldFault[] {
  const { status, final, resting, from, to } = one;
  const { isKnown, isFinal, table, reaches, compare } = extended;
  const beginsAt = table.transitions.filter((transition) => transition.from === beginning).map((first) => first.to);
  const isReached = beginsAt.some((first) => first === status || reaches(first, status));
  const named = [
    ...from.filter((word) => word !== beginning).map((word) => ['from', word] as const),
    ...to.map((word) => ['to', word] as const),
  ];
  return [
    ...named.flatMap(([field, word]) => {
      const [before, next] = field === 'from' ? [word, status] : [status, word];
      if (word === status) return [fault(field, `${status} cannot follow itself: leave it out`)];
      if (!isKnown(word)) return [fault(field, `${word} is not a status: name one of ${list(table.statuses)}`)];
      if (isFinal(before) && field === 'from') return [fault(field, `${before} is final: nothing follows it`)];
      if (isFinal(before) || compare(before, next) < 0) return [];
      if (!reaches(next, before)) return [fault(field, `${before} → ${next} goes down: place ${next} above ${before}`)];
      if (readsBack) return [];
      return [
        fault(field, `${before} and ${next} lead to each other, and a status of this kind (${kind}) cannot come back`),
      ];
    }),
    ...(final && to.length > 0 ? [fault('to', `${status} is final: leave "to" out`)] : []),
    ...(final && resting === true ? [fault('resting', `${status} is final: leave "resting" out`)] : []),
    ...(!final && to.length === 0 ? [fault('to', `${status} is not final: name what can follow it`)] : []),
    ...(isReached ? [] : [fault('from', `nothing leads to ${status}: name ${beginning}, or a status that is reached`)]),
  ];
}

function list(rows: readonly StatusRow[]): string {
  return rows.map(({ status }) => status).join(', ');
}

/** What is wrong with a profile: where, and a sentence that says what to change. */
export type ProfileFault = { readonly path: readonly (string | number)[]; readonly message: string };

/** Of the profile as an environment variable. Lambda takes 4 KB of variables in all, which a synthesis checks for each function. */
const maxProfileBytes = 3_000;

/** What a deployment refuses beyond the schema of the profile. The control API of the sandbox refuses the same. */
export function findProfileFaults(profile: PlatformProfile): readonly ProfileFault[] {
  const bytes = new TextEncoder().encode(JSON.stringify(profile)).length;
  return [
    ...findDeclarationFaults(profile.statuses).map(({ path, message }) => ({ path: ['statuses', ...path], message })),
    ...(bytes > maxProfileBytes
      ? [{ path: [], message: `takes ${bytes} bytes, of ${maxProfileBytes}: shorten what is declared` }]
      : []),
  ];
}

/** Whether the profile knows each event type that the settings register. Webhooks of any other are quarantined. */
export function registersWhatIsKnown(
  registeredEventTypes: readonly string[],
  { eventTypes }: Pick<PlatformProfile, 'eventTypes'>,
): boolean {
  return registeredEventTypes.every((eventType) => eventTypes.includes(eventType));
}

/** The message if `registersWhatIsKnown` is false. */
export const unknownRegistration =
  'must be event types that the platform profile knows: webhooks of any other are quarantined';
