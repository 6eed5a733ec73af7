import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { type DescribeCostProps, describeCost } from '#infra/cost/describe-cost.ts';
import { synthesizeTemplates } from '#infra/cost/synthesize-templates.ts';
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

describe('the cost of an environment', () => {
  const describeLaptop = (options: Pick<DescribeCostProps, 'webhooks' | 'entities' | 'isJson'>) =>
    describeCost({ environment: synthesizeTemplates('laptop'), region: 'eu-central-1', ...options });

  it('has the reads of the given number of entities', () => {
    const entities = (number: number) => {
      const { columns } = printed.parse(JSON.parse(describeLaptop({ webhooks: 0, entities: number, isJson: true })));
      return columns[0]?.lines.find(({ price }) => price === 'entityRead')?.usd ?? 0;
    };
    expect(entities(100_000)).toBeGreaterThan(0);
    expect(entities(200_000)).toBeCloseTo(2 * entities(100_000), 9);
  });

  it('has paths in place of links, which a terminal does not have', () => {
    const text = describeLaptop({ webhooks: 1, isJson: false });
    expect(text).toContain('(Memory sizes: docs/capacity.md#memory-sizes)');
    expect(text).not.toContain('](');
  });
});

it('npm run cost refuses a volume that is no whole number', async () => {
  await expect(run('--webhooks', 'many')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('must be a whole number of webhooks'),
  });
});
