import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { cachedEnvironment } from '#test/end-to-end/cached-environment.ts';

const line = z.object({ price: z.string(), quantity: z.number(), usd: z.number() });
const printed = z.object({
  region: z.string(),
  columns: z.array(z.object({ webhooks: z.number(), lines: z.array(line) })),
});

const run = (...options: readonly string[]) =>
  promisify(execFile)(process.execPath, ['cli/main.ts', 'cost', ...options], {
    cwd: repositoryRoot,
    env: cachedEnvironment(),
  });

it('drawbridge cost prices the given volume and the given entities in the given region', async () => {
  const options = ['--webhooks', '2000000', '--entities', '100000', '--region', 'us-east-1', '--json'];
  const { stdout } = await run(...options);
  const { region, columns } = printed.parse(JSON.parse(stdout));
  expect({ region, webhooks: columns.map(({ webhooks }) => webhooks) }).toEqual({
    region: 'us-east-1',
    webhooks: [2_000_000],
  });
  expect(columns[0]?.lines).toContainEqual({ price: 'httpRequest', quantity: 2_000_000, usd: 2 });
  // The entities of a year of these webhooks are 80 times as many.
  const reads = columns[0]?.lines.find(({ price }) => price === 'entityRead')?.quantity ?? 0;
  expect(reads).toBeGreaterThan(0);
  expect(reads).toBeLessThan(10_000_000);
}, 60_000);

it('drawbridge cost refuses a volume that is no whole number', async () => {
  await expect(run('--webhooks', 'many')).rejects.toMatchObject({ stderr: expect.stringContaining('--webhooks') });
});
