import { generated } from '#docs/generate/generated.ts';
import { writeTable } from '#docs/generate/write-table.ts';
import { entityRules, transactionStatusOf } from '#shared/entities/statuses/entity-rules.ts';
import type { StatusTable } from '#shared/entities/statuses/status-table.ts';
import { type EntityKind, entityKinds } from '#shared/platform/profile/event-place.ts';

/** `docs/reference/states.md`: each status table as a diagram (Mermaid) and as tables, from the data that decide. */
export function writeStates(): string {
  const sections = entityKinds.map((kind) => writeKind(kind, entityRules[kind].statuses.table));
  return `${[preface, ...sections, writeDeclared()].join('\n\n')}\n`;
}

const preface = `${generated}

# States

*For engineers who read the status of an entity, from the API or from the bus.* The section numbers, and the word "observed", are those of
[the platform](platform.md).

## Which status is shown

A report is what a webhook, an undelivered record or an answer of the platform says about an entity. The same reports result in the same status in every
order and repetition:

1. A report with a \`modifiedOn\` is timed. The latest \`modifiedOn\` decides, to the nanosecond.
2. At the same \`modifiedOn\`, the status that ranks highest decides.
3. An untimed report of an order or a transfer decides if its status ranks above the status of every timed report. Of several, the highest decides. The
   entity then has no \`modifiedOn\`.
4. An untimed report of a person or a verification decides nothing. Drawbridge reads the entity back from the platform. It also does so when statuses with
   the same \`modifiedOn\` can follow each other either way. The platform's answer with that \`modifiedOn\` then decides, unless the status is final.

## How statuses rank

The tables list statuses from the lowest to the highest. An entity can skip statuses: the platform notifies of some never, and of others late.

An unknown status is a word that the table does not have:

- It is shown as it came.
- It ranks below every status that can follow another one, and above a status that nothing precedes, such as RECEIVED. So it never hides FILLED or a final
  status that has the same \`modifiedOn\`, or none.
- Of two unknown statuses, the one that was first received later ranks higher. For an undelivered record, that is its \`createdOn\`.
- Of each entity, 8 unknown statuses are kept: the first 8 in the order of their texts. Of all others together, the latest timed report is kept, below the 8.

## Anomalies

An anomaly is a contradiction of a final status, as the tables have it:

- \`SETTLED → PENDING\`: the platform dates PENDING after SETTLED, by the first \`modifiedOn\` of SETTLED and the last one of PENDING.
- \`REJECTED and SETTLED\`: the platform reported two final statuses, at any times.

A transition that the tables do not have is not an anomaly. An anomaly is kept forever. The rules above still decide on the status.`;

function writeDeclared(): string {
  return [
    `## Statuses that an environment declares

[Declare](../how-to/declare-statuses.md) statuses that the tables do not have in \`platformProfile.statuses\` of the settings file:`,
    writeTable(
      ['Field', 'What it says'],
      [
        ['`status`', 'the word, as the platform writes it'],
        ['`after`', 'the place in the order: directly above this status, or below all others at `(none)`'],
        ['`final`', 'whether nothing follows the status. Final statuses rank above all that are not final'],
        ['`from`', 'the statuses that it can follow directly; `(none)` where it can be the first'],
        ['`to`', 'the statuses that can follow it directly. Not of a final status'],
        ['`resting`', 'optional: whether an entity can stay in the status, so that reconciliation expects no other'],
        ['`meaning`', 'optional, at most 100 characters'],
      ],
    ),
    `A declaration that cannot hold stops \`cdk synth\`. No transition leaves a final status or goes down in the order. Statuses of persons and
verifications can come back, those of orders and transfers cannot.

From the deployment on a declared status counts as known, also in entities that were reported with it before. What the declaration changes by
itself is not published. Where you remove a declaration, \`GET /entities/{kind}\` lists entities of the status only by \`status\`, until their next
write.`,
  ].join('\n\n');
}

function writeKind(kind: EntityKind, table: StatusTable): string {
  return [
    `## ${table.title} (section ${table.section})`,
    drawDiagram(table),
    writeTable(
      ['Status', 'Meaning', 'Final', ...(hasTransactions(kind, table) ? ['Transaction status (3.5)'] : [])],
      table.statuses.map(({ status, meaning, final }) => [
        status,
        meaning,
        final ? 'yes' : '',
        ...(hasTransactions(kind, table) ? [transactionStatusOf(kind, status) ?? ''] : []),
      ]),
    ),
    writeSources(table),
  ].join('\n\n');
}

/** Where each transition of the diagram comes from. */
function writeSources({ transitions }: StatusTable): string {
  return [...Map.groupBy(transitions, ({ source }) => source)]
    .map(([source, group]) => {
      const arrows = [...Map.groupBy(group, ({ from }) => from)].map(
        ([from, next]) => `${from} → ${next.map(({ to }) => to).join('/')}`,
      );
      return `- ${source}: ${arrows.join(', ')}`;
    })
    .join('\n');
}

function hasTransactions(kind: EntityKind, { statuses }: StatusTable): boolean {
  return statuses.some(({ status }) => transactionStatusOf(kind, status) !== undefined);
}

function drawDiagram({ statuses, transitions }: StatusTable): string {
  const arrows = transitions.map(({ from, to }) => `  ${from === '(none)' ? '[*]' : from} --> ${to}`);
  const ends = statuses.filter(({ final }) => final).map(({ status }) => `  ${status} --> [*]`);
  return ['```mermaid', 'stateDiagram-v2', ...arrows, ...ends, '```'].join('\n');
}
