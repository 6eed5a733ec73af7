/**
 * What a natural person has. Money in cents, quantities in units of their last decimal. `unsettled` is what was got for
 * sales that are not SETTLED: it can be spent on other assets, but not withdrawn (section 3.3).
 */
export type Account = {
  readonly cash: bigint;
  readonly unsettled: bigint;
  /** By ISIN. None of 0. */
  readonly positions: ReadonlyMap<string, bigint>;
};

/** By how much each of them changes. */
export type Booking = {
  readonly cash: bigint;
  readonly unsettled: bigint;
  readonly isin?: string;
  readonly quantity?: bigint;
};

/** Why an account cannot carry a booking: nothing may fall below 0. */
export type Shortage = 'Insufficient funds' | 'Insufficient position';

/** The account of a person, for a snapshot. */
export type SavedAccount = Omit<Account, 'positions'> & {
  readonly naturalPersonId: string;
  readonly positions: readonly [string, bigint][];
};

export type Accounts = ReturnType<typeof createAccounts>;

const empty: Account = { cash: 0n, unsettled: 0n, positions: new Map() };

export function createAccounts() {
  const accounts = new Map<string, Account>();
  const read = (naturalPersonId: string): Account => accounts.get(naturalPersonId) ?? empty;

  /** All of it, or if something falls short nothing. */
  function book(naturalPersonId: string, { cash, unsettled, isin, quantity = 0n }: Booking): Shortage | undefined {
    const before = read(naturalPersonId);
    const account = { ...before, cash: before.cash + cash, unsettled: before.unsettled + unsettled };
    if (account.cash < 0n) return 'Insufficient funds';
    const position = (isin === undefined ? 0n : (before.positions.get(isin) ?? 0n)) + quantity;
    if (position < 0n) return 'Insufficient position';
    const positions = isin === undefined ? before.positions : withPosition(before.positions, isin, position);
    accounts.set(naturalPersonId, { ...account, positions });
    return undefined;
  }

  /** Makes the account what is given; what is not given stays as it is. Positions are by ISIN. */
  function set(naturalPersonId: string, { cash, positions }: AccountChange): void {
    const before = read(naturalPersonId);
    let changed = before.positions;
    for (const [isin, quantity] of positions ?? []) changed = withPosition(changed, isin, quantity);
    accounts.set(naturalPersonId, { ...before, cash: cash ?? before.cash, positions: changed });
  }

  return {
    read,
    book,
    set,
    save: (): SavedAccount[] =>
      [...accounts].map(([naturalPersonId, { positions, ...money }]) => ({
        naturalPersonId,
        ...money,
        positions: [...positions],
      })),
    /** Replaces every account. */
    restore: (saved: readonly SavedAccount[]): void => {
      accounts.clear();
      for (const { naturalPersonId, positions, ...money } of saved)
        accounts.set(naturalPersonId, { ...money, positions: new Map(positions) });
    },
  };
}

export type AccountChange = {
  readonly cash?: bigint | undefined;
  readonly positions?: ReadonlyMap<string, bigint> | undefined;
};

/** Cash that transfers may take: settled cash. */
export function withdrawable({ cash, unsettled }: Account): bigint {
  return cash > unsettled ? cash - unsettled : 0n;
}

function withPosition(positions: Account['positions'], isin: string, quantity: bigint): Account['positions'] {
  const changed = new Map(positions).set(isin, quantity);
  if (quantity === 0n) changed.delete(isin);
  return changed;
}
