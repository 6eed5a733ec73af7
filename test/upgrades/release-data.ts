import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import * as z from 'zod';
import { bundleOptions, repositoryRoot } from '#infra/bundles/bundle.ts';
import { compareVersions } from '#shared/version.ts';
import { isReleaseVersion } from '#tools/release/release-version.ts';
import type { StoredDatum } from './recorded-data.ts';
import { fromJson, toJson } from './stored-json.ts';
import { storedReaders } from './stored-readers.ts';

const releasesDirectory = join(repositoryRoot, 'tools/release/kept');
const dataFile = (version: string) => join(releasesDirectory, version, 'stored-data.json');
const readersFile = (version: string) => join(releasesDirectory, version, 'stored-readers.cjs');

const releaseDatum = z.object({ kind: z.string(), shape: z.string(), stored: z.unknown(), read: z.unknown() });
const releaseData = z.array(releaseDatum);

/** Something that a release stored, and what the release itself reads of it: JSON, with bytes as `stored-json.ts` has them. */
export type ReleaseDatum = z.infer<typeof releaseDatum>;

type Stored = Pick<ReleaseDatum, 'kind' | 'stored'>;

/** Gives what a function takes of something that is stored. @throws when it cannot read it */
export type ReadStored = (datum: Stored) => Promise<object>;

const whatIsRead = z.looseObject({});

const readers = z.record(z.string(), z.function({ input: [z.unknown()], output: z.unknown() }));

function readWith(exported: unknown): ReadStored {
  const byKind = readers.parse(exported);
  return async ({ kind, stored }) => {
    const read = byKind[kind];
    if (read === undefined) throw new Error(`This release stores no ${kind}: it came later.`);
    return whatIsRead.parse(JSON.parse(toJson(await read(fromJson(JSON.stringify(stored))))));
  };
}

/** Reads as the code of today. */
export const readToday = readWith(storedReaders);

export type ReleaseData = {
  /** A semantic version, without a `v`. */
  readonly version: string;
  readonly data: readonly ReleaseDatum[];
  /** Reads as this release, with its own code. */
  readonly read: ReadStored;
};

/** What each release stored, and how it reads. The oldest release is first. */
export function readReleaseData(): readonly ReleaseData[] {
  const require = createRequire(import.meta.url);
  return readdirSync(releasesDirectory)
    .filter((version) => isReleaseVersion(version) && existsSync(dataFile(version)))
    .toSorted(compareVersions)
    .map((version) => ({
      version,
      data: releaseData.parse(JSON.parse(readFileSync(dataFile(version), 'utf8'))),
      read: readWith(require(readersFile(version)).storedReaders),
    }));
}

/** Keeps what this release stores, with how it reads it, for all later releases to be compared with. */
export async function writeReleaseData(version: string, recorded: readonly StoredDatum[]): Promise<void> {
  const data: ReleaseDatum[] = [];
  for (const { kind, shape, stored } of recorded) {
    const datum = { kind, shape, stored: JSON.parse(stored) };
    data.push({ ...datum, read: await readToday(datum) });
  }
  mkdirSync(join(releasesDirectory, version), { recursive: true });
  writeFileSync(dataFile(version), `${JSON.stringify(data, undefined, 1)}\n`);
  buildSync({
    ...bundleOptions,
    metafile: false,
    entryPoints: ['test/upgrades/stored-readers.ts'],
    external: ['@aws-sdk/*', '@smithy/*'],
    outfile: readersFile(version),
  });
}
