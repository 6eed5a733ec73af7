import * as z from 'zod';
import { pagination } from '#sandbox/platform/core/page.ts';
import { price } from './decimal.ts';
import { hasCheckDigit, isin } from './isin.ts';

const name = z.string().min(1).max(255);

/** An asset that is traded. */
export const asset = z
  .strictObject({
    isin: isin.refine(hasCheckDigit, 'has another check digit'),
    name,
    price: price.describe('At which orders are executed, unless the order or the control API says otherwise'),
    hasTradeDocuments: z
      .boolean()
      .default(true)
      .describe('Whether it is in the asset universe: otherwise its orders execute too (section 8)'),
  })
  .meta({ id: 'TradedAsset' });

/** A page of the asset universe. Section 4: the shape is not shown. */
export const assetPage = z.strictObject({
  data: z.array(z.strictObject({ isin, name }).meta({ id: 'Asset' })),
  pagination,
});
