import * as z from 'zod';
import { generated } from '#docs/generate/generated.ts';
import { writeTable } from '#docs/generate/write-table.ts';

const schema = z.looseObject({
  description: z.string(),
  properties: z.record(z.string(), z.looseObject({ description: z.string() })),
  required: z.array(z.string()),
});

type Schema = z.infer<typeof schema>;

const preface = `${generated}

# Bus events

*For engineers whose systems consume the bus.* [Subscribe to changes](../how-to/subscribe.md) shows how.

Every event has the source \`drawbridge\`. The detail-type is the name of the event, and [the fields](#fields) are its \`detail\`. Each name leads to its JSON
Schema. [asyncapi.json](asyncapi.json) has all of them in AsyncAPI 3, with the envelope of EventBridge and an example of each. A new field can appear in any event: ignore what you do not know.

An event can arrive twice, and out of order. To show the latest state, keep the highest \`sequence\` per entity or onboarding. To book, handle each \`sequence\` once. An event without a
\`sequence\` is known by its \`eventId\` or \`requestEventId\`. \`…StatusReported\` is published [where asked for](../how-to/subscribe.md#take-every-reported-status) only.`;

/** `docs/reference/events.md`, from the schemas of what is published: events with the same fields together. */
export function writeEventsPage(schemas: ReadonlyMap<string, unknown>): string {
  const events = [...schemas].map(([name, value]) => ({ name, ...schema.parse(value) }));
  const sections = [...Map.groupBy(events, fieldsOf).values()].map((group) => {
    const names = group.map(({ name, description }) => `- [\`${name}\`](../events/${name}.json): ${description}`);
    const heading = `## ${group.map(({ name }) => name).join(', ')}`;
    return [heading, names.join('\n'), ...group.slice(0, 1).map(listFields)].join('\n\n');
  });
  return `${[preface, ...sections, '## Fields', writeFields(events)].join('\n\n')}\n`;
}

/** Two events with the same text here have the same list. */
function fieldsOf({ properties, required }: Schema): string {
  return JSON.stringify([Object.keys(properties), required]);
}

function listFields({ properties, required }: Schema): string {
  const names = (isWanted: (field: string) => boolean) =>
    Object.keys(properties)
      .filter(isWanted)
      .map((field) => `\`${field}\``)
      .join(', ');
  const optional = names((field) => !required.includes(field));
  return `Always: ${names((field) => required.includes(field))}.${optional === '' ? '' : ` Sometimes: ${optional}.`}`;
}

/** A field of the same name means the same in each event. @throws where it does not */
function writeFields(events: readonly Schema[]): string {
  const meanings = new Map<string, string>();
  for (const [field, { description }] of events.flatMap(({ properties }) => Object.entries(properties))) {
    if ((meanings.get(field) ?? description) !== description) throw new Error(`${field} has two meanings.`);
    meanings.set(field, description);
  }
  return writeTable(
    ['Field', 'Meaning'],
    [...meanings].map(([field, meaning]) => [`\`${field}\``, meaning]),
  );
}
