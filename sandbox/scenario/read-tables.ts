import { inflateRawSync } from 'node:zlib';
import { type AttributeValue, paginateScan } from '@aws-sdk/client-dynamodb';
import type { Host } from '#sandbox/aws/host.ts';

/** An item of a table, in words. */
export type ItemText = {
  readonly table: string;
  /** Of the onboarding that it is; empty for an item of another table. */
  readonly onboardingId: string;
  /** With what is deflated in it. */
  readonly text: string;
  /** Whether it says that something was erased. */
  readonly isErased: boolean;
};

/** All that the tables hold. */
export async function readTables({
  blueprint,
  clients,
}: Pick<Host, 'blueprint' | 'clients'>): Promise<readonly ItemText[]> {
  const items: ItemText[] = [];
  for (const { name: table, physicalName: TableName } of blueprint.tables)
    for await (const { Items = [] } of paginateScan({ client: clients.dynamodb }, { TableName, ConsistentRead: true }))
      items.push(...Items.map((item) => inWords(table, item)));
  return items;
}

function inWords(table: string, item: Readonly<Record<string, AttributeValue>>): ItemText {
  const bytes = Object.values(item).flatMap(({ B }) => (B === undefined ? [] : [inflateRawSync(B).toString()]));
  return {
    table,
    onboardingId: item['onboardingId']?.S ?? '',
    text: [JSON.stringify(item), ...bytes].join('\n'),
    isErased: item['erasedOn'] !== undefined,
  };
}
