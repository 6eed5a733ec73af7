import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import * as z from 'zod';

const report = z.tuple([z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })]);

export type PackedRelease = {
  readonly filename: string;
  /** What the tarball holds. */
  readonly files: readonly string[];
};

/** In bytes: 4 MiB. */
const maxSize = 4 * 1_024 * 1_024;

/** Packs a built package into a folder, with the file that `sha256sum --check` reads beside it. @throws when the tarball is too large */
export function packRelease(built: string, folder: string): PackedRelease {
  mkdirSync(folder, { recursive: true });
  const options = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, built];
  const printed = execFileSync('npm', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [{ filename, files }] = report.parse(JSON.parse(printed));
  // npm compresses with the default level.
  const tarball = gzipSync(gunzipSync(readFileSync(join(folder, filename))), { level: constants.Z_BEST_COMPRESSION });
  if (tarball.length > maxSize)
    throw new Error(
      `The tarball has ${tarball.length} bytes, and may have ${maxSize}: leave something out of the package.`,
    );
  writeFileSync(join(folder, filename), tarball);
  const digest = createHash('sha256').update(tarball).digest('hex');
  writeFileSync(join(folder, 'SHA256SUMS'), `${digest}  ${filename}\n`);
  return { filename, files: files.map(({ path }) => path) };
}
