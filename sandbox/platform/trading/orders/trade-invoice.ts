import type { Clock } from '#sandbox/platform/core/clock.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { Assets } from '#sandbox/platform/trading/accounts/assets.ts';
import {
  costOf,
  fromUnits,
  moneyDigits,
  priceDigits,
  quantityDigits,
} from '#sandbox/platform/trading/accounts/decimal.ts';
import type { Executions, Fill } from './executions.ts';
import type { Order } from './order.ts';

export type TradeInvoicesDeps = {
  readonly clock: Pick<Clock, 'now'>;
  readonly assets: Pick<Assets, 'find'>;
  /** Undefined if there is no execution of this id. */
  readonly findFill: Executions['findFill'];
};

export type TradeInvoice = Pick<Order, 'naturalPersonId' | 'legalEntityId'> & {
  readonly document: Uint8Array<ArrayBuffer>;
};

/** The trade documents of executions: some seconds after FILLED, and only of the asset universe (section 8). */
export function createTradeInvoices({ clock, assets, findFill }: TradeInvoicesDeps) {
  /** The invoice does not depend on later changes of the order. @throws {RefusedError} Not Found: no invoice exists yet */
  function get(executionId: string): TradeInvoice {
    const fill = findFill(executionId);
    if (fill === undefined || fill.invoicedFrom > clock.now().getTime() || !hasTradeDocuments(fill))
      throw new RefusedError(404, 'There is no trade invoice of this execution yet.');
    const { naturalPersonId, legalEntityId } = fill.order;
    return { naturalPersonId, legalEntityId, document: write(fill) };
  }

  const hasTradeDocuments = ({ order }: Fill) => assets.find(order.isin)?.hasTradeDocuments === true;

  return { get };
}

/** As it was executed, not as it was corrected. */
function write({ order, execution: { executionId, executedOn, quantity, price } }: Fill): Uint8Array<ArrayBuffer> {
  return writePdf([
    'TRADE_INVOICE',
    `Order ${order.orderId}`,
    `Execution ${executionId} on ${executedOn}`,
    `${order.side} ${fromUnits(quantity, quantityDigits)} of ${order.isin}`,
    `Price ${fromUnits(price, priceDigits)}`,
    `Amount ${fromUnits(costOf(quantity, price), moneyDigits)}`,
    'A document of the sandbox: nothing was traded.',
  ]);
}

/** A PDF 1.4 of one page with lines of ASCII. */
function writePdf(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  const shown = lines.map((line) => `(${line.replaceAll(/[\\()]/g, '\\$&')}) Tj T*`).join('\n');
  const content = `BT /F1 11 Tf 14 TL 56 780 Td\n${shown}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\n`;
  return new Uint8Array(Buffer.from(`${file}${end}startxref\n${file.length}\n%%EOF\n`, 'latin1'));
}
