import type { CommandDeps } from '#cli/command/command-deps.ts';
import { unlessStatus } from '#cli/deployment/api-reads.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { readTimeline } from '#cli/entities/show-entity.ts';
import { findQuery, isoTimeOf, readQueries, runQuery } from '#cli/logs/run-query.ts';
import type { OnboardingAnswer } from '#shared/api/onboarding-answers.ts';
import type { EntityKey } from '#shared/entities/entity-row.ts';

/** Something that happened to an onboarding. */
export type HistoryEntry = {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** A step of the onboarding, a call that failed, or a report of the platform about the person or the verification. */
  readonly what: 'step' | 'call' | 'report';
  /** The step, if it is known. */
  readonly step: string | undefined;
  readonly text: string;
  readonly eventId: string | undefined;
};

const query = 'one-onboarding';

/** The log keeps what the record of an onboarding does not: the steps that it took. It is searched from this long before. In milliseconds. */
const margin = 60_000;

/** The most that CloudWatch gives. */
const maxRows = 10_000;

/** Release 0.2.0 logs `observation failed`. Until 0.4.0. */
const failedReads = ['platform read failed', 'observation failed'];

/**
 * What happened to an onboarding, the earliest first: its steps and failed calls from the log, and the reports about its person
 * and verification.
 *
 * @param now by the clock of the deployment
 * @throws {CommandError}
 */
export async function readHistory(
  deployment: Deployment,
  onboarding: OnboardingAnswer,
  deps: Pick<CommandDeps, 'now' | 'wait'>,
  now: Date,
): Promise<readonly HistoryEntry[]> {
  const { naturalPersonId, identificationVerificationId } = onboarding;
  const keys: readonly EntityKey[] = [
    ...(naturalPersonId === undefined ? [] : [{ kind: 'natural-person', id: naturalPersonId } as const]),
    ...(identificationVerificationId === undefined
      ? []
      : [{ kind: 'identification-verification', id: identificationVerificationId } as const]),
  ];
  const [logged, ...reported] = await Promise.all([
    readLog(deployment, onboarding, deps, now),
    ...keys.map((key) => readReports(deployment, key)),
  ]);
  return [...logged, ...reported.flat()].toSorted((one, other) => one.at.localeCompare(other.at));
}

async function readLog(
  { clients, environment }: Deployment,
  { onboardingId, acceptedOn }: OnboardingAnswer,
  deps: Pick<CommandDeps, 'now' | 'wait'>,
  now: Date,
): Promise<readonly HistoryEntry[]> {
  const saved = findQuery(await readQueries(clients.logs, environment), query);
  const from = new Date(Date.parse(acceptedOn) - margin).toISOString();
  const options = { from, to: new Date(now.getTime() + margin), set: { ONBOARDING_ID: onboardingId }, limit: maxRows };
  const rows = await runQuery(saved, options, { ...deps, logs: clients.logs });
  return rows.flatMap((row): readonly HistoryEntry[] => {
    const { message = '', step, reason, '@timestamp': at = '', eventId } = row;
    const time = isoTimeOf(at);
    if (message === 'onboarding accepted')
      return [{ at: time, what: 'step', step: 'REQUESTED', text: 'accepted', eventId }];
    if (message === 'onboarding advanced') return [{ at: time, what: 'step', step, text: reason ?? '', eventId }];
    if (failedReads.includes(message) || message.startsWith('call failed'))
      return [
        {
          at: time,
          what: 'call',
          step,
          text: [message, reason, row['error.name']].filter(Boolean).join(', '),
          eventId,
        },
      ];
    return [];
  });
}

/** What the platform reported about a person or a verification; nothing before the first webhook about it. */
export async function readReports({ api }: Pick<Deployment, 'api'>, key: EntityKey): Promise<readonly HistoryEntry[]> {
  const events = await unlessStatus([404], readTimeline(api, key));
  return (events ?? []).map(({ eventId, receivedOn, status, notificationType, reasonCodes = [], effect }) => ({
    at: receivedOn,
    what: 'report',
    step: undefined,
    text: [`${key.kind}: ${status ?? notificationType ?? 'no status'}`, ...reasonCodes, effect].join(', '),
    eventId,
  }));
}
