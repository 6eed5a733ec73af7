import { expect, it } from 'vitest';
import { type RequestOrigin, refusalOf } from '#cli/console/server/request-guard.ts';

const port = 4_000;
const origin = 'http://127.0.0.1:4000';
const allowed: RequestOrigin = { method: 'GET', host: '127.0.0.1:4000', origin: undefined, fetchSite: 'same-origin' };

it.each<[string, Partial<RequestOrigin>]>([
  ['a page that is opened by its address', { fetchSite: 'none' }],
  ['a read of the pages', {}],
  [
    'a read of the pages by the other name of this machine',
    { host: 'localhost:4000', origin: 'http://localhost:4000' },
  ],
  ['a write of the pages', { method: 'POST', origin }],
  ['a client that is no browser', { fetchSite: undefined }],
])('allows %s', (_, request) => {
  expect(refusalOf({ ...allowed, ...request }, port)).toBeUndefined();
});

it.each<[string, Partial<RequestOrigin>]>([
  ['a name that was resolved to this machine', { host: 'attacker.example:4000' }],
  ['another port of this machine', { host: '127.0.0.1:4001' }],
  ['a request without a host', { host: undefined }],
  ['a write of another page', { method: 'POST', origin: 'https://attacker.example' }],
  ['a write of a page on another port of this machine', { method: 'POST', origin: 'http://127.0.0.1:4001' }],
  ['a write of the other name of this machine', { method: 'POST', origin: 'http://localhost:4000' }],
  ['a write that does not say where it comes from', { method: 'POST' }],
  ['a read of another page', { fetchSite: 'cross-site' }],
  ['a read of another port of this machine', { fetchSite: 'same-site' }],
])('refuses %s', (_, request) => {
  expect(refusalOf({ ...allowed, ...request }, port)).toBeDefined();
});
