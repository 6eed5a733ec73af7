import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pointerTo, problem } from '#shared/lambda/http-api.ts';
import * as problemTypes from '#shared/lambda/problem-types.ts';

const bodyOf = ({ body = '' }: { readonly body?: string | undefined }) => JSON.parse(body);

describe('a problem (RFC 9457)', () => {
  it('has the members of its type and says what is wrong this time', () => {
    const { body, ...answer } = problem(problemTypes.eventNotFound, 'No "event".');
    expect(answer).toEqual({ statusCode: 404, headers: { 'content-type': 'application/problem+json' } });
    expect(bodyOf({ body })).toEqual({
      type: 'urn:drawbridge:problem:event-not-found',
      title: 'Event not found',
      status: 404,
      detail: 'No "event".',
      remedy: problemTypes.eventNotFound.remedy,
    });
  });

  it('names each invalid part of the request, a remedy of its own, and extensions', () => {
    const errors = [{ pointer: '#/person', detail: 'must be an object' }];
    const options = { errors, remedy: 'Ask.', extensions: { step: 'FAILED', absent: undefined } };
    expect(bodyOf(problem(problemTypes.onboardingConflict, 'Other data.', options))).toEqual({
      type: 'urn:drawbridge:problem:onboarding-conflict',
      title: problemTypes.onboardingConflict.title,
      status: 409,
      detail: 'Other data.',
      errors,
      remedy: 'Ask.',
      step: 'FAILED',
    });
  });

  it.each(Object.values(problemTypes).filter((type) => 'retryAfter' in type))(
    'says in Retry-After when to send the request again: $slug',
    (type) => {
      expect(problem(type, 'Not now.').headers).toEqual({
        'content-type': 'application/problem+json',
        'retry-after': String(type.retryAfter),
      });
    },
  );
});

describe('a problem type', () => {
  const types: readonly problemTypes.ProblemType[] = Object.values(problemTypes);

  it('has a slug, which names its export', () => {
    const camelCase = (slug: string) => slug.replaceAll(/-(\w)/g, (_, first: string) => first.toUpperCase());
    expect(types.map(({ slug }) => camelCase(slug)).toSorted()).toEqual(Object.keys(problemTypes).toSorted());
  });

  it('asks for a later attempt with 503', () => {
    expect(types.filter(({ status, retryAfter }) => status === 503 && retryAfter === undefined)).toEqual([]);
  });
});

describe('pointerTo', () => {
  it.each([
    [[], '#'],
    [['person', 'taxDetails', '0', 'taxId'], '#/person/taxDetails/0/taxId'],
    [['a/b', 'm~n', 'c%d', 'ä b', '#'], '#/a~1b/m~0n/c%25d/%C3%A4%20b/%23'],
  ])('writes %j as %s', (path, pointer) => {
    expect(pointerTo(path)).toBe(pointer);
  });

  it('writes a fragment that leads back to the path', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (path) => {
        const { hash } = new URL(pointerTo(path), 'https://body.example/');
        const parts = decodeURIComponent(hash.slice(1)).split('/').slice(1);
        expect(parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))).toEqual(path);
      }),
    );
  });
});
