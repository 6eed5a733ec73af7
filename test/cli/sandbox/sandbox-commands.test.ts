import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { root } from '#docs/generate/markdown-pages.ts';
import { type Listening, listen, readBody } from '#sandbox/net/server.ts';
import { type PlatformServer, startPlatformServer } from '#sandbox/platform/app/serve.ts';
import { runDrawbridge } from '#test/end-to-end/run-drawbridge.ts';

let partner: Listening;
let server: PlatformServer;
let directory: string;
let sent: string[];
beforeEach(async () => {
  sent = [];
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  partner = await listen(async (request, response) => {
    sent.push((await readBody(request)).toString());
    response.end();
  });
  server = await startPlatformServer({
    fetch,
    frozenAt: new Date('2026-11-21T08:00:00Z'),
    now: () => new Date(),
    onError: (error) => expect.unreachable(String(error)),
  });
  const { registrations } = server.platform;
  for (const { eventType } of registrations.missing())
    registrations.register({ eventType, url: `${partner.origin}/${eventType}` });
});
afterEach(async () => {
  await server.close();
  await partner.close();
  rmSync(directory, { recursive: true });
});

/** Without an endpoints.json. */
const runAlone = (commandLine: string) =>
  runDrawbridge({ endpointsFile: join(directory, 'endpoints.json') }, commandLine.split(' '));

/** With --control, which names the platform. */
const run = (commandLine: string) => runAlone(`${commandLine} --control ${server.origin}/control`);

const ask = async (path: string): Promise<unknown> => (await fetch(`${server.origin}/control${path}`)).json();

describe('drawbridge trigger', () => {
  it('sends a webhook with the fields that are set, as JSON or as text', async () => {
    const { exit, json } = await run('trigger TRANSFER_NOTIFICATION --set amount=12.5 --set status=LATE --json');
    expect(exit).toBe(0);
    expect(json()).toMatchObject({
      type: 'TRANSFER_NOTIFICATION',
      deliveryId: 'dlv-1',
      body: { amount: 12.5, status: 'LATE' },
    });
    expect(JSON.parse(sent[0] ?? '')).toMatchObject({ amount: 12.5, status: 'LATE' });
  });

  it('plays a life cycle, prints its ids, and names the command that looks it up', async () => {
    const { stdout, stderr } = await run('trigger order.filled');
    const [order] = server.platform.orders.all();
    expect(stdout).toContain(`orderId          ${order?.orderId}`);
    expect(stderr).toContain(
      `drawbridge deliveries ls --contains ${order?.orderId} --control ${server.origin}/control`,
    );
  });

  it('exits with 2 for an unknown type and a field without a value, and names the command that lists the types', async () => {
    const { exit, stderr } = await run('trigger order.lost');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('drawbridge trigger --list')]);
    expect((await run('trigger order.fil')).stderr).toContain('Did you mean order.filled?');
    expect(await run('trigger order.filled --set amount')).toMatchObject({ exit: 2 });
  });
});

describe('drawbridge clock', () => {
  it('advances, starts and stops the clock, and shows it', async () => {
    expect((await run('clock advance 90m')).stdout).toBe('2026-11-21T09:30:00.000Z  stopped\n');
    expect((await run('clock start --json')).json()).toMatchObject({ isFrozen: false });
    const { json } = await run('clock stop --json');
    expect(json()).toMatchObject({ isFrozen: true });
    expect((await run('clock show --json')).json()).toEqual(json());
    expect(await run('clock advance soon')).toMatchObject({ exit: 2 });
  });
});

describe('drawbridge fault', () => {
  it('places, lists and ends faults', async () => {
    const options = '--operation getTransfer --status 503 --retry-after 2 --commits --share 0.5 --times 3 --seconds 60';
    const answer = z.object({ id: z.string() }).parse((await run(`fault on answer ${options} --json`)).json());
    const everywhere = await run('fault on latency --milliseconds 5');
    expect(everywhere.stdout).toMatch(/^\S+ {2}LATENCY for calls of every operation\n$/);
    const { jsonLines } = await run('fault ls --json');
    expect(jsonLines()).toEqual(await ask('/faults'));
    expect(jsonLines()[0]).toEqual({
      id: answer.id,
      happened: 0,
      fault: {
        effect: 'ANSWER',
        operation: 'getTransfer',
        status: 503,
        retryAfter: '2',
        commits: true,
        share: 0.5,
        times: 3,
        seconds: 60,
      },
    });
    await run(`fault off ${answer.id}`);
    expect(server.platform.faults.list()).toHaveLength(1);
    await run('fault off');
    expect((await run('fault ls')).stdout).toContain('There is no fault');
  });

  it('exits with 2 for an effect that does not exist, and for an operation that the platform does not have', async () => {
    expect(await run('fault on fire')).toMatchObject({ exit: 2, stderr: expect.stringContaining('no-answer') });
    const { exit, stderr } = await run('fault on no-answer --operation flyAway');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('getTransfer')]);
  });
});

describe('drawbridge persona', () => {
  it('lists the personas, and creates one on the platform', async () => {
    expect((await run('persona ls --json')).jsonLines()).toEqual(await ask('/personas'));
    const { json, stderr } = await run('persona create rejected --external-id c-1 --json');
    const [person] = server.platform.persons.all();
    expect(json()).toEqual({ naturalPersonId: person?.person.naturalPersonId, lastName: 'Magic-Rejected' });
    // Drawbridge does not stand beside a platform that --control names.
    const id = person?.person.naturalPersonId;
    expect(stderr).toContain(`drawbridge deliveries ls --contains ${id} --control ${server.origin}/control`);
  });
});

