import { describe, expect, it } from 'vitest';
import { CommandError } from '#cli/command/command-error.ts';
import { apiErrorOf } from '#cli/deployment/api-client.ts';
import type { TailLine } from '#cli/tail/tail-line.ts';
import { createWatchWebhooks, webhookTypesOf } from '#cli/tail/watch-webhooks.ts';

type Asked = Readonly<Record<string, string | undefined>>;
type Listed = { readonly eventId: string; readonly eventType: string; readonly receivedOn: string };

const webhook = (eventId: string, second: number): Listed => ({
  eventId,
  eventType: 'TRANSFER_NOTIFICATION',
  receivedOn: new Date(Date.parse('2026-01-02T03:00:00Z') + second * 1_000).toISOString(),
});

/** Watches a list that changes before each look. @param looks what comes before each look, and whether the bus carries an event */
async function watch(
  before: readonly Listed[],
  looks: readonly { readonly comes?: readonly Listed[]; readonly bus?: boolean; readonly fails?: Error }[],
  types?: readonly string[],
  isPatient = false,
) {
  let listed = [...before];
  let look = 0;
  let bus = false;
  let failure: Error | undefined;
  const notes: string[] = [];
  const asked: Asked[] = [];
  const lines: TailLine[] = [];
  const begins: number[] = [];
  const stop = new AbortController();
  const send = async ({ query = {} }: { readonly query?: Asked }): Promise<unknown> => {
    if (failure !== undefined) throw failure;
    asked.push({ from: query['receivedFrom'], eventType: query['eventType'] });
    const items = listed
      .filter(({ receivedOn }) => receivedOn >= (query['receivedFrom'] ?? ''))
      .toSorted((one, other) => other.receivedOn.localeCompare(one.receivedOn))
      .slice(0, Number(query['limit']));
    return { items };
  };
  await createWatchWebhooks({ api: { send: send as never }, isLaptop: true }, types, {
    isPatient,
    note: (text) => notes.push(text),
    hasBusEvent: () => bus,
    wait: async () => {
      const next = looks[look];
      look += 1;
      if (next === undefined) return stop.abort();
      listed = [...listed, ...(next.comes ?? [])];
      bus = next.bus === true;
      failure = next.fails;
    },
  })(
    async (more) => void lines.push(...more),
    stop.signal,
    () => begins.push(asked.length),
  );
  return { asked, begins, notes, printed: lines.map(({ eventId }) => eventId) };
}

describe('drawbridge tail: the list of webhooks', () => {
  it('prints each webhook once, the oldest first, and none from before', async () => {
    const { printed } = await watch(
      [webhook('old', -5), webhook('newest', 0)],
      [
        { bus: true, comes: [webhook('b', 3), webhook('a', 2)] },
        { bus: true, comes: [webhook('late', 1)] },
        { bus: true },
      ],
    );
    expect(printed).toEqual(['a', 'b', 'late']);
  });

  it('says that it waits once it knows what was there before, and without a list immediately', async () => {
    expect((await watch([webhook('old', 0)], [{ bus: true }])).begins).toEqual([1]);
    expect((await watch([], [], [])).begins).toEqual([0]);
  });

  it('reads only what came since a minute before the newest webhook', async () => {
    const { asked, printed } = await watch(
      [webhook('old', 0)],
      [
        { bus: true, comes: [webhook('a', 300)] },
        { bus: true, comes: [webhook('too late', 200)] },
      ],
    );
    expect(asked.map(({ from }) => from)).toEqual([undefined, '2026-01-02T03:00:00.000Z', '2026-01-02T03:04:00.000Z']);
    expect(printed).toEqual(['a']);
  });

  it('reads only at every tenth check while the bus is silent', async () => {
    const silent = Array.from({ length: 10 }, () => ({}));
    expect((await watch([], silent.slice(1))).asked).toHaveLength(1);
    expect((await watch([], silent)).asked).toHaveLength(2);
  });

  it('waits for an API that does not answer, says so once, and lists what came meanwhile', async () => {
    const fails = new CommandError('The API does not answer.', 'drawbridge doctor');
    const outage = [{ bus: true, fails }, { comes: [webhook('a', 1)], fails }, { comes: [webhook('b', 2)] }];
    const { printed, notes } = await watch([], outage, undefined, true);
    expect(printed).toEqual(['a', 'b']);
    expect(notes).toEqual(['The API does not answer: webhooks are listed once it does.', 'The API answers again.']);
    await expect(watch([], outage)).rejects.toThrow('The API does not answer.');
  });

  it('does not wait for an API that refuses the request', async () => {
    const fails = apiErrorOf(403, {}, '/events');
    await expect(watch([], [{ bus: true, fails }], undefined, true)).rejects.toThrow('The API answered 403');
  });

  it('reads only the wanted event types, and nothing when only bus events are wanted', async () => {
    const types = webhookTypesOf(['OrderStatusChanged', 'TRANSFER_NOTIFICATION']);
    const { asked } = await watch([], [{ bus: true }], types);
    expect(asked.map(({ eventType }) => eventType)).toEqual(['TRANSFER_NOTIFICATION', 'TRANSFER_NOTIFICATION']);
    expect((await watch([], [{ bus: true }], webhookTypesOf(['OrderStatusChanged']))).asked).toEqual([]);
    expect(webhookTypesOf([])).toBeUndefined();
  });
});
