import { describe, expect, it } from 'vitest';
import { answerExamples, requestExamples } from '#docs/generate/api/examples.ts';
import { writeOpenApi } from '#docs/generate/api/write-openapi.ts';
import { type Exchange, openApiContract } from './openapi-contract.ts';

const { violation } = openApiContract(JSON.parse(JSON.stringify(writeOpenApi())));
const onboarding = answerExamples.Onboarding['waiting'];

const accepted: Exchange = {
  method: 'POST',
  path: '/onboardings',
  requestBody: JSON.stringify(requestExamples.OnboardingRequest['videoCall']),
  status: 202,
  contentType: 'application/json',
  body: JSON.stringify(onboarding),
};

describe('the contract of the API', () => {
  it('accepts an exchange that the document describes', () => {
    expect(violation(accepted)).toBeUndefined();
  });

  it.each<[string, Partial<Exchange>, string]>([
    ['a status', { status: 200 }, 'requestOnboarding 200 is not documented'],
    ['a content type', { contentType: 'text/html' }, 'the content type text/html'],
    ['a member', { body: JSON.stringify({ ...onboarding, person: {} }) }, '"additionalProperty":"person"'],
    ['a missing member', { body: '{}' }, "must have required property 'step'"],
    ['an accepted request', { requestBody: '{}' }, 'a request that the document does not allow'],
    ['an operation', { method: 'PUT' }, 'has no such operation'],
    ['a body', { method: 'PATCH', path: '/onboardings/a/person' }, 'has a body, which is not documented'],
    [
      'a problem of another operation',
      {
        method: 'GET',
        path: '/onboardings/a',
        status: 404,
        contentType: 'application/problem+json',
        body: '{"type":"urn:drawbridge:problem:event-not-found"}',
      },
      'must be equal to constant',
    ],
  ])('names %s that the document does not describe', (_, change, expected) => {
    expect(violation({ ...accepted, ...change })).toContain(expected);
  });
});