describe('drawbridge traffic', () => {
  it('begins, shows and ends traffic', async () => {
    expect((await run('traffic start 5/s --json')).json()).toMatchObject({ perSecond: 5 });
    expect((await run('traffic show --json')).json()).toMatchObject({ perSecond: 5 });
    expect((await run('traffic stop --json')).json()).toMatchObject({ perSecond: 0 });
    expect(await run('traffic start 500/s')).toMatchObject({ exit: 2 });
  });
});

describe('drawbridge requests and deliveries', () => {
  it('shows a call with its body and its answer, and names the list for one that is unknown', async () => {
    await fetch(`${server.origin}/webhooks?limit=1`, { method: 'POST', body: '{}' });
    const list = await run('requests ls --json');
    const { exit, json } = await run('requests show req-1 --json');
    expect(exit).toBe(0);
    expect(json()).toEqual(list.jsonLines()[0]);
    const { stdout } = await run('requests show req-1');
    expect(stdout).toMatch(/^call +POST \/webhooks\?limit=1$/m);
    expect(stdout).toMatch(/^answer\n {2}\{.*UNAUTHORIZED/m);
    expect(await run('requests show req-99')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('drawbridge requests ls'),
    });
  });

  it('lists, shows and resends deliveries', async () => {
    await run('trigger TRANSFER_NOTIFICATION');
    const list = await run('deliveries ls --type TRANSFER_NOTIFICATION --outcome delivered --json');
    expect(list.jsonLines()).toMatchObject([{ deliveryId: 'dlv-1' }]);
    expect((await run('deliveries show dlv-1 --json')).json()).toEqual(list.jsonLines()[0]);
    const { json } = await run('deliveries resend dlv-1 --json');
    expect(json()).toMatchObject({ deliveryId: 'dlv-2', resendOf: 'dlv-1', outcome: 'delivered' });
    expect(sent).toHaveLength(2);
    for (const action of ['show', 'resend'])
      expect(await run(`deliveries ${action} dlv-99`)).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('Next: drawbridge deliveries ls lists the ids.'),
      });
  });
});

describe('drawbridge reset and snapshot', () => {
  it('saves the state into a file, empties the platform, and loads the file', async () => {
    await run('trigger person.onboarded');
    const file = join(directory, 'state.json');
    expect((await run(`snapshot save ${file} --json`)).json()).toMatchObject({ file });
    await run('reset');
    expect(server.platform.persons.all()).toEqual([]);
    expect(await run(`snapshot load ${file}`)).toMatchObject({ exit: 0 });
    expect(server.platform.persons.all()).toMatchObject([{ person: { naturalPersonStatus: 'ACTIVE' } }]);
  });

  it('exits with 2, and without a stack, for a file that cannot be written', async () => {
    const file = join(directory, 'none', 'state.json');
    expect(await run(`snapshot save ${file}`)).toMatchObject({
      exit: 2,
      stderr: `${file} cannot be written.\nNext: name a file in a folder that exists.\n`,
    });
  });
});

describe('drawbridge fixture', () => {
  const load = (content: object, ...options: readonly string[]) => {
    const file = join(directory, 'fixture.json');
    writeFileSync(file, JSON.stringify(content));
    return run(['fixture load', file, ...options].join(' '));
  };

  it('creates persons with their orders and transfers, and prints the ids by their names', async () => {
    await run('trigger person.onboarded');
    const { exit, jsonLines } = await load(exampleFixture(), '--reset', '--json');
    expect(exit).toBe(0);
    const [erika, , order, transfer] = jsonLines();
    const { naturalPersonId } = server.platform.persons.all().find(({ person }) => person.externalId === 'erika-1')
      ?.person ?? { naturalPersonId: '' };
    expect(erika).toEqual({ name: 'erika', lifeCycle: 'person.onboarded', ids: { naturalPersonId } });
    expect(order).toMatchObject({ name: 'first order', ids: { naturalPersonId, orderId: expect.any(String) } });
    expect(transfer).toMatchObject({ ids: { naturalPersonId, transferId: expect.any(String) } });
    expect(server.platform.persons.all()).toHaveLength(2);
  });
});

/** The example of docs/how-to/test-a-client.md. */
function exampleFixture(): object {
  const page = readFileSync(join(root, 'docs/how-to/test-a-client.md'), 'utf8');
  const [, json = ''] = /## Load a fixture[\s\S]*?```json\n([\s\S]*?)```/.exec(page) ?? [];
  return JSON.parse(json) as object;
}

describe('drawbridge, a command of the sandbox', () => {
  it.each([
    ['a deployment is named', 'reset --env production', 'The environment production has no sandbox platform.'],
    ['no sandbox runs', 'reset', 'Next: npm start'],
    ['nothing answers', 'reset --control http://127.0.0.1:9/control', 'does not answer at http://127.0.0.1:9/control'],
    ['nothing answers', 'persona ls --control http://127.0.0.1:9', 'npm start, or drawbridge platform'],
    ['an address is none', 'persona ls --control localhost:4010', 'http://localhost:4010/control'],
    ['the address is that of the platform', 'persona ls --control ORIGIN', 'again with --control ORIGIN/control'],
  ])('exits with 2, and says what to do without a stack, when %s: %s', async (_, commandLine, said) => {
    const { exit, stderr } = await runAlone(commandLine.replace('ORIGIN', server.origin));
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: expect.stringContaining(said.replace('ORIGIN', server.origin)),
    });
    expect(stderr).not.toContain('    at ');
  });
});
