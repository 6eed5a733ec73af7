import { describe, expect, it } from 'vitest';
import { createAnswerList } from '#functions/onboarding/api/routes.ts';
import type { OnboardingAnswer } from '#shared/api/onboarding-answers.ts';
import type { OnboardingPageRequest } from '#shared/onboarding/onboarding-store.ts';
import { sampleOnboarding } from '#test/shared/onboarding/sample-onboarding.ts';

const updatedOn = '2026-02-01T00:00:00.000Z';
const view: OnboardingAnswer = {
  onboardingId: '',
  sequence: 1,
  step: 'REQUESTED',
  since: updatedOn,
  mode: 'none',
  acceptedOn: updatedOn,
  reasons: [],
  identificationUrl: 'https://video.example/1',
};
const { identificationUrl: _, ...withoutLink } = view;
const row = { ...sampleOnboarding('partner-1'), updatedOn };

/** Asks for a page of a list that never ends. */
async function ask(query?: Readonly<Record<string, string>>) {
  const asked: OnboardingPageRequest[] = [];
  const answerList = createAnswerList(
    async (request) => {
      asked.push(request);
      return { rows: [row], next: { at: updatedOn, id: row.onboardingId } };
    },
    ({ onboardingId }) => ({ ...view, onboardingId }),
  );
  const { statusCode, headers, body = '' } = await answerList(query);
  return { statusCode, headers, json: JSON.parse(body), asked };
}

describe('GET /onboardings', () => {
  it('answers a page of 50 unless another limit is given, without the links of video calls, and the cursor of the next', async () => {
    const { statusCode, headers, json, asked } = await ask();
    expect({ statusCode, headers }).toEqual({
      statusCode: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    });
    expect(json).toEqual({
      items: [{ ...withoutLink, hasIdentificationUrl: true, onboardingId: row.onboardingId, updatedOn }],
      nextCursor: expect.stringMatching(/^[\w-]+$/),
    });
    expect(asked).toEqual([{ filter: {}, limit: 50, after: undefined }]);
  });

  it('continues after the cursor, with the same filter', async () => {
    const query = { step: 'STOPPED', limit: '7', updatedFrom: '2026-01-01T01:00:00+01:00' };
    const { json } = await ask(query);
    const { asked } = await ask({ ...query, limit: '8', cursor: json.nextCursor });
    const filter = { step: 'STOPPED', updatedFrom: '2026-01-01T00:00:00.000Z' };
    expect(asked).toEqual([{ filter, limit: 8, after: { at: updatedOn, id: row.onboardingId } }]);
    expect((await ask({ step: 'FAILED', cursor: json.nextCursor })).statusCode).toBe(400);
  });

  it.each([
    [{ limit: '0' }, 'limit', 'must be a whole number from 1 to 200'],
    [{ limit: '201' }, 'limit', 'must be a whole number from 1 to 200'],
    [{ step: 'Erika' }, 'step', 'must be a step that the reference names'],
    [{ updatedFrom: '2026-01-01' }, 'updatedFrom', expect.stringMatching(/^must be a time such as /)],
    [
      { updatedFrom: '2026-01-02T00:00:00Z', updatedTo: '2026-01-01T00:00:00Z' },
      'updatedFrom',
      'must not be later than updatedTo',
    ],
    [{ stepp: 'STOPPED' }, 'stepp', 'is not a parameter of this route'],
    [{ cursor: 'Erika' }, 'cursor', 'must be the nextCursor of a page of this list with the same filter'],
  ])('returns 400 for %j, names the parameter, and reads nothing', async (query, parameter, detail) => {
    const { statusCode, json, asked } = await ask(query as Readonly<Record<string, string>>);
    expect(statusCode).toBe(400);
    expect(json.errors).toEqual([{ parameter, detail }]);
    expect(asked).toEqual([]);
  });
});
