import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { requestPath } from '#cli/command/request-url.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { countOf } from '#cli/output/count-of.ts';
import type { Output } from '#cli/output/output.ts';
import { commandAbout, quote } from '#sandbox/terminal/quote.ts';
import { type PersonAnswer, personAnswer } from '#shared/api/onboarding-answers.ts';
import { entityName } from '#shared/entities/entity-row.ts';
import { type PersonQuery, repeatInterval } from './person-query.ts';

export type ReadPersonDeps = Pick<CommandDeps, 'wait'> & {
  readonly api: Deployment['api'];
  readonly output: Pick<Output, 'note'>;
};

/**
 * Asks what is stored of a person. Repeats the request while Drawbridge searches for events of an earlier release.
 *
 * @throws {CommandError}
 */
export async function readPerson(
  externalId: string,
  query: PersonQuery,
  { api, output, wait }: ReadPersonDeps,
): Promise<PersonAnswer> {
  const request = { method: 'GET', path: requestPath`/persons/${externalId}`, query } as const;
  for (;;) {
    const person: PersonAnswer = await api.send(request, personAnswer);
    if (person.isIndexed) return person;
    output.note('The index of persons is not complete yet. Waiting …');
    await wait(repeatInterval);
  }
}

/** What an erasure removes and what it keeps, counted. */
export function countPerson({ kept, ...person }: PersonAnswer): { readonly removed: string; readonly kept: string } {
  const { onboarding, events, naturalPersonIds, identificationVerificationIds } = person;
  const atLeast = person.isComplete ? '' : 'at least ';
  const removed = [
    `${atLeast}${countOf(events.length, 'event')}`,
    ...(onboarding === undefined || onboarding === 'ERASED' ? [] : [`1 onboarding (${onboarding})`]),
    ...counted(naturalPersonIds.length, 'person'),
    ...counted(identificationVerificationIds.length, 'verification'),
  ];
  const entities = new Map(kept.flatMap(({ entity }) => (entity ? [[entityName(entity), entity]] : [])));
  const byKind = Map.groupBy(entities.values(), ({ kind }) => kind);
  const others = kept.filter(({ entity }) => entity === undefined).length;
  const staying = [
    ...[...byKind].map(([kind, { length }]) => countOf(length, kind)),
    ...counted(others, byKind.size > 0 ? 'other event' : 'event'),
  ];
  const nothing = person.isComplete ? 'nothing' : 'not listed';
  return { removed: removed.join(', '), kept: staying.length > 0 ? `${atLeast}${staying.join(', ')}` : nothing };
}

/** `4 events, 1 onboarding, 2 verifications; kept: 3 orders`. */
export function describePerson(person: PersonAnswer): string {
  const { removed, kept } = countPerson(person);
  return `${removed}; kept: ${kept}`;
}

/** The command, and its options as the user gave them. */
export type RefusedCommand = { readonly command: 'erase' | 'export'; readonly asGiven: readonly string[] };

/** @throws {CommandError} if ids of the command are also given to others, with the command that confirms them */
export function refuseOthers(
  externalId: string,
  { others: { onboardingIds, naturalPersonIds }, ...person }: PersonAnswer,
  { command, asGiven }: RefusedCommand,
): void {
  if (onboardingIds.length + naturalPersonIds.length === 0) return;
  const ids = [
    ...onboardingIds.map((id) => `the onboarding ${id}`),
    ...naturalPersonIds.map((id) => `the person ${id}`),
  ];
  const options = [
    ...asGiven,
    ...onboardingIds.map((id) => `--onboarding onboardingId:${id}`),
    ...naturalPersonIds.map((id) => `--natural-person ${quote(id)}`),
  ];
  const isOnboardingOnly =
    command === 'erase' && person.onboarding !== undefined && person.naturalPersonIds.length === 0;
  const own = `--onboarding onboardingId:${person.onboardingId}`;
  throw new CommandError(
    `Nothing was ${command === 'erase' ? 'erased' : 'exported'}: an onboarding or a stored event gives ids of this person to ${ids.join(' and to ')}, too.`,
    [
      `check the ids. If all of them are of one person: ${commandAbout(`drawbridge persons ${command}`, externalId, options.join(' '))}`,
      ...(isOnboardingOnly
        ? [`To erase only the onboarding: ${commandAbout('drawbridge persons erase', externalId, own)}`]
        : []),
    ].join('\n'),
  );
}

/** The ids of a person, as a record of an action has them. */
export function recordedIds(person: PersonAnswer, { onboardingId }: PersonQuery) {
  return {
    onboardingId: person.onboardingId,
    otherOnboardingIds: onboardingId,
    naturalPersonIds: person.naturalPersonIds.join(',') || undefined,
    identificationVerificationIds: person.identificationVerificationIds.join(',') || undefined,
  };
}

function counted(count: number, noun: string): readonly string[] {
  return count === 0 ? [] : [countOf(count, noun)];
}
