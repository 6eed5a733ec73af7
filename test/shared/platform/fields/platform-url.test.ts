import { describe, expect, it } from 'vitest';
import { platformUrl } from '#shared/platform/fields/platform-url.ts';

describe('section 5.5: {base_url} and {auth_url} are HTTPS URLs that paths can be put behind', () => {
  it.each([
    'https://api.example',
    'https://api.example:8443',
    'https://api.example/partner/v1',
    'http://localhost',
    'http://localhost:4000/platform',
    'http://127.0.0.1:4000',
  ])('takes %s as it is', (url) => {
    expect(platformUrl.parse(url)).toBe(url);
  });

  it.each([
    ['a slash at the end', 'https://api.example/'],
    ['a slash behind the path', 'https://api.example/v1/'],
    ['two of them', 'https://api.example//'],
    ['a query', 'https://api.example?a=b'],
    ['an empty query', 'https://api.example?'],
    ['a fragment', 'https://api.example#a'],
    ['a user', 'https://user@api.example'],
    ['a password', 'https://user:secret@api.example'],
    ['white space', ' https://api.example'],
    ['a line break', 'https://api.example\n'],
    ['what a parser mends', 'https:\\\\api.example'],
    ['a path that a parser mends', 'https://api.example/a/../b'],
    ['no TLS', 'http://api.example'],
    ['no TLS, at a host that only begins like this machine', 'http://localhost.example'],
    ['no TLS, at a host that the user part hides', 'http://localhost@api.example'],
    ['another protocol', 'ftp://127.0.0.1'],
    ['a file', 'file:///etc/passwd'],
    ['no protocol', 'api.example'],
    ['nothing', ''],
  ])('refuses %s', (_, url) => {
    expect(platformUrl.safeParse(url).success).toBe(false);
  });
});
