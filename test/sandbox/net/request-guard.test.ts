import { describe, expect, it } from 'vitest';
import { hostRefusalOf } from '#sandbox/net/request-guard.ts';

describe('a server of this machine', () => {
  it.each([
    ['a program', { host: '127.0.0.1:4000' }],
    ['a program by the other name of this machine', { host: 'localhost:4000' }],
    ['a program by IPv6', { host: '[::1]:4000' }],
    ['a program without a host', {}],
    ['its own page', { host: 'localhost:4000', origin: 'http://localhost:4000' }],
  ])('answers %s', (_, headers) => {
    expect(hostRefusalOf(headers)).toBeUndefined();
  });

  it('answers a container at host.docker.internal when it was started with --containers, and only its pages', () => {
    const host = 'host.docker.internal:4000';
    expect(hostRefusalOf({ host }, true)).toBeUndefined();
    expect(hostRefusalOf({ host })).toContain('--containers');
    expect(hostRefusalOf({ host, origin: 'https://attacker.example' }, true)).toBeDefined();
    expect(hostRefusalOf({ host: 'attacker.example:4000' }, true)).toBeDefined();
  });

  it.each([
    ['a page whose name was resolved to this machine', { host: 'attacker.example:4000' }],
    ['a page whose name begins as this machine', { host: '127.0.0.1.attacker.example' }],
    ['a page of the internet', { host: '127.0.0.1:4000', origin: 'https://attacker.example' }],
    ['a page of another port of this machine', { host: '127.0.0.1:4000', origin: 'http://127.0.0.1:4001' }],
    ['a page of the other name of this machine', { host: '127.0.0.1:4000', origin: 'http://localhost:4000' }],
    ['a file, and a page without an origin', { host: '127.0.0.1:4000', origin: 'null' }],
  ])('refuses %s', (_, headers) => {
    expect(hostRefusalOf(headers)).toBeDefined();
  });
});
