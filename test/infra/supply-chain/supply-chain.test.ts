import { describe, expect, it } from 'vitest';
import { readAudit } from '#infra/supply-chain/audit.ts';
import { withHashes } from '#infra/supply-chain/bill-of-materials.ts';
import { countLicences, licenceProblems } from '#infra/supply-chain/licences.ts';
import { lockFileProblems, packagesOf, parseLockFile, readLockFile } from '#infra/supply-chain/lock-file.ts';

const integrity = `sha512-${'A'.repeat(86)}==`;
const lockOf = (packages: Readonly<Record<string, object>>, lockfileVersion = 3) =>
  parseLockFile(JSON.stringify({ lockfileVersion, packages: { '': { name: 'app' }, ...packages } }));

describe('package-lock.json', () => {
  it('has a SHA-512 digest for each package, and no address', () => {
    expect(lockFileProblems(readLockFile())).toEqual([]);
  });

  it('has packages with allowed licences only', () => {
    expect(licenceProblems(packagesOf(readLockFile()))).toEqual([]);
  });
});

describe('lockFileProblems', () => {
  it.each([
    ['without a digest', { version: '1.0.0' }, 'has no SHA-512 digest'],
    ['with a weak digest', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'has no SHA-512 digest'],
    ['from an address', { integrity, resolved: 'https://packages.example/one.tgz' }, 'names an address'],
    ['from a folder', { link: true }, 'is a link'],
  ])('reports a package %s', (_, locked, problem) => {
    expect(lockFileProblems(lockOf({ 'node_modules/one': locked }))).toEqual([expect.stringContaining(problem)]);
  });

  it('accepts a package in the archive of another one, whose digest holds for both', () => {
    expect(lockFileProblems(lockOf({ 'node_modules/one/node_modules/two': { inBundle: true } }))).toEqual([]);
  });

  it('reports a lock file of an older form', () => {
    expect(lockFileProblems(lockOf({}, 2))).toHaveLength(1);
  });
});

describe('licenceProblems', () => {
  const one = { path: 'node_modules/one', name: 'one', version: '1.0.0', isDev: false };

  it('refuses for what is deployed a licence that development may have', () => {
    expect(licenceProblems([{ ...one, licence: 'MPL-2.0' }])).toHaveLength(1);
    expect(licenceProblems([{ ...one, licence: 'MPL-2.0', isDev: true }])).toEqual([]);
  });

  it('refuses a package without a licence', () => {
    expect(licenceProblems([{ ...one, licence: undefined, isDev: true }])).toHaveLength(1);
  });

  it('counts licences, the most frequent first', () => {
    const packages = ['MIT', 'ISC', 'MIT'].map((licence) => ({ ...one, licence }));
    expect(countLicences(packages)).toEqual([
      ['MIT', 2],
      ['ISC', 1],
    ]);
  });
});

describe('withHashes', () => {
  it('adds to each package of a bill of materials its digest in the lock file', () => {
    const properties = [{ name: 'cdx:npm:package:path', value: 'node_modules/one' }];
    const components = [{ name: 'one', version: '1.0.0', properties }];
    const bill = withHashes(
      { bomFormat: 'CycloneDX', specVersion: '1.6', components },
      lockOf({ 'node_modules/one': { integrity } }),
    );
    expect(bill.components[0]).toMatchObject({ hashes: [{ alg: 'SHA-512', content: '0'.repeat(128) }] });
  });
});

describe('readAudit', () => {
  it('reads how many known vulnerabilities there are, and in which packages', () => {
    const printed = { vulnerabilities: { one: {} }, metadata: { vulnerabilities: { total: 1 } } };
    expect(readAudit(JSON.stringify(printed))).toEqual({ vulnerabilities: 1, names: ['one'] });
  });

  it.each([
    ['an error', '{"message":"405 Method Not Allowed","error":{"summary":""}}', '405 Method Not Allowed'],
    ['no JSON', 'npm error', 'npm audit printed no report.'],
  ])('takes %s for no answer', (_, printed, unanswered) => {
    expect(readAudit(printed)).toEqual({ unanswered });
  });
});
