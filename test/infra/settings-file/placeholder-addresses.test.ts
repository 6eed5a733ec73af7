import { describe, expect, it } from 'vitest';
import { findPlaceholders } from '#infra/settings-file/placeholder-addresses.ts';

describe('findPlaceholders', () => {
  it.each([
    'https://api.platform.example',
    'https://api.platform.test/v1',
    'https://platform.invalid',
    'https://api.example.com',
    'https://example',
    'https://PLATFORM.EXAMPLE.',
    'http://localhost:4010',
    'http://127.0.0.1:4010',
    'http://[::1]:4010',
    'oncall@example.com',
    'webhooks.platform.example',
  ])('finds the placeholder %s', (baseUrl) => {
    expect(findPlaceholders({ platform: { baseUrl } })).toMatchObject([{ path: ['platform', 'baseUrl'] }]);
  });

  it.each([
    'https://api.platform.com',
    'https://example.platform.com',
    'https://myexample.com',
    'oncall@platform.com',
    'X-Example',
    'example',
  ])('accepts %s, which is no placeholder', (baseUrl) => {
    expect(findPlaceholders({ platform: { baseUrl } })).toEqual([]);
  });

  it('finds each address, in lists too', () => {
    const found = findPlaceholders({
      webhooksUrl: 'https://a.test',
      formerWebhooksUrls: ['https://b.com', 'https://c.test'],
    });
    expect(found.map(({ path }) => path)).toEqual([['webhooksUrl'], ['formerWebhooksUrls', 1]]);
  });
});
