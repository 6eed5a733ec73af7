import { describe, expect, it } from 'vitest';
import { createObserve } from '#functions/onboarding/observe/observe.ts';
import type { OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';
import { newOnboarding } from '#shared/onboarding/onboarding-state.ts';
import { storedNewNaturalPerson } from '#shared/platform/resources/natural-person-schema.ts';
import { createTestClient } from '#test/shared/platform/client/test-client.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

const person = storedNewNaturalPerson.parse({ ...samplePerson, externalId: 'partner-1' });

function rowOf(): OnboardingRow {
  const state = newOnboarding('video', '2026-01-02T03:04:05.678Z');
  return {
    onboardingId: 'onboarding-1',
    version: 1,
    state: { ...state, step: 'FINDING_PERSON', intentOn: '2026-01-02T03:04:05.678Z' },
    data: { person },
    digests: { salt: '', whole: '', fields: {} },
    outbox: [],
    expiresAt: 2_000_000_000,
  };
}

/** An observation of a list whose first page is empty and has this cursor, and the requests that were sent. */
async function lookWith(cursor: string) {
  const urls: string[] = [];
  const { client } = createTestClient('https://platform.example', {
    fetch: async (url) => {
      urls.push(url);
      const page = { data: [], pagination: { cursor: urls.length === 1 ? cursor : null } };
      return { status: 200, headers: new Headers(), bytes: async () => Buffer.from(JSON.stringify(page)) };
    },
  });
  const observe = createObserve({ client, settings: onboardingSettings.parse({}), now: () => new Date() });
  return { observation: await observe(rowOf(), () => false), urls };
}

describe('a search for a person', () => {
  it('reads a list to its end', async () => {
    const { observation, urls } = await lookWith('next');
    expect(observation).toEqual({ of: 'SEARCH_ENDED', hasNamesake: false });
    expect(urls).toHaveLength(2);
  });

  it.each([
    ['is too long', 'x'.repeat(4_097)],
    ['has half a surrogate pair', 'x\ud800'],
  ])('does not take a list for one read to its end where a cursor %s', async (_, cursor) => {
    const { observation, urls } = await lookWith(cursor);
    expect(observation).toEqual({ of: 'UNREAD', why: 'UNREADABLE_ANSWER', retryAfter: undefined });
    expect(urls).toHaveLength(1);
  });
});
