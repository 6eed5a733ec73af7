import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { compareRecording } from '#cli/platform/recording/compare-recording.ts';
import { recordPlatform } from '#cli/platform/recording/record-platform.ts';
import { recording as recordingSchema } from '#cli/platform/recording/recording.ts';
import { closeImmediately, listenOn, portOf } from '#sandbox/net/server.ts';
import { createPlatformFetch } from '#shared/connection/platform-fetch.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const canary = 'Zwiebelmann';
const createdOn = '2026-01-02T03:04:05';

/** A platform that writes fields otherwise than the specification shows. */
const answers: Readonly<Record<string, unknown>> = {
  '/oauth2/token': { access_token: 'token', expires_in: 3600 },
  '/entities/natural-persons': {
    data: [
      { naturalPersonId: 12_345, naturalPersonStatus: { code: 'ACTIVE' }, createdOn, modifiedOn: createdOn },
      { id: 12_346, naturalPersonStatus: { code: 'FROZEN', text: canary }, createdOn, birthDay: createdOn, loyalty: 1 },
    ],
    pagination: { cursor: '', limit: 100 },
  },
  '/entities/identification-verifications': [{ verification: 'one', status: 'RECEIVED' }],
  '/webhooks': [{ eventType: 'LOAN_NOTIFICATION', url: 'https://example.org', createdOn: '2026-01-02T03:04:05Z' }],
  '/webhooks-missing': [],
  '/webhooks-undelivered': {
    data: [
      ...['TRANSFER_NOTIFICATION', 'LOAN_NOTIFICATION'].map((eventType, index) => ({
        id: `record-${index}`,
        webhook: { eventType, url: 'https://example.org' },
        body: JSON.stringify({ transferNumber: index, status: 'PENDING', holder: canary }),
      })),
    ],
    pagination: { cursor: null },
  },
};

async function startServer() {
  const server = createServer(async (request: IncomingMessage, response) => {
    await text(request);
    const answer = answers[new URL(request.url ?? '', 'http://localhost').pathname];
    response
      .writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer ?? { message: canary, errorCode: 'NO_SUCH_PERSON' }));
  });
  await listenOn(server, 0);
  closers.push(() => closeImmediately(server));
  return `http://localhost:${portOf(server)}`;
}

async function record() {
  const origin = await startServer();
  const profile = platformProfile.parse({});
  const recording = await recordPlatform(
    {
      baseUrl: origin,
      authUrl: origin,
      credentials: { clientId: 'client', clientSecret: 'secret' },
      requestor: 'self',
      profile,
      ownProfile: {},
    },
    { environment: 'test' },
    {
      fetch: createPlatformFetch(),
      wait: async () => undefined,
      timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
      now: () => new Date('2026-01-02T03:04:05.678Z'),
    },
  );
  expect(JSON.stringify(recording)).not.toContain(canary);
  return recordingSchema.parse(JSON.parse(JSON.stringify(recording)));
}

describe('cli platform compare: compareRecording', () => {
  it('names each difference of another platform, and what to do about it', async () => {
    const recording = await record();
    expect(Object.keys(recording.webhooks['TRANSFER_NOTIFICATION']?.body?.fields ?? {})).toEqual([
      'holder',
      'status',
      'transferNumber',
    ]);
    const { findings, platformProfile: changed } = compareRecording(recording, {
      profile: platformProfile.parse({}),
      ownProfile: {},
    });
    const expected = [
      [
        'Get natural persons',
        'good',
        'read as specified: naturalPersonId (whole number), naturalPersonStatus (object)',
      ],
      ['Get natural persons', 'good', 'under another name, and read: naturalPersonId'],
      ['Get natural persons', 'problem', 'cannot use, birthDay (date-time without a zone)'],
      ['Get natural persons', 'good', 'not in the specification, and not used: loyalty'],
      [
        'Get natural persons: status',
        'problem',
        '2 members have ACTIVE, FROZEN in naturalPersonStatus; not known: FROZEN',
        'platformProfile.statuses.natural-person',
      ],
      ['Get Identification Verifications', 'problem', 'cannot be read: identificationVerificationId'],
      ['List undelivered webhooks', 'problem', 'needs createdOn, and no answer has it'],
      ['List undelivered webhooks', 'problem', 'cannot use, id (word)'],
      ['TRANSFER_NOTIFICATION', 'problem', 'no id where the platform profile expects it', 'platformProfile.places'],
      ['event types', 'problem', 'LOAN_NOTIFICATION', 'platformProfile.eventTypes'],
      ['times', 'problem', 'without a zone: createdOn of Get natural persons', 'platformProfile.times.zone'],
      ['not found', 'good', '404, with errorCode, message'],
      ['error codes', 'good', 'NO_SUCH_PERSON'],
    ] as const;
    const unread = expected.filter(
      ([check, result, detail, remedy = '']) =>
        !findings.some(
          (one) =>
            one.check === check &&
            one.result === result &&
            one.detail.includes(detail) &&
            (one.remedy ?? '').includes(remedy),
        ),
    );
    expect(unread, JSON.stringify(findings, undefined, 1)).toEqual([]);
    expect(changed).toEqual({ eventTypes: expect.arrayContaining(['LOAN_NOTIFICATION']) });
  });
});
