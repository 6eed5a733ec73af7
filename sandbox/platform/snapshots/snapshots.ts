import * as z from 'zod';
import type { LegalEntities } from '#sandbox/platform/access/legal-entities.ts';
import type { Proxies } from '#sandbox/platform/access/proxies.ts';
import type { SettingsChange, SettingsStore } from '#sandbox/platform/core/settings-store.ts';
import type { StatusChange } from '#sandbox/platform/core/transitions.ts';
import type { Faults } from '#sandbox/platform/faults/faults.ts';
import { readFields } from '#sandbox/platform/http/router.ts';
import type { NaturalPersons } from '#sandbox/platform/persons/natural-persons.ts';
import { initialAssets } from '#sandbox/platform/trading/accounts/assets.ts';
import type { Trading } from '#sandbox/platform/trading/trading.ts';
import type { IdentificationVerifications } from '#sandbox/platform/verifications/identification-verifications.ts';
import type { Registrations } from '#sandbox/platform/webhooks/registrations.ts';
import type { UndeliveredWebhooks } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import { type SavedState, savedState, type WrittenState } from './saved-state.ts';

export type SnapshotsDeps = Pick<Trading, 'assets' | 'accounts' | 'orders' | 'transfers'> & {
  readonly settings: SettingsStore;
  /** The settings of the start. */
  readonly startSettings: () => SettingsChange;
  /** Says that no new record may get this id. */
  readonly takeId: (id: string) => void;
  readonly persons: NaturalPersons;
  readonly verifications: IdentificationVerifications;
  readonly legalEntities: LegalEntities;
  readonly proxies: Proxies;
  readonly undelivered: UndeliveredWebhooks;
  readonly registrations: Pick<Registrations, 'get'>;
  readonly faults: Faults;
  readonly logs: readonly { readonly clear: () => void }[];
  /** Discards the work that is scheduled, and the further attempts of deliveries. */
  readonly endEpoch: () => void;
};

/** Legal entities are optional only in what is loaded: snapshots of 0.2.0 have none. */
type SavedSnapshot = WrittenState & { readonly legalEntities: string[] };

export type Snapshots = ReturnType<typeof createSnapshots>;

const defaults: WrittenState = {
  settings: {},
  persons: { entries: [], owners: [] },
  verifications: [],
  proxies: [],
  assets: [...initialAssets],
  accounts: [],
  orders: [],
  fills: [],
  transfers: [],
  faults: [],
  undelivered: [],
};

const uuids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** The state of the platform as a whole. Tokens, webhooks, the clock and the source of random numbers are not in it. */
export function createSnapshots(deps: SnapshotsDeps) {
  const {
    settings,
    persons,
    verifications,
    legalEntities,
    proxies,
    assets,
    accounts,
    orders,
    transfers,
    undelivered,
    faults,
  } = deps;

  function save(): SavedSnapshot {
    const ids = [...legalEntities.list()];
    const state = z.encode(savedState, {
      settings: settings.read(),
      persons: { entries: persons.all().map(copyOf), owners: persons.owners() },
      verifications: verifications.all().map(copyOf),
      legalEntities: ids,
      proxies: [...proxies.list()],
      assets: [...assets.list()],
      accounts: accounts.save().map((account) => ({ ...account, positions: [...account.positions] })),
      orders: orders.all().map(copyOf),
      fills: orders.fills().map(({ order, ...fill }) => ({ ...fill, order: copyOf(order) })),
      transfers: transfers.all().map(copyOf),
      faults: faults.list().map(({ fault }) => fault),
      undelivered: undelivered.all().flatMap(({ webhook, body, errorMessage }) => {
        if (typeof webhook?.eventType !== 'string' || typeof body !== 'string') return [];
        return [{ eventType: webhook.eventType, body, errorMessage: errorMessage ?? '' }];
      }),
    });
    return { ...state, legalEntities: ids };
  }

  function restore(state: SavedState): void {
    deps.endEpoch();
    for (const log of deps.logs) log.clear();
    settings.change(state.settings);
    legalEntities.restore(state.legalEntities);
    proxies.restore(state.proxies);
    assets.restore(state.assets);
    accounts.restore(state.accounts);
    persons.restore(state.persons);
    verifications.restore(state.verifications);
    orders.restore(state);
    transfers.restore(state.transfers);
    faults.clear();
    for (const fault of state.faults) faults.place(fault);
    undelivered.clear();
    for (const { eventType, body, errorMessage } of state.undelivered) {
      const webhook = deps.registrations.get(eventType);
      if (webhook !== undefined) undelivered.add({ webhook, body, errorMessage });
    }
  }

  return {
    save,
    /** Replaces the state. @throws {RefusedError} Bad Request for a state that no snapshot has: nothing changes */
    load: (written: unknown): void => {
      const { state } = readFields(z.object({ state: savedState }), { state: written });
      // A platform of the same seed draws the ids that the saved one has drawn.
      for (const [id] of JSON.stringify(written).matchAll(uuids)) deps.takeId(id);
      restore(state);
    },
    /** Removes everything, and sets the settings to those of the start. */
    reset: (): void => restore(savedState.parse({ ...defaults, settings: deps.startSettings() })),
  };
}

function copyOf<Item extends { readonly history: readonly StatusChange[] }>(item: Item) {
  return { ...item, history: [...item.history] };
}
