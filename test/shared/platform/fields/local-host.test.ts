import { describe, expect, it } from 'vitest';
import { isLocal } from '#shared/platform/fields/local-host.ts';

describe('design, the laptop: what runs on this machine is told by its URL', () => {
  it.each([
    'http://localhost',
    'http://127.0.0.1:8080/x',
    'https://localhost:1',
    'http://[::1]:1/',
    'HTTP://LOCALHOST',
  ])('%s does', (url) => {
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
  ])('%s does not', (url) => {
    expect(isLocal(url)).toBe(false);
  });
});
