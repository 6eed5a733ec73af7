import { inflateRawSync } from 'node:zlib';
import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import type { Host } from '#sandbox/aws/host.ts';
import { isErased, type OnboardingRow, readOnboarding } from '#shared/onboarding/onboarding-row.ts';

type Tables = Pick<Host, 'blueprint' | 'clients'>;

/** Every onboarding in the table. For an erased person only the id of the onboarding is left. */
export type OnboardingRows = { readonly rows: readonly OnboardingRow[]; readonly erased: readonly string[] };

export async function readOnboardingRows({ blueprint, clients }: Tables): Promise<OnboardingRows> {
  const TableName = blueprint.tables.find(({ name }) => name === 'onboardings')?.physicalName;
  const rows: OnboardingRow[] = [];
  const erased: string[] = [];
  for await (const { Items = [] } of paginateScan({ client: clients.dynamodb }, { TableName, ConsistentRead: true }))
    for (const row of Items.map(readOnboarding))
      if (isErased(row)) erased.push(row.onboardingId);
      else rows.push(row);
  return { rows, erased };
}

/** An item of any table as text that can be searched. */
export type ItemText = {
  readonly table: string;
  /** The onboarding of this item; empty for an item of another table. */
  readonly onboardingId: string;
  /** The whole item, with its deflated attributes inflated. */
  readonly text: string;
  /** Whether the item records an erasure. */
  readonly isErased: boolean;
};

/** Reads every item of every table. */
export async function readTables({ blueprint, clients }: Tables): Promise<readonly ItemText[]> {
  const items: ItemText[] = [];
  for (const { name: table, physicalName: TableName } of blueprint.tables)
    for await (const { Items = [] } of paginateScan({ client: clients.dynamodb }, { TableName, ConsistentRead: true }))
      items.push(...Items.map((item) => toItemText(table, item)));
  return items;
}

function toItemText(table: string, item: Readonly<Record<string, AttributeValue>>): ItemText {
  const bytes = Object.values(item).flatMap(({ B }) => (B === undefined ? [] : [inflateRawSync(B).toString()]));
  return {
    table,
    onboardingId: item['onboardingId']?.S ?? '',
    text: [JSON.stringify(item), ...bytes].join('\n'),
    isErased: item['erasedOn'] !== undefined,
  };
}
