/** `npm run measure:rejections`: compares the cost of a rejected delivery with that of an accepted one, on the hosted stacks. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Host, startHost } from '#sandbox/aws/host.ts';
import { synthesize } from '#sandbox/aws/stacks/synthesize.ts';
import { formatTable } from '#sandbox/terminal/table.ts';
import { readWebhookHeaders, webhooksUrlOf } from '#sandbox/webhook-headers.ts';

/** Requests of each kind. */
const requests = 2_000;
const concurrency = 4;
/** Linux counts the CPU time of a process in hundredths of a second. */
const millisecondsPerTick = 10;

type Cost = { readonly statuses: string; readonly lines: number; readonly bytes: number; readonly cpu: number };

/** The CPU time that a process has used, in milliseconds. */
function cpuOf(pid: number): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '');
  const [userTicks = 0, systemTicks = 0] = afterName.split(' ').slice(11, 13).map(Number);
  return (userTicks + systemTicks) * millisecondsPerTick;
}

function totalCpu(host: Host): number {
  const pids = host.functions.find('receive')?.pids() ?? [];
  return pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
}

async function measure(host: Host, log: string[], url: string, headers: Readonly<Record<string, string>>) {
  const send = async (count: number): Promise<readonly number[]> => {
    const statuses: number[] = [];
    const next = async () => {
      while (statuses.length < count) {
        const index = statuses.push(0) - 1;
        const answer = await fetch(url, { method: 'POST', headers, body: `{"walletId":"w-${index}"}` });
        await answer.arrayBuffer();
        statuses[index] = answer.status;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, next));
    return statuses;
  };
  await send(requests / 4);
  log.length = 0;
  const before = totalCpu(host);
  const statuses = await send(requests);
  const cpu = (totalCpu(host) - before) / requests;
  const written = log.join('');
  return {
    statuses: [...new Set(statuses)].join(', '),
    lines: log.length / requests,
    bytes: Buffer.byteLength(written) / requests,
    cpu,
  } satisfies Cost;
}

const directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
try {
  await synthesize({
    root: dirname(dirname(import.meta.dirname)),
    outputDirectory: directory,
    environment: process.env,
  });
  const log: string[] = [];
  const onLog = (name: string, line: string) => name === 'receive' && log.push(`${line}\n`);
  const host = await startHost({ assembly: directory, onLog });
  const registered = await readWebhookHeaders(host);
  const [header = ''] = Object.keys(registered);
  const url = `${webhooksUrlOf(host)}/CUSTOMER_NOTIFICATION`;
  const kinds = [
    ['accepted', url, registered],
    ['without the header', url, {}],
    ['with a wrong secret', url, { [header]: 'x'.repeat(64) }],
    ['without the random path', `${host.place.apiOrigin}/webhooks/CUSTOMER_NOTIFICATION`, registered],
  ] as const;
  const costs: (readonly [string, Cost])[] = [];
  for (const [kind, target, headers] of kinds) costs.push([kind, await measure(host, log, target, headers)]);
  const accepted = costs[0]?.[1].cpu ?? Number.NaN;
  const rows = costs.map(([kind, { statuses, lines, bytes, cpu }]) => [
    kind,
    statuses,
    lines.toFixed(3),
    bytes.toFixed(1),
    cpu.toFixed(2),
    (cpu / accepted).toFixed(2),
  ]);
  process.stdout.write(
    `${formatTable(['request', 'answer', 'log lines', 'log bytes', 'CPU of receive, ms', 'of accepted'], rows)}\n`,
  );
  await host.close();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
process.exit(0);
