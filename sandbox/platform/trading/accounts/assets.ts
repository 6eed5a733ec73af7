import type * as z from 'zod';
import type { asset } from './asset-schema.ts';
import { withCheckDigit } from './isin.ts';

/** What is traded. Without trade documents if it is outside of the asset universe (section 8). */
export type Asset = z.infer<typeof asset>;

export type Assets = ReturnType<typeof createAssets>;

const universe = [
  'Alder Energy',
  'Birch Foods',
  'Cedar Rail',
  'Dogwood Optics',
  'Elm Insurance',
  'Fir Logistics',
  'Gorse Water',
  'Hazel Software',
  'Ivy Textiles',
  'Juniper Chemicals',
  'Kelp Marine',
  'Larch Timber',
  'Maple Motors',
  'Nettle Pharma',
  'Oak Bank',
  'Pine Paper',
  'Quince Retail',
  'Rowan Steel',
  'Spruce Telecom',
  'Thistle Media',
  'Umber Mining',
  'Vetch Farming',
  'Willow Homes',
  'Yew Aviation',
];
const outside = ['Aster Islands', 'Bramble Frontier', 'Clover Overseas'];

/** The assets that are known from the start. */
export const initialAssets: readonly Asset[] = [...universe, ...outside].map((name, index) => ({
  isin: withCheckDigit(`DE000SBX${String(index + 1).padStart(3, '0')}`),
  name,
  price: 10 + 7.25 * index,
  hasTradeDocuments: index < universe.length,
}));

/** The assets that are traded: known from the start, and added to. */
export function createAssets() {
  const assets = new Map<string, Asset>();
  const put = (one: Asset): Asset => {
    assets.set(one.isin, one);
    return one;
  };
  const restore = (saved: readonly Asset[]): void => {
    assets.clear();
    for (const one of saved) put(one);
  };
  restore(initialAssets);

  return {
    find: (isin: string): Asset | undefined => assets.get(isin),
    /** Adds it, or puts it in the place of the one with its ISIN. */
    put,
    list: (): readonly Asset[] => [...assets.values()],
    /** Replaces every asset. */
    restore,
    /** Those of the asset universe (section 8). */
    universe: (): readonly Asset[] => [...assets.values()].filter(({ hasTradeDocuments }) => hasTradeDocuments),
  };
}
