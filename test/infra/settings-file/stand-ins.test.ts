import { describe, expect, it } from 'vitest';
import { findPlaceholders } from '#infra/settings-file/stand-ins.ts';

describe('findPlaceholders', () => {
  it.each([
    'https://api.platform.example',
    'https://api.example.com',
    'http://localhost:4010',
    'http://[::1]:4010',
    'oncall@example.com',
  ])('finds the placeholder %s', (baseUrl) => {
    expect(findPlaceholders({ platform: { baseUrl } })).toMatchObject([{ path: ['platform', 'baseUrl'] }]);
  });

  it.each(['https://example.platform.com', 'https://myexample.com', 'example'])(
    'accepts %s, which is no placeholder',
    (baseUrl) => {
      expect(findPlaceholders({ platform: { baseUrl } })).toEqual([]);
    },
  );

  it('finds each address, in lists too', () => {
    const found = findPlaceholders({
      webhooksUrl: 'https://a.test',
      formerWebhooksUrls: ['https://b.com', 'https://c.test'],
    });
    expect(found.map(({ path }) => path)).toEqual([['webhooksUrl'], ['formerWebhooksUrls', 1]]);
  });
});
