import { expect, it } from 'vitest';
import { crossSiteRefusalOf, type RequestOrigin } from '#cli/console/server/cross-site-guard.ts';

const origin = 'http://127.0.0.1:4000';
const allowed: RequestOrigin = { method: 'GET', origin: undefined, fetchSite: 'same-origin' };

it.each<[string, Partial<RequestOrigin>]>([
  ['a page that is opened by its address', { fetchSite: 'none' }],
  ['a read of the pages', {}],
  ['a write of the pages', { method: 'POST', origin }],
  ['a client that is no browser', { fetchSite: undefined }],
])('allows %s', (_, request) => {
  expect(crossSiteRefusalOf({ ...allowed, ...request })).toBeUndefined();
});

it.each<[string, Partial<RequestOrigin>]>([
  ['a write that does not say where it comes from', { method: 'POST' }],
  ['a read of another page', { fetchSite: 'cross-site' }],
  ['a read of another port of this machine', { fetchSite: 'same-site' }],
])('refuses %s', (_, request) => {
  expect(crossSiteRefusalOf({ ...allowed, ...request })).toBeDefined();
});
