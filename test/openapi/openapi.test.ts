import { describe, expect, it } from 'vitest';
import { answerExamples, requestExamples } from '#docs/generate/api/examples.ts';
import { operations } from '#docs/generate/api/operations.ts';
import { routesIn } from '#docs/generate/api/write-api-page.ts';
import { writeOpenApi } from '#docs/generate/api/write-openapi.ts';
import { deployedResources } from '#test/infra/deployed-resources.ts';
import { type LocatedContent, openApiContract } from './openapi-contract.ts';

const waiting = answerExamples.Onboarding['waiting'];
const request = requestExamples.OnboardingRequest['videoCall'];
const contract = openApiContract(JSON.parse(JSON.stringify(writeOpenApi())));

describe('docs/reference/openapi.json', () => {
  it('has each route of the stacks, and no other', () => {
    const expected = routesIn(deployedResources('service')).map(({ key, access }) => [
      key.replace('{random part}', '{randomPart}'),
      access,
    ]);
    const documented = Object.entries(operations).map(([key, { access }]) => [key, access]);
    expect(documented.toSorted()).toEqual(expected.toSorted());
  });

  it('has an example of each request and answer', () => {
    expect(contract.contents.filter(({ type, examples }) => type !== '*/*' && examples.length === 0)).toEqual([]);
  });

  it.each([
    [
      'an answer with a member that it does not list',
      202,
      { ...waiting, colour: 'blue' },
      request,
      'additional properties',
    ],
    ['an answer without a member that is always there', 202, {}, request, "must have required property 'step'"],
    ['a status that it does not list', 200, waiting, request, 'does not list 200'],
    ['an accepted request that it does not allow', 202, waiting, {}, 'a request that the document does not allow'],
  ])('is held against each answer of the tests, and so finds %s', (_, status, body, requestBody, found) => {
    const texts = { requestBody: JSON.stringify(requestBody), body: JSON.stringify(body) };
    const exchange = { method: 'POST', path: '/onboardings', status, contentType: 'application/json', ...texts };
    expect(contract.violation(exchange)).toContain(found);
  });

  it.each(contract.contents.flatMap(toCases))('has the valid example $name of $place', ({ content, value }) => {
    expect(content.misfit(value)).toBeUndefined();
  });
});

function toCases(content: LocatedContent) {
  return content.examples.map(({ name, value }) => ({ name, place: content.place, content, value }));
}
