import { GetFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import { GetSecretValueCommand } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { readEvent, unlessStatus } from '#cli/deployment/api-reads.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import type { EventAnswer } from '#shared/api/query-answers.ts';
import { identifyEvent } from '#shared/events/event.ts';
import { parseJson } from '#shared/parse-json.ts';
import type { eventTypes } from '#shared/platform/profile/event-place.ts';
import { webhookSecret } from '#shared/secrets/webhook-secret.ts';
import { type Found, good, problem } from './findings.ts';

/** An event type that speaks of no entity: its events are stored and published, and change nothing. */
export const testEventType: (typeof eventTypes)[number] = 'PARTNER_NOTIFICATION';

const receiveVariables = z.object({ SECRET_HEADER: z.string() });

/** In milliseconds: between two reads, and all of them. */
const interval = 500;
const deadline = 60_000;

/**
 * Delivers a webhook as the platform does, and waits until the API shows its event. Leaves the event in the event store, and
 * publishes `EventReceived` with its id.
 */
export async function checkWebhook(
  deployment: Deployment,
  deps: Pick<CommandDeps, 'fetch' | 'newId' | 'now' | 'wait'>,
): Promise<Found> {
  const { outputs, api } = deployment;
  // Another run sends another event: equal content would be the event of the earlier run.
  const body = Buffer.from(JSON.stringify({ sentBy: 'drawbridge doctor', run: deps.newId(), sentOn: deps.now() }));
  const { eventId } = identifyEvent(testEventType, body, { eventTypes: [], places: {}, times: {} });
  const begin = deps.now().getTime();
  const { status } = await deps.fetch(`${outputs.get('WebhooksUrl')}/${testEventType}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(await readSecretHeader(deployment)) },
    body,
  });
  if (status !== 200) return refused(status);
  do {
    const event = await unlessStatus([404], readEvent(api, eventId));
    if (event !== undefined) return evaluateEvent(event, deps.now().getTime() - begin);
    await deps.wait(interval);
  } while (deps.now().getTime() - begin < deadline);
  return problem(
    `the test webhook got 200, and its event ${eventId} is not stored after ${deadline / 1_000} s`,
    'drawbridge status, which shows whether the queue Webhooks is behind',
  );
}

function refused(status: number): Found {
  const detail = `the test webhook got ${status}`;
  if (status === 403)
    return problem(
      `${detail}: the setting webhookSources does not have the address of this machine`,
      'Run the check from an address in webhookSources, or wait for a webhook of the platform.',
    );
  if (status === 401)
    return problem(`${detail}: Receive knows another secret`, 'Run drawbridge doctor --webhook again.');
  return problem(detail, 'drawbridge logs errors-by-function');
}

function evaluateEvent({ eventId, quarantineReason }: EventAnswer, milliseconds: number): Found {
  if (quarantineReason === undefined)
    return good(`the test webhook was stored after ${milliseconds} ms as event ${eventId}`);
  return problem(
    `the test webhook is in quarantine (${quarantineReason}): platformProfile.eventTypes has no ${testEventType}`,
    `Add ${testEventType} to platformProfile.eventTypes and deploy, if your platform sends it.`,
  );
}

/** The header that the platform sends with each delivery. */
async function readSecretHeader({ clients, resources }: Deployment): Promise<Readonly<Record<string, string>>> {
  const { idOf } = await resources();
  const [{ Environment }, { SecretString = '' }] = await Promise.all([
    clients.lambda.send(new GetFunctionConfigurationCommand({ FunctionName: idOf('function', 'Receive') })),
    clients.secretsManager.send(new GetSecretValueCommand({ SecretId: idOf('secret', 'WebhookSecret') })),
  ]);
  const { SECRET_HEADER } = receiveVariables.parse(Environment?.Variables);
  return { [SECRET_HEADER]: webhookSecret.parse(parseJson(SecretString)).current };
}
