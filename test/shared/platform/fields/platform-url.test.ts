import { describe, expect, it } from 'vitest';
import { platformUrl } from '#shared/platform/fields/fields.ts';

describe('section 5.5: {base_url} and {auth_url} are HTTPS URLs that paths can be put behind', () => {
  it.each([
    'https://api.example',
    'https://api.example:8443',
    'https://api.example/partner/v1',
    'http://localhost',
    'http://localhost:4000/platform',
    'http://127.0.0.1:4000',
  ])('accepts the URL %s unchanged', (url) => {
    expect(platformUrl.parse(url)).toBe(url);
  });

  it.each([
    ['a slash at the end', 'https://api.example/'],
    ['a slash behind the path', 'https://api.example/v1/'],
    ['two slashes at the end', 'https://api.example//'],
    ['a query', 'https://api.example?a=b'],
    ['an empty query', 'https://api.example?'],
    ['a fragment', 'https://api.example#a'],
    ['a user', 'https://user@api.example'],
    ['a password', 'https://user:secret@api.example'],
    ['white space', ' https://api.example'],
    ['a line break', 'https://api.example\n'],
    ['backslashes, which a parser replaces', 'https:\\\\api.example'],
    ['a path that a parser rewrites', 'https://api.example/a/../b'],
    ['no TLS', 'http://api.example'],
    ['no TLS, at a host that only begins like this machine', 'http://localhost.example'],
    ['no TLS, at a host that the user part hides', 'http://localhost@api.example'],
    ['another protocol', 'ftp://127.0.0.1'],
    ['a file', 'file:///etc/passwd'],
    ['no protocol', 'api.example'],
    ['no characters', ''],
  ])('refuses a URL with %s', (_, url) => {
    expect(platformUrl.safeParse(url).success).toBe(false);
  });
});
