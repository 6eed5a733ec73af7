import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

const report = z.tuple([z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) })]);

export type PackedRelease = {
  readonly filename: string;
  /** What the tarball holds. */
  readonly files: readonly string[];
};

/** Packs a built package into a folder, with the file that `sha256sum --check` reads beside it. */
export function packRelease(built: string, folder: string): PackedRelease {
  mkdirSync(folder, { recursive: true });
  const options = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, built];
  const printed = execFileSync('npm', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const [{ filename, files }] = report.parse(JSON.parse(printed));
  const digest = createHash('sha256')
    .update(readFileSync(join(folder, filename)))
    .digest('hex');
  writeFileSync(join(folder, 'SHA256SUMS'), `${digest}  ${filename}\n`);
  return { filename, files: files.map(({ path }) => path) };
}
