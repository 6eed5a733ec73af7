import type { BusEvent } from '#cli/bus-session/open-bus-session.ts';
import { visibleLine } from '#sandbox/terminal/visible-text.ts';

/** An event that was sent to the local service, and what the service answered. */
export type Forwarded = {
  readonly busEventId: string;
  readonly detailType: string;
  /** The entity or onboarding. */
  readonly about: string | undefined;
  /** Undefined if the service did not answer. */
  readonly status: number | undefined;
  /** The first characters of the answer, or why there is none. */
  readonly answer: string;
};

export type ForwardDeps = {
  readonly url: string;
  readonly fetch: typeof fetch;
  /** In milliseconds. */
  readonly timeout: number;
};

/** The characters of an answer that are shown. */
const maxCharacters = 500;

/** Sends an event to a service, in the envelope of EventBridge, as an API destination of EventBridge does. */
export async function forward(event: BusEvent, { url, fetch, timeout }: ForwardDeps): Promise<Forwarded> {
  const { busEventId, detailType, time, detail } = event;
  const about = [detail['id'], detail['onboardingId'], detail['eventId']].find((id) => typeof id === 'string');
  const common = { busEventId, detailType, about };
  const envelope = { version: '0', id: busEventId, 'detail-type': detailType, source: 'drawbridge', time, detail };
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(envelope),
      signal: AbortSignal.timeout(timeout),
    });
    return { ...common, status: answer.status, answer: (await answer.text()).slice(0, maxCharacters) };
  } catch (error) {
    return { ...common, status: undefined, answer: reasonOf(error) };
  }
}

/** What happened to the connection, such as ECONNREFUSED, TimeoutError, or `bad port` for a port that fetch never calls. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const { cause, name } = error;
  if (!(cause instanceof Error)) return name;
  return 'code' in cause ? String(cause.code) : cause.message;
}

/** One line for people, the id of the event at its end; below it the answer of the service. */
export function formatForwarded({ busEventId, detailType, about = '', status, answer }: Forwarded): string {
  const result = status === undefined ? `no answer: ${answer}` : String(status);
  const answerLine = status === undefined || answer === '' ? '' : `\n    ${visibleLine(answer)}`;
  return `${detailType.padEnd(40)}  ${about}  → ${result}  ${busEventId}${answerLine}`;
}
