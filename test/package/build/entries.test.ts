import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { packageJson } from '#package/build/entries.ts';
import { readJson, repositoryRoot } from '#package/build/read-json.ts';

const partsOf = (version: string) => version.replace('^', '').split('.').map(Number);

describe('the peers of the package', () => {
  const { peerDependencies } = packageJson();
  const { devDependencies } = z
    .object({ devDependencies: z.record(z.string(), z.string()) })
    .parse(readJson('package.json'));

  it.each(Object.entries(peerDependencies))('may be older than those of the repository: %s %s', (name, range) => {
    const [[major, minor = 0], [ownMajor, ownMinor]] = [partsOf(range), partsOf(devDependencies[name] ?? '')];
    expect(ownMajor).toBe(major);
    expect(ownMinor).toBeGreaterThan(minor);
  });

  it('have the oldest CDK that the page about the construct names', () => {
    const page = readFileSync(join(repositoryRoot, 'docs/how-to/use-the-construct.md'), 'utf8');
    const oldest = (name: string) => peerDependencies[name]?.replace('^', '');
    expect(page).toContain(
      `\`aws-cdk-lib\` ${oldest('aws-cdk-lib')} or newer and \`constructs\` ${oldest('constructs')} or`,
    );
  });
});
