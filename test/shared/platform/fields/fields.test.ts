import { describe, expect, it } from 'vitest';
import * as fields from '#shared/platform/fields/fields.ts';

type Field = { readonly safeParse: (value: unknown) => { readonly success: boolean } };

const long = 'x'.repeat(256);
const cases: readonly (readonly [string, Field, readonly unknown[], readonly unknown[]])[] = [
  [
    'section 2: identifiers are UUIDs',
    fields.uuid,
    [
      '6ba7b810-9dad-41d1-80b4-00c04fd430c8',
      '00000000-0000-0000-0000-000000000000',
      'AAAAAAAA-AAAA-AAAA-AAAA-AAAAAAAAAAAA',
    ],
    ['', 'x', '6ba7b8109dad41d180b400c04fd430c8', '6ba7b810-9dad-41d1-80b4-00c04fd430c8\n', 1, null],
  ],
  [
    'section 2: dates are ISO 8601 calendar dates',
    fields.date,
    ['2026-11-21', '2024-02-29', '2000-02-29', '1900-01-01'],
    [
      '',
      '2026-02-29',
      '1900-02-29',
      '2026-13-01',
      '2026-1-1',
      '21.11.2026',
      '2026-11-21T00:00:00Z',
      '2026-11-31',
      20261121,
    ],
  ],
  [
    'section 2.4, firstName: ^\\S+( \\S+)*$',
    fields.firstName({ maxTextLength: 255 }),
    ['Erika', 'Erika Maria', 'Anne-Marie Ña 李'],
    ['', ' ', ' Erika', 'Erika ', 'Erika  Maria', 'Erika\tMaria', 'Erika\nMaria', 'Erika\n', long, 1, null],
  ],
  ['section 2.4: names have 1 to 255 characters', fields.words(), ['x', 'x'.repeat(255)], ['', long, 7, null, {}]],
  [
    'section 2.6: enums are words in capitals',
    fields.enumWord,
    ['MALE', 'NON_EMPLOYED_LABOR', 'A1'],
    ['', 'male', 'Male', 'MALE ', '_MALE', '1A', 'MALE\n', null],
  ],
  ['section 2.4: amounts are numbers', fields.amount, [0, 1.5, 1e9], ['1', Number.NaN, Number.POSITIVE_INFINITY, null]],
  ['section 2.4: flags are booleans', fields.flag, [true, false], ['true', 0, 1, null]],
  ['section 8: a limit is a whole number', fields.pageLimit, [1, 20, 1000], [0, -1, 1.5, '20', Number.NaN, null]],
  [
    'section 2.1: a url is HTTPS',
    fields.httpsUrl,
    ['https://a.example', 'HTTPS://a.example:8443/b?c=%20#d', 'https://localhost'],
    [
      'http://a',
      'https:a.example',
      'https:/a',
      'https://',
      ' https://a',
      'https://a b',
      'https://a/\r\nb',
      'https://ä',
      1,
    ],
  ],
  [
    'section 2.1, on a laptop: a url is HTTPS, or plain HTTP to this machine',
    fields.httpsOrLocalUrl,
    [
      'https://a.example',
      'http://localhost',
      'http://127.0.0.1:8080/webhooks/A',
      'http://[::1]:8080',
      'HTTP://LOCALHOST/x',
    ],
    [
      'http://a.example',
      'http://127.0.0.2',
      'http://localhost.a.example',
      'http://127.0.0.1@a.example',
      'http://a.example/localhost',
      'http:localhost',
      'http:/localhost',
      'http://localhost/a b',
      ' http://localhost',
      'ftp://localhost',
      'localhost',
      1,
    ],
  ],
  [
    'section 4: an id in a path',
    fields.pathSegment,
    ['1', 'a/b', '../x', '...', 'ä'],
    ['', '.', '..', '\ud800', long, 1],
  ],
];

describe.each(cases)('%s', (_, field, good, bad) => {
  it.each(good)('accepts %j as a value', (value) => {
    expect(field.safeParse(value).success).toBe(true);
  });

  it.each(bad)('refuses %j as a value', (value) => {
    expect(field.safeParse(value).success).toBe(false);
  });
});

describe('a URL of any protocol', () => {
  it.each([
    ['https://localhost:1', true],
    ['https://a.example', false],
    ['localhost', false],
  ])('says whether %s leads to this machine: %s', (url, expected) => {
    expect(fields.isLocal(url)).toBe(expected);
  });
});

describe('the pattern of names', () => {
  it.each(['a '.repeat(100_000), `${'a'.repeat(200_000)}  `, ' '.repeat(200_000)])(
    'refuses a hostile firstName in linear time',
    (text) => {
      expect(fields.firstName({}).safeParse(text).success).toBe(false);
    },
  );
});
