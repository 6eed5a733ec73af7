import { describe, expect, it } from 'vitest';
import { matchesPattern, readEventPattern } from '#sandbox/aws/services/event-pattern.ts';

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
    legs: [
      { side: 'BUY', asset: 'A' },
      { side: 'SELL', asset: 'B' },
    ],
  },
};

const matches = (pattern: unknown) => matchesPattern(readEventPattern(pattern, 'stack/Rule'), event);

describe('sandbox aws: an event pattern', () => {
  it.each([
    ['a word of its list', { source: ['other', 'drawbridge'] }],
    ['a number', { detail: { version: [3] } }],
    ['a boolean', { detail: { final: [true] } }],
    ['null', { detail: { reason: [null] } }],
    ['every field', { source: ['drawbridge'], 'detail-type': ['EntityChanged'] }],
    ['a nested field', { detail: { order: { side: ['BUY'] } } }],
    ['one item of a list', { resources: ['arn:person/8'] }],
    ['the prefix of one item of a list', { resources: [{ prefix: 'arn:order/' }] }],
    ['nested fields of one object in a list', { detail: { legs: { side: ['SELL'], asset: ['B'] } } }],
    ['a prefix', { source: [{ prefix: 'draw' }] }],
    ['a suffix', { source: [{ suffix: 'bridge' }] }],
    ['a field that exists', { detail: { status: [{ exists: true }] } }],
    ['a field that exists and is null', { detail: { reason: [{ exists: true }] } }],
    ['a field that does not exist', { detail: { nothing: [{ exists: false }] } }],
    ['a field of an object that does not exist', { detail: { person: { name: [{ exists: false }] } } }],
    ['anything but a word', { detail: { status: [{ 'anything-but': 'REJECTED' }] } }],
    ['anything but some numbers', { detail: { version: [{ 'anything-but': [1, 2] }] } }],
    ['one of several filters of a field', { detail: { status: ['REJECTED', { prefix: 'FILL' }] } }],
  ])('matches %s: %j', (_, pattern) => {
    expect(matches(pattern)).toBe(true);
  });

  it.each([
    ['another word', { source: ['other'] }],
    ['the word in other letters', { source: ['Drawbridge'] }],
    ['a number written as text', { detail: { version: ['3'] } }],
    ['null where there is nothing', { detail: { nothing: [null] } }],
    ['one field of two', { source: ['drawbridge'], 'detail-type': ['Other'] }],
    ['another nested word', { detail: { order: { side: ['SELL'] } } }],
    ['an object that does not exist', { detail: { person: { name: ['A'] } } }],
    ['no item of a list', { detail: { order: { tags: ['c'] } } }],
    ['nested fields of two objects in a list', { detail: { legs: { side: ['BUY'], asset: ['B'] } } }],
    ['a prefix elsewhere', { source: [{ prefix: 'bridge' }] }],
    ['a suffix elsewhere', { source: [{ suffix: 'draw' }] }],
    ['the prefix of a number', { detail: { version: [{ prefix: '3' }] } }],
    ['a missing field that must exist', { detail: { nothing: [{ exists: true }] } }],
    ['a field that must not exist', { detail: { status: [{ exists: false }] } }],
    ['the word that is excluded', { detail: { status: [{ 'anything-but': 'FILLED' }] } }],
    ['one of the words that are excluded', { detail: { status: [{ 'anything-but': ['FILLED', 'REJECTED'] }] } }],
    ['anything but a word where there is nothing', { detail: { nothing: [{ 'anything-but': 'A' }] } }],
  ])('does not match %s: %j', (_, pattern) => {
    expect(matches(pattern)).toBe(false);
  });

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
  ])('is refused by its text and its rule where it asks for %s', (_, pattern) => {
    expect(() => matches(pattern)).toThrow(expect.objectContaining({ code: 'NOT_HOSTED' }));
    expect(() => matches(pattern)).toThrow('stack/Rule');
    expect(() => matches(pattern)).toThrow(JSON.stringify(pattern));
  });
});
