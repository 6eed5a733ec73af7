import { expect, it } from 'vitest';
import { apiErrorOf } from '#cli/deployment/api-client.ts';
import { readReports } from '#cli/onboardings/read-history.ts';

const person = { kind: 'natural-person', id: '0190a6f0-1234-7abc-8def-0123456789ab' } as const;
const apiThatRefuses = (status: number) => ({
  send: async () => {
    throw apiErrorOf(status, {}, '/entities/natural-person/x/timeline');
  },
});

it('has no report before the first webhook about a person, so that the steps of an onboarding are shown', async () => {
  expect(await readReports({ api: apiThatRefuses(404) }, person)).toEqual([]);
});

it('fails when the reports cannot be read', async () => {
  await expect(readReports({ api: apiThatRefuses(500) }, person)).rejects.toThrow('500');
});
