import type { Deployment } from '#cli/deployment/deployment.ts';
import { deadLetterQueues } from '#cli/dlq/dead-letter-queues.ts';
import { formatMessages } from '#cli/dlq/format-messages.ts';
import { readQueues } from '#cli/dlq/read-queues.ts';
import { readTokenState } from '#cli/token/token-state.ts';
import { nextOf } from '#cli/webhooks/format-register-report.ts';
import { pendingLines, readRegisterReport, skippedReason } from '#cli/webhooks/register-report.ts';
import { quarantineAnswer } from '#shared/api/query-answers.ts';
import { version as ownVersion } from '#shared/version.ts';
import { type Found, good } from './findings.ts';

/** The stacks, and whether this command line is of their release. */
export async function checkVersion({ outputs }: Deployment): Promise<Found> {
  const version = outputs.get('Version') ?? 'unknown';
  if (version === ownVersion) return good(`release ${version} is deployed`);
  return [
    {
      result: 'problem',
      detail: `release ${version} is deployed, and this command line is of release ${ownVersion}`,
      remedy: 'Deploy, or use the command line of the deployed release.',
    },
  ];
}

/** Whether there is a platform token, and when it was stored. */
export async function checkToken(deployment: Deployment): Promise<Found> {
  const { hasToken, storedOn } = await readTokenState(deployment);
  if (hasToken) return good(`the platform token was stored on ${storedOn}`);
  return [{ result: 'problem', detail: 'there is no platform token', remedy: 'drawbridge credentials set' }];
}

/** Whether the platform delivers every event type to us, and so whether the token is good. */
export async function checkRegistrations({ invoke }: Deployment): Promise<Found> {
  const answer = await invoke('Register', { mode: 'plan' });
  const reason = skippedReason(answer);
  if (reason !== undefined) return [{ result: 'problem', detail: reason, remedy: 'drawbridge credentials set' }];
  const report = readRegisterReport(answer);
  const pending = pendingLines(report);
  if (pending.length === 0) return good(`${report.plan.length} webhooks are as registered`);
  return pending.map((detail) => ({
    result: 'problem',
    detail,
    remedy: nextOf(detail) ?? 'drawbridge webhooks apply',
  }));
}

/** Messages that no function takes any more. */
export async function checkDeadLetters(deployment: Deployment): Promise<Found> {
  const queues = await readQueues(deployment, deadLetterQueues);
  const filled = queues.filter(({ waiting, inFlight }) => waiting + inFlight > 0);
  if (filled.length === 0) return good('no dead-letter queue holds a message');
  return filled.map(({ name, ...counts }) => ({
    result: 'problem',
    detail: `${name} holds ${formatMessages(counts)}`,
    remedy: `drawbridge dlq show ${name}`,
  }));
}

/** Events without effect. */
export async function checkQuarantine({ api }: Deployment): Promise<Found> {
  const { count } = await api.send({ method: 'GET', path: '/quarantine' }, quarantineAnswer);
  if (count === 0) return good('no event is in quarantine');
  return [{ result: 'problem', detail: `${count} events are in quarantine`, remedy: 'drawbridge quarantine ls' }];
}
