import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHandler } from '#functions/onboarding/request-event/handler.ts';
import { lambdaProcess } from '#shared/lambda/lambda-process.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { createOnboardingStore } from '#shared/onboarding/onboarding-store.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { sampleRequest, today } from '#test/functions/onboarding/requests.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { lambdaContext } from '#test/shared/lambda/lambda-context.ts';

let emulators: Emulators;
let lines: string[];
beforeAll(async () => {
  emulators = await startEmulators();
});
afterAll(() => emulators.close());
afterEach(() => {
  emulators.unwatch();
  expect(lines.join('')).not.toMatch(/Erika|Mustermann|partner-/);
});

const now = () => today;
const eventOf = (externalId: string) => ({
  id: `event of ${externalId.length}`,
  'detail-type': 'OnboardingRequested',
  source: 'partner',
  time: '2026-01-02T03:04:05Z',
  detail: sampleRequest({ externalId }),
});

function createFunction() {
  lines = [];
  return createHandler({
    ...lambdaProcess,
    ...emulators,
    now,
    write: (line) => void lines.push(line),
    newSalt: () => 'salt',
    environment: {
      ENVIRONMENT: 'test',
      ONBOARDINGS_TABLE: emulators.tableNameOf('onboardings'),
      ONBOARDING_QUEUE_URL: emulators.queueUrlOf('onboarding'),
      EVENT_BUS: emulators.busName,
      ONBOARDING_SETTINGS: onboardingSettings.parse({}),
      PLATFORM_PROFILE: platformProfile.parse({}),
    },
  });
}

const stepOf = async (externalId: string) => {
  const tableName = emulators.tableNameOf('onboardings');
  return createOnboardingStore({ dynamodb: emulators.dynamodb, tableName, now }).load(onboardingIdOf(externalId));
};

describe('request-event', () => {
  it('accepts the requests of a batch, and reports only a message that is no request', async () => {
    const bodies = [JSON.stringify(eventOf('partner-1')), 'Erika', JSON.stringify(eventOf('partner-2'))];
    const attributes = { ApproximateReceiveCount: '1' };
    const Records = bodies.map((body, index) => ({ messageId: `message-${index}`, body, attributes }));
    expect(await createFunction()({ Records }, lambdaContext())).toEqual({
      batchItemFailures: [{ itemIdentifier: 'message-1' }],
    });
    for (const externalId of ['partner-1', 'partner-2'])
      expect(await stepOf(externalId)).toMatchObject({ state: { step: 'REQUESTED' } });
  });

  it('reports a message while DynamoDB fails, and accepts it when it comes again', async () => {
    const Records = [
      {
        messageId: 'message-1',
        body: JSON.stringify(eventOf('partner-4')),
        attributes: { ApproximateReceiveCount: '1' },
      },
    ];
    const handler = createFunction();
    emulators.watch(() => {
      throw new Error('The connection breaks.');
    });
    expect(await handler({ Records }, lambdaContext())).toEqual({
      batchItemFailures: [{ itemIdentifier: 'message-1' }],
    });
    emulators.unwatch();
    expect(await handler({ Records }, lambdaContext())).toEqual({ batchItemFailures: [] });
    expect(await stepOf('partner-4')).toMatchObject({ state: { step: 'REQUESTED' } });
  });

  it('fails an event that Lambda holds from before the upgrade while DynamoDB fails, and then accepts it', async () => {
    const handler = createFunction();
    emulators.watch(() => {
      throw new Error('The connection breaks.');
    });
    await expect(handler(eventOf('partner-3'), lambdaContext())).rejects.toThrow();
    emulators.unwatch();
    expect(await handler(eventOf('partner-3'), lambdaContext())).toBeUndefined();
    expect(await stepOf('partner-3')).toMatchObject({ state: { step: 'REQUESTED' } });
  });
});
