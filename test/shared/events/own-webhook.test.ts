import { describe, expect, it } from 'vitest';
import { isOurs, originOf } from '#shared/events/webhook-delivery.ts';

const own = {
  webhooksUrl: 'https://ours.example/webhooks',
  formerWebhooksUrls: ['https://former.example/prod/webhooks'],
  secret: { current: 'c'.repeat(32), previous: 'p'.repeat(32) },
};

describe('isOurs', () => {
  it.each([
    ['below the URL', 'https://ours.example/webhooks/A', []],
    ['below the URL, written otherwise', 'HTTPS://OURS.example:443/x/../webhooks/A?a=b', []],
    ['below a former URL', 'https://former.example/prod/webhooks/A', []],
    ['with the current secret', 'https://other.example/A', [{ name: 'X', value: own.secret.current }]],
    ['with the previous secret', 'https://other.example/A', [{ name: 'X', value: own.secret.previous }]],
  ])('recognizes a webhook %s', (_, url, headers) => {
    expect(isOurs(own, { url, headers })).toBe(true);
  });

  it.each([
    ['at another host', 'https://other.example/webhooks/A', undefined],
    ['at a host that our host is the user of', 'https://ours.example@other.example/webhooks/A', undefined],
    ['without TLS', 'http://ours.example/webhooks/A', undefined],
    ['at the URL itself', 'https://ours.example/webhooks', undefined],
    ['at a host that begins like ours', 'https://ours.example.evil.example/webhooks/A', undefined],
    ['at a path that begins like ours', 'https://ours.example/webhooks-2/A', undefined],
    ['at another port', 'https://ours.example:8443/webhooks/A', undefined],
    ['at another stage of a former host', 'https://former.example/test/webhooks/A', undefined],
    ['without a URL', 'no URL', undefined],
    ['with another secret', 'https://other.example/A', [{ name: 'X-Drawbridge-Secret', value: 'theirs' }]],
  ])('does not recognize a webhook %s', (_, url, headers) => {
    expect(isOurs(own, { url, headers })).toBe(false);
  });

  it('does not take a header without a value for a secret that there is not', () => {
    const { secret, ...urls } = own;
    const noPrevious = { ...urls, secret: { current: secret.current } };
    expect(isOurs(noPrevious, { url: 'https://other.example', headers: [{ name: 'X', value: '' }] })).toBe(false);
  });
});

describe('originOf', () => {
  it('gives scheme and host, and nothing that may be a secret', () => {
    expect(originOf('https://user:word@crm.example:8443/path?key=secret#part')).toBe('https://crm.example:8443');
  });
});
