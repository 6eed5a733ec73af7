import { describe, expect, it } from 'vitest';
import type { magicOrders, magicPersons, magicTransfers } from '#sandbox/platform/core/magic-values.ts';
import { startPersons } from '#test/sandbox/platform/persons/persons-fixture.ts';

type Platform = ReturnType<typeof startPersons>;
type Recorded = { readonly history: readonly { readonly status: string }[] };

const start = () => startPersons({ settings: { videoCallsAfter: 5 } });

/** Everything that happens by itself within an hour. */
const anHour = ({ clock }: Platform) => clock.advance(3_600);

const statusesOf = ({ history }: Recorded) => history.map(({ status }) => status);

async function onboard(platform: Platform, lastName: string) {
  const id = await platform.createdId({ lastName });
  await anHour(platform);
  const answer = await platform.createVerification(id, { naturalPersonId: id });
  await anHour(platform);
  const person = statusesOf({ history: platform.persons.historyOf(id) });
  const [verification] = platform.verifications.of(id);
  return { person, answered: answer.status, verification: verification?.status };
}

describe('sandbox platform: a magic last name', () => {
  const checked = { answered: 400, verification: undefined };
  const active = ['RECEIVED', 'CREATED', 'PENDING', 'ACTIVE'];
  const cases: Readonly<Record<keyof typeof magicPersons, unknown>> = {
    'Magic-Invalid': { ...checked, person: ['RECEIVED', 'INVALID'] },
    'Magic-Rejected': { ...checked, person: ['RECEIVED', 'REJECTED'] },
    'Magic-Review': { ...checked, person: ['RECEIVED', 'REVIEW'] },
    'Magic-Unidentified': { person: ['RECEIVED', 'CREATED'], answered: 200, verification: 'FAILED' },
    'Magic-Absent': { person: ['RECEIVED', 'CREATED'], answered: 200, verification: 'PENDING' },
    'Magic-Suspended': { person: [...active, 'SUSPENDED'], answered: 200, verification: 'APPROVED' },
    'Magic-Blocked': { person: [...active, 'BLOCKED'], answered: 200, verification: 'APPROVED' },
    'Magic-Slow': { person: active, answered: 200, verification: 'APPROVED' },
    'Magic-Committed': undefined,
  };

  it.each(Object.entries(cases).filter(([, expected]) => expected !== undefined))(
    'has the documented outcome: %s',
    async (lastName, expected) => {
      expect(await onboard(start(), lastName)).toEqual(expected);
    },
    10_000,
  );

  it('answers 500 for Magic-Committed, then 409 to the same externalId, since the person exists', async () => {
    const platform = start();
    const data = { lastName: 'Magic-Committed', externalId: 'customer-1' };
    expect((await platform.create(data)).status).toBe(500);
    expect((await platform.create(data)).status).toBe(409);
    const { data: persons } = platform.persons.list({ limit: 20 });
    expect(persons).toMatchObject([{ externalId: 'customer-1' }]);
  });
});

describe('sandbox platform: a warning', () => {
  function startWarning() {
    const warnings: string[] = [];
    return { warnings, platform: startPersons({ onWarning: (warning) => warnings.push(warning) }) };
  }

  it.each([
    ['Magic-Rejcted', 'Did you mean Magic-Rejected?'],
    ['magic blocked', 'Did you mean Magic-Blocked?'],
    ['Magic-X', 'Known: Magic-Invalid, '],
    ['Magic-Rejected', undefined],
    ['Magicson', undefined],
  ])('says about the last name %s: %s', async (lastName, expected) => {
    const { platform, warnings } = startWarning();
    await platform.createdId({ lastName });
    expect(warnings).toEqual(expected === undefined ? [] : [expect.stringContaining(expected)]);
  });

  it('names the nearest externalId of an order and of a transfer, and never what was given', async () => {
    const { platform, warnings } = startWarning();
    const naturalPersonId = await platform.madeId();
    const buy = { naturalPersonId, isin: 'DE000SBX0018', side: 'BUY', quantity: 1 } as const;
    for (const externalId of ['magic-filed-7', 'magic-filled-7']) platform.orders.place({ ...buy, externalId });
    const out = { naturalPersonId, direction: 'OUT', amount: 1 } as const;
    for (const externalId of ['magic-procesed', 'magic-processed']) platform.transfers.create({ ...out, externalId });
    expect(warnings).toEqual([
      'The externalId of an order looks like a magic value, and asks for no outcome. Did you mean magic-filled?',
      'The externalId of a transfer looks like a magic value, and asks for no outcome. Did you mean magic-processed?',
    ]);
  });
});

describe('sandbox platform: a magic externalId', () => {
  const received = ['RECEIVED', 'PENDING'];
  const orderCases: Readonly<Record<keyof typeof magicOrders, readonly string[]>> = {
    'magic-invalid': ['RECEIVED', 'INVALID'],
    'magic-rejected': [...received, 'REJECTED'],
    'magic-canceled': [...received, 'CANCELED'],
    'magic-filled': [...received, 'FILLED'],
    'magic-settled': [...received, 'FILLED', 'SETTLED'],
    'magic-corrected': [...received, 'FILLED', 'CORRECTED'],
  };

  async function order(externalId: string | undefined, cash = 1_000) {
    const platform = start();
    const naturalPersonId = await platform.madeId();
    platform.accounts.set(naturalPersonId, { cash: BigInt(cash) * 100n });
    const buy = { naturalPersonId, isin: 'DE000SBX0018', side: 'BUY', quantity: 1 } as const;
    const { orderId } = platform.orders.place({ ...buy, externalId });
    await platform.clock.advance(60);
    return statusesOf(platform.orders.get(orderId));
  }

  it.each(Object.entries(orderCases))('gives the order %s the statuses %j', async (externalId, expected) => {
    expect(await order(externalId)).toEqual(expected);
    expect(await order(`${externalId}-17`)).toEqual(expected);
  });

  it('leaves an order with another externalId waiting for the exchange', async () => {
    for (const externalId of [undefined, 'magic', 'magic-', 'magic-filledness'])
      expect(await order(externalId)).toEqual(received);
  });

  const transferCases: Readonly<Record<keyof typeof magicTransfers, readonly string[]>> = {
    'magic-invalid': ['RECEIVED', 'INVALID'],
    'magic-rejected': ['RECEIVED', 'REJECTED'],
    'magic-processed': [...received, 'PROCESSED'],
  };

  it.each(Object.entries(transferCases))('gives the transfer %s the statuses %j', async (externalId, expected) => {
    const platform = start();
    const naturalPersonId = await platform.madeId();
    platform.accounts.set(naturalPersonId, { cash: 100_000n });
    const { transferId } = platform.transfers.create({ naturalPersonId, direction: 'OUT', amount: 1, externalId });
    await platform.clock.advance(60);
    expect(statusesOf(platform.transfers.get(transferId))).toEqual(expected);
  });
});
