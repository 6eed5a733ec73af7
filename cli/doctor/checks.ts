import { shortName } from '#cli/alarms/list-alarms.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { deadLetterQueues } from '#cli/dlq/dead-letter-queues.ts';
import { formatMessages } from '#cli/dlq/format-messages.ts';
import { readQueues } from '#cli/dlq/read-queues.ts';
import { countOf } from '#cli/output/count-of.ts';
import { formatAge } from '#cli/output/format-age.ts';
import { describeOutage, readPlatformOutage, remedyOfOutage } from '#cli/status/platform-outage.ts';
import { readAlarmsThatAreOn } from '#cli/status/read-alarms.ts';
import { countFailing, countOpenOnboardings } from '#cli/status/read-status.ts';
import { readTokenLife, type TokenLife } from '#cli/token/token-life.ts';
import { readTokenState, type TokenState } from '#cli/token/token-state.ts';
import { nextOf } from '#cli/webhooks/format-register-report.ts';
import { pendingLines, readRegisterReport, skippedReason } from '#cli/webhooks/register-report.ts';
import { quarantineAnswer } from '#shared/api/query-answers.ts';
import { version as ownVersion } from '#shared/version.ts';
import { type Found, good, problem, unknown } from './findings.ts';

/** The stacks, and whether this command line is of their release. */
export async function checkVersion({ outputs }: Deployment): Promise<Found> {
  const version = outputs.get('Version') ?? 'unknown';
  if (version === ownVersion) return good(`release ${version} is deployed`);
  return problem(
    `release ${version} is deployed, and this command line is of release ${ownVersion}`,
    'Deploy, or use the command line of the deployed release.',
  );
}

const noCalls = 'no call went to the platform in the last 10 minutes';

/**
 * Whether the platform has an outage. Where nothing is measured, as in the first minutes of a deployment, a call of Register says
 * whether the platform answers.
 *
 * @param now by the clock of the deployment
 * @param plan asks Register
 */
export async function checkOutage(
  deployment: Deployment,
  { now, plan }: { readonly now: Date; readonly plan: () => Promise<unknown> },
): Promise<Found> {
  const outage = await readPlatformOutage(deployment, now);
  if (outage === null) return good('the platform answers');
  if (outage === undefined) {
    const hasAnswered = await plan().then(
      (answer) => skippedReason(answer) === undefined,
      () => false,
    );
    if (hasAnswered) return good(`the platform answers. Before this check, ${noCalls}`);
    return unknown(
      noCalls,
      'Without a valid token, no call goes out: drawbridge token show. With one: drawbridge drain.',
    );
  }
  const onboardingsWaiting = await countOpenOnboardings(deployment).then(countFailing, () => null);
  const { title, details } = describeOutage({ ...outage, onboardingsWaiting }, now);
  return problem([title, ...details].join(' '), remedyOfOutage(deployment));
}

/** Whether there is a platform token, how old it is, and when it expires. @param now by the clock of the deployment */
export async function checkToken(deployment: Deployment, now: Date): Promise<Found> {
  const state = await readTokenState(deployment);
  return evaluateToken(state, await readTokenLife(deployment, state, now), now);
}

export function evaluateToken(
  { hasToken, storedOn }: TokenState,
  { ageSeconds, expiresOn }: TokenLife,
  now: Date,
): Found {
  if (!hasToken) return problem('there is no platform token', 'drawbridge credentials set');
  const age = ageSeconds === null ? '' : ` (${formatAge(ageSeconds)} ago)`;
  const stored = `the platform token was stored on ${storedOn}${age}`;
  if (expiresOn === null) return good(`${stored}. Its expiry is not known: Refresh has measured nothing in 15 minutes`);
  if (Date.parse(expiresOn) > now.getTime()) return good(`${stored} and expires on ${expiresOn}`);
  return problem(`${stored} and expired on ${expiresOn}`, 'drawbridge token refresh --force');
}

/** Whether the platform delivers every event type to us, and so whether the token is good. @param plan asks Register */
export async function checkRegistrations(plan: () => Promise<unknown>): Promise<Found> {
  const answer = await plan();
  const reason = skippedReason(answer);
  if (reason !== undefined) return problem(reason, 'drawbridge credentials set');
  const report = readRegisterReport(answer);
  const pending = pendingLines(report);
  if (pending.length === 0) return good(`${report.plan.length} webhooks are registered as configured`);
  return pending.flatMap((line) => problem(line, nextOf(line) ?? 'drawbridge webhooks apply'));
}

/** Messages that no function takes any more. */
export async function checkDeadLetters(deployment: Deployment): Promise<Found> {
  const queues = await readQueues(deployment, deadLetterQueues);
  const filled = queues.filter(({ waiting, inFlight }) => waiting + inFlight > 0);
  if (filled.length === 0) return good('no dead-letter queue holds a message');
  return filled.flatMap(({ name, ...counts }) =>
    problem(`${name} holds ${formatMessages(counts)}`, `drawbridge dlq show ${name}`),
  );
}

/** Events without effect. */
export async function checkQuarantine({ api }: Deployment): Promise<Found> {
  const { count, nextCursor } = await api.send({ method: 'GET', path: '/quarantine' }, quarantineAnswer);
  if (count === 0) return good('no event is in quarantine');
  const counted = `${nextCursor === undefined ? '' : 'at least '}${countOf(count, 'event is', 'events are')}`;
  return problem(`${counted} in quarantine`, 'drawbridge quarantine ls');
}

/** The alarms of the stacks that are on. */
export async function checkAlarms(deployment: Deployment): Promise<Found> {
  const found = await readAlarmsThatAreOn(deployment);
  if (found.length === 0) return good('no alarm is on');
  return found.flatMap(({ name, since }) =>
    problem(`the alarm ${name} has been on since ${since}`, `drawbridge alarms show ${shortName(name)}`),
  );
}
