import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { settings } from '#sandbox/platform/core/settings.ts';
import { pickByWeight } from '#sandbox/platform/core/settings-store.ts';
import { refusal, startPlatform, type TestPlatform } from '#test/sandbox/platform/platform-fixture.ts';

let platform: TestPlatform;
beforeEach(() => {
  platform = startPlatform();
});

const change = (body: unknown) => platform.request('PATCH', '/control/settings', { body });

/** What section 5, section 8 and the facts about the platform say; for the rest, a platform without surprises. */
const coreDefaults = {
  tokenLifetime: 3_600,
  missingRequestorStatus: 400,
  requireRequestorEverywhere: false,
  acceptSelfBeforeActive: true,
  representativeId: null,
  deliveryTimeout: 10,
  deliveryRetriesAfter: [1, 5],
  deliveriesDuplicated: 0,
  deliveriesLost: 0,
  deliveriesDelayed: 0,
  deliveriesReordered: 0,
  deliveryDelay: 60,
  undeliveredOrder: 'ASCENDING',
  undeliveredCursor: 'KEYSET',
};

describe('sandbox platform: default settings', () => {
  it('uses the default of each setting', async () => {
    expect((await platform.request('GET', '/control/settings')).body).toMatchObject(coreDefaults);
    expect(platform.settings.read()).toEqual(settings.parse({}));
  });
});

describe('sandbox platform: settings over the control API', () => {
  it('changes some settings and keeps the others', async () => {
    await change({ tokenLifetime: 60, deliveryRetriesAfter: [] });
    const { status, body } = await change({ undeliveredOrder: 'SHUFFLED' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...coreDefaults,
      tokenLifetime: 60,
      deliveryRetriesAfter: [],
      undeliveredOrder: 'SHUFFLED',
    });
    expect((await platform.request('GET', '/control/settings')).body).toEqual(body);
  });

  it.each([
    { tokenLifetime: -1 },
    { missingRequestorStatus: 401 },
    { deliveryRetriesAfter: [-1] },
    { checkOutcomes: { CREATED: -1 } },
    { noSuchSetting: 1 },
    { tokenLifetime: 60, deliveriesLost: 7 },
  ])('rejects the change %j, and changes nothing', async (wrong) => {
    const before = platform.settings.read();
    expect(await change(wrong)).toEqual(refusal(400, 'BAD_REQUEST', expect.any(String)));
    expect(platform.settings.read()).toBe(before);
  });
});

describe('sandbox platform: pickByWeight', () => {
  it('picks each word as often as its weight says', () => {
    const words = { CREATED: 7, REVIEW: 2, INVALID: 0, REJECTED: 1 };
    const picked = Array.from({ length: 1_000 }, (_, index) => pickByWeight(words, index / 1_000));
    const times = (word: string) => picked.filter((one) => one === word).length;
    expect([times('CREATED'), times('REVIEW'), times('INVALID'), times('REJECTED')]).toEqual([700, 200, 0, 100]);
  });

  it('picks a word with a weight for any number from 0 to 1', () => {
    const weights = fc.dictionary(fc.stringMatching(/^[A-Z]+$/), fc.double({ min: 0, max: 1e300, noNaN: true }));
    const number = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(weights, number, (words, random) => {
        const possible = Object.keys(words).filter((word) => (words[word] ?? 0) > 0);
        fc.pre(possible.length > 0);
        expect(possible).toContain(pickByWeight(words, random));
      }),
    );
  });
});
