/** Counts what a webhook and a scheduled run ask of AWS, on the hosted stacks. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { program } from 'commander';
import * as z from 'zod';
import type { Host } from '#sandbox/aws/host.ts';
import { startSandbox } from '#sandbox/sandbox.ts';
import { requireNode24 } from '#sandbox/terminal/command-line.ts';
import { countPeers } from './count-peers.ts';
import { countUsage } from './count-usage.ts';
import { createUsageCounter } from './usage-counter.ts';

program
  .name('node tools/usage/main.ts')
  .description('Counts what a webhook and a scheduled run ask of AWS, on the hosted stacks.')
  .option('--save', 'keep the figures, from which drawbridge cost computes', false)
  .parse();

requireNode24();
const { save } = z.object({ save: z.boolean() }).parse(program.opts());
const root = dirname(dirname(import.meta.dirname));
const directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
try {
  let host: Host | undefined;
  const readLog = () => readFileSync(join(directory, 'functions.log'), 'utf8');
  const counter = createUsageCounter({ stacks: () => host, readLog });
  const sandbox = await startSandbox({
    root,
    directory,
    environment: process.env,
    onAwsCall: (moment) => (host === undefined ? undefined : counter.onAwsCall(moment)),
  });
  host = sandbox.host;
  const peers = await countPeers(directory);
  const text = `${JSON.stringify({ ...(await countUsage({ sandbox, counter })), peers }, undefined, 2)}\n`;
  if (save) writeFileSync(join(root, 'cli/cost/counted-usage.json'), text);
  process.stdout.write(text);
  await sandbox.close();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exit(0);
