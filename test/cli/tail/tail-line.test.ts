import { describe, expect, it } from 'vitest';
import { mergeLines, type TailLine } from '#cli/tail/tail-line.ts';

const line = (source: TailLine['source'], eventId: string | undefined): TailLine => ({
  source,
  time: '2026-01-02T03:04:05Z',
  type: 'any',
  eventId,
  about: undefined,
  status: undefined,
});
const merge = (webhooks: readonly string[], busEvents: readonly (string | undefined)[]) =>
  mergeLines(
    webhooks.map((id) => line('webhook', id)),
    busEvents.map((id) => line('bus', id)),
  ).map(({ source, eventId }) => `${source} ${eventId ?? 'none'}`);

describe('drawbridge tail: mergeLines', () => {
  it('puts each webhook ahead of its bus events', () => {
    expect(merge(['a', 'b'], ['a', 'a', 'b'])).toEqual(['webhook a', 'bus a', 'bus a', 'webhook b', 'bus b']);
  });

  it('keeps the order of webhooks where their bus events came in another one', () => {
    expect(merge(['a', 'b'], ['b', 'a'])).toEqual(['webhook a', 'webhook b', 'bus b', 'bus a']);
  });

  it('keeps bus events without a webhook, and webhooks without a bus event', () => {
    expect(merge(['a', 'b'], [undefined, 'x'])).toEqual(['bus none', 'bus x', 'webhook a', 'webhook b']);
    expect(merge([], ['x'])).toEqual(['bus x']);
    expect(merge(['a'], [])).toEqual(['webhook a']);
  });
});
