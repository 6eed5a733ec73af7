import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { cachedEnvironment } from '#test/end-to-end/cached-environment.ts';

const printed = z.object({
  region: z.string(),
  columns: z.array(
    z.object({
      webhooks: z.number(),
      usd: z.number(),
      lines: z.array(z.object({ price: z.string(), quantity: z.number(), usd: z.number() })),
    }),
  ),
});

const run = (...options: readonly string[]) =>
  promisify(execFile)(process.execPath, ['infra/cost/main.ts', ...options], {
    cwd: repositoryRoot,
    env: cachedEnvironment(),
  });

it('npm run cost prices the given volume in the given region', async () => {
  const { stdout } = await run('--webhooks', '2000000', '--region', 'us-east-1', '--environment', 'laptop', '--json');
  const { region, columns } = printed.parse(JSON.parse(stdout));
  expect({ region, webhooks: columns.map(({ webhooks }) => webhooks) }).toEqual({
    region: 'us-east-1',
    webhooks: [2_000_000],
  });
  expect(columns[0]?.lines).toContainEqual({ price: 'httpRequest', quantity: 2_000_000, usd: 2 });
});

it('npm run cost prices the reads of the given number of entities', async () => {
  const entities = async (number: number) => {
    const { stdout } = await run('--webhooks', '0', '--entities', String(number), '--environment', 'laptop', '--json');
    return printed.parse(JSON.parse(stdout)).columns[0]?.lines.find(({ price }) => price === 'entityRead')?.usd ?? 0;
  };
  expect(await entities(200_000)).toBeCloseTo(2 * (await entities(100_000)), 9);
}, 60_000);

it('npm run cost prints paths in place of links, which a terminal does not have', async () => {
  const { stdout } = await run('--webhooks', '1', '--environment', 'laptop');
  expect(stdout).toContain('(Memory sizes: docs/capacity.md#memory-sizes)');
  expect(stdout).not.toContain('](');
}, 60_000);

it('npm run cost refuses a volume that is no whole number', async () => {
  await expect(run('--webhooks', 'many')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('must be a whole number of webhooks'),
  });
});
