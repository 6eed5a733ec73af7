import { describe, expect, it } from 'vitest';
import { matchesPattern, readEventPattern } from '#sandbox/aws/services/event-pattern.ts';
import { HostingError } from '#sandbox/aws/stacks/hosting-error.ts';

const event = {
  source: 'drawbridge',
  'detail-type': 'EntityChanged',
  resources: ['arn:order/7', 'arn:person/8'],
  detail: {
    status: 'FILLED',
    version: 3,
    final: true,
    reason: null,
    order: { side: 'BUY', tags: ['a', 'b'] },
    empty: [],
  },
};

const matches = (pattern: unknown) => matchesPattern(readEventPattern(pattern, 'stack/Rule'), event);

describe('sandbox aws: a field of an event pattern', () => {
  it.each([
    ['a word of its list', { source: ['other', 'drawbridge'] }, true],
    ['no word of its list', { source: ['other'] }, false],
    ['a number', { detail: { version: [3] } }, true],
    ['a number written as text', { detail: { version: ['3'] } }, false],
    ['a boolean', { detail: { final: [true] } }, true],
    ['null', { detail: { reason: [null] } }, true],
    ['null where there is nothing', { detail: { nothing: [null] } }, false],
    ['a word in other letters', { source: ['Drawbridge'] }, false],
  ])('compares %s: %j → %s', (_, pattern, expected) => {
    expect(matches(pattern)).toBe(expected);
  });
});

describe('sandbox aws: several fields of an event pattern', () => {
  it('must all match the event', () => {
    expect(matches({ source: ['drawbridge'], 'detail-type': ['EntityChanged'] })).toBe(true);
    expect(matches({ source: ['drawbridge'], 'detail-type': ['Other'] })).toBe(false);
  });

  it('may be nested in objects', () => {
    expect(matches({ detail: { order: { side: ['BUY'] } } })).toBe(true);
    expect(matches({ detail: { order: { side: ['SELL'] } } })).toBe(false);
    expect(matches({ detail: { person: { name: ['A'] } } })).toBe(false);
  });
});

describe('sandbox aws: a list in an event', () => {
  it('matches a field when one of its items matches', () => {
    expect(matches({ resources: ['arn:person/8'] })).toBe(true);
    expect(matches({ resources: [{ prefix: 'arn:order/' }] })).toBe(true);
    expect(matches({ detail: { order: { tags: ['c'] } } })).toBe(false);
  });

  it('matches nested fields when one of its objects matches', () => {
    const pattern = readEventPattern({ detail: { legs: { side: ['BUY'], asset: ['B'] } } }, 'stack/Rule');
    const legs = [
      { side: 'BUY', asset: 'A' },
      { side: 'SELL', asset: 'B' },
    ];
    expect(matchesPattern(pattern, { detail: { legs } })).toBe(false);
    expect(matchesPattern(pattern, { detail: { legs: [...legs, { side: 'BUY', asset: 'B' }] } })).toBe(true);
  });
});

describe('sandbox aws: the filters prefix and suffix', () => {
  it.each([
    [{ source: [{ prefix: 'draw' }] }, true],
    [{ source: [{ prefix: 'bridge' }] }, false],
    [{ source: [{ suffix: 'bridge' }] }, true],
    [{ source: [{ suffix: 'draw' }] }, false],
    [{ detail: { version: [{ prefix: '3' }] } }, false],
  ])('compare the ends of a text: %j → %s', (pattern, expected) => {
    expect(matches(pattern)).toBe(expected);
  });
});

describe('sandbox aws: the filter exists', () => {
  it.each([
    [{ detail: { status: [{ exists: true }] } }, true],
    [{ detail: { reason: [{ exists: true }] } }, true],
    [{ detail: { nothing: [{ exists: true }] } }, false],
    [{ detail: { nothing: [{ exists: false }] } }, true],
    [{ detail: { status: [{ exists: false }] } }, false],
    [{ detail: { person: { name: [{ exists: false }] } } }, true],
  ])('tests for the presence of a field: %j → %s', (pattern, expected) => {
    expect(matches(pattern)).toBe(expected);
  });
});

describe('sandbox aws: the filter anything-but', () => {
  it.each([
    [{ detail: { status: [{ 'anything-but': 'REJECTED' }] } }, true],
    [{ detail: { status: [{ 'anything-but': 'FILLED' }] } }, false],
    [{ detail: { status: [{ 'anything-but': ['FILLED', 'REJECTED'] }] } }, false],
    [{ detail: { version: [{ 'anything-but': [1, 2] }] } }, true],
    [{ detail: { nothing: [{ 'anything-but': 'A' }] } }, false],
  ])('matches any other present value: %j → %s', (pattern, expected) => {
    expect(matches(pattern)).toBe(expected);
  });
});

describe('sandbox aws: several filters of one field', () => {
  it('are alternatives of each other', () => {
    expect(matches({ detail: { status: ['REJECTED', { prefix: 'FILL' }] } })).toBe(true);
  });
});

describe('sandbox aws: an unsupported event pattern', () => {
  it.each([
    ['numbers', { detail: { version: [{ numeric: ['>', 1] }] } }],
    ['words in any letters', { source: [{ 'equals-ignore-case': 'DRAWBRIDGE' }] }],
    ['wildcards', { source: [{ wildcard: 'draw*' }] }],
    ['addresses', { detail: { ip: [{ cidr: '10.0.0.0/8' }] } }],
    ['a prefix to be excluded', { source: [{ 'anything-but': { prefix: 'draw' } }] }],
    ['a value without a list', { source: 'drawbridge' }],
    ['two filters in one object', { source: [{ prefix: 'd', suffix: 'e' }] }],
    ['alternatives of fields', { $or: [{ source: ['a'] }, { source: ['b'] }] }],
    ['a list of nothing', { source: [] }],
  ])('is rejected by its name and that of its rule: %s', (_, pattern) => {
    expect(() => matches(pattern)).toThrow(HostingError);
    expect(() => matches(pattern)).toThrow('stack/Rule');
    expect(() => matches(pattern)).toThrow(JSON.stringify(pattern));
  });
});
