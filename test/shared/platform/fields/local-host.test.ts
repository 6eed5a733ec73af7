import { describe, expect, it } from 'vitest';
import { isLocal } from '#shared/platform/fields/fields.ts';

describe('the URL of a service on this machine', () => {
  it.each([
    'http://localhost',
    'http://127.0.0.1:8080/x',
    'https://localhost:1',
    'http://[::1]:1/',
    'HTTP://LOCALHOST',
  ])('recognizes %s as this machine', (url) => {
    expect(isLocal(url)).toBe(true);
  });

  it.each([
    'https://platform.example',
    'http://localhost.example',
    'http://127.0.0.2',
    'http://127.0.0.1@platform.example',
    'http://platform.example/localhost',
    'localhost',
    '',
  ])('recognizes %s as another machine', (url) => {
    expect(isLocal(url)).toBe(false);
  });
});
