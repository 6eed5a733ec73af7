import { describe, expect, it } from 'vitest';
import { operations } from '#docs/generate/api/operations.ts';
import { writeOpenApi } from '#docs/generate/api/write-openapi.ts';
import { deployedResources } from '#test/infra/readable-stack.ts';
import { routesIn } from '#tools/stacks/routes.ts';
import { type LocatedContent, openApiContract } from './openapi-contract.ts';

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

  it.each(contract.contents.flatMap(toCases))('has the valid example $name of $place', ({ content, value }) => {
    expect(content.misfit(value)).toBeUndefined();
  });
});

function toCases(content: LocatedContent) {
  return content.examples.map(({ name, value }) => ({ name, place: content.place, content, value }));
}
