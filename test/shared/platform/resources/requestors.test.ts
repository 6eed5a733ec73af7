import { describe, expect, it } from 'vitest';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import {
  findNaturalPerson,
  listNaturalPersons,
  readNaturalPersonStates,
} from '#shared/platform/resources/list-natural-persons.ts';
import { getNaturalPerson } from '#shared/platform/resources/natural-persons.ts';
import {
  listUndeliveredWebhooks,
  markWebhooksDelivered,
  readUndeliveredPage,
} from '#shared/platform/resources/undelivered-webhooks.ts';
import {
  deleteWebhook,
  getWebhook,
  listMissingWebhooks,
  listWebhooks,
  registerWebhook,
} from '#shared/platform/resources/webhooks.ts';
import { json, platformOfFile } from '#test/shared/platform/client/platform-server.ts';
import { all, createTestClient, otherId, personId, requestor } from '#test/shared/platform/client/test-client.ts';

const server = platformOfFile();

const eventType = 'TRANSFER_NOTIFICATION';
const url = 'https://partner.example/webhooks';
const webhook = { createdOn: '2026-01-02T03:04:05Z', eventType, url };
const empty = { data: [], pagination: { cursor: '' } };

/** Each operation whose Requestor-ID is of the profile: its group, a call of it, and an answer. */
const operations: readonly (readonly [string, string, (client: PlatformClient) => Promise<unknown>, unknown])[] = [
  [
    'Get natural person',
    'naturalPerson',
    (client) => getNaturalPerson(client, personId),
    { naturalPersonId: personId },
  ],
  ['a search for a natural person', 'naturalPersons', (client) => findNaturalPerson(client, 'partner-1'), empty],
  ['Get natural persons', 'naturalPersons', (client) => all(listNaturalPersons(client)), empty],
  ['a page of natural persons', 'naturalPersons', (client) => readNaturalPersonStates(client), empty],
  ['List webhooks', 'webhooks', (client) => all(listWebhooks(client)), []],
  ['Register webhook', 'webhooks', (client) => registerWebhook(client, { eventType, url }), undefined],
  ['Get webhook', 'webhooks', (client) => getWebhook(client, eventType), webhook],
  ['Delete webhook', 'webhooks', (client) => deleteWebhook(client, eventType), undefined],
  ['List missing webhooks', 'webhooks', (client) => listMissingWebhooks(client), []],
  ['List undelivered webhooks', 'undeliveredWebhooks', (client) => all(listUndeliveredWebhooks(client)), empty],
  ['a page of undelivered webhooks', 'undeliveredWebhooks', (client) => readUndeliveredPage(client), empty],
  ['Mark webhooks delivered', 'undeliveredWebhooks', (client) => markWebhooksDelivered(client, otherId), undefined],
];

describe('section 5: the Requestor-ID of a call for which the specification leaves it open', () => {
  it.each(operations)('is none for %s, unless the profile names one for %s', async (_, group, call, answer) => {
    const others = { naturalPerson: otherId, naturalPersons: otherId, webhooks: otherId, undeliveredWebhooks: otherId };
    for (const [requestors, sent] of [
      [undefined, undefined],
      [{ ...others, [group]: 'none' }, undefined],
      [{ [group]: requestor }, requestor],
    ] as const) {
      server.answerWith(json(200, answer));
      await call(createTestClient(server.baseUrl, { profile: { requestors } }).client);
      expect(server.requests.map(({ headers }) => headers['requestor-id'])).toEqual([sent]);
    }
  });

  it('is the person itself for Get natural person with "self"', async () => {
    server.answerWith(json(200, { naturalPersonId: personId }));
    const { client } = createTestClient(server.baseUrl, { profile: { requestors: { naturalPerson: 'self' } } });
    await getNaturalPerson(client, personId);
    expect(server.requests[0]?.headers['requestor-id']).toBe(personId);
  });

  it.each(['naturalPersons', 'webhooks', 'undeliveredWebhooks'])(
    'cannot be "self" for %s, which are about no single person',
    (group) => {
      expect(platformProfile.safeParse({ requestors: { [group]: 'self' } }).error?.issues).toMatchObject([
        { path: ['requestors', group], message: expect.stringContaining('must be none or the id of a natural person') },
      ]);
    },
  );

  it.each(['naturalPerson', 'verifications', 'transfers'])('must be none, self or an id for %s', (group) => {
    expect(platformProfile.safeParse({ requestors: { [group]: 'the partner' } }).error?.issues).toMatchObject([
      { path: ['requestors', group], message: 'must be none, self or the id of a natural person (section 5)' },
    ]);
  });
});
