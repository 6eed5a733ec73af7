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

Every event has the source \`drawbridge\`. The detail-type is the name of the event, and [the fields](#fields) are its \`detail\`. Ignore fields
that you do not know. [asyncapi.json](asyncapi.json) has the JSON Schema and an example of each event, in AsyncAPI 3. In the npm package, each schema is also a
file of its own: \`schemas/events/<detail-type>.json\`.

An event can arrive twice, and out of order. \`DriftRepaired\` has the \`sequence\` of the change published beside it: compare its sequences only with
each other. An event without a \`sequence\` is known by its \`eventId\` or \`requestEventId\`. \`…StatusReported\` is published
[where asked for](../how-to/subscribe.md#take-every-reported-status) only.`;

/** `docs/reference/events.md`, from the schemas of what is published: events with the same fields together. */
export function writeEventsPage(schemas: ReadonlyMap<string, unknown>): string {
  const events = [...schemas].map(([name, value]) => ({ name, ...schema.parse(value) }));
  const sections = [...Map.groupBy(events, fieldsOf).values()].map((group) => {
    const named = [...Map.groupBy(group, ofAnyKind)];
    const names = named.map(
      ([description, all]) => `- ${all.map(({ name }) => `\`${name}\``).join(', ')}: ${description}`,
    );
    const heading = `## ${named.map(([, all]) => nameOf(all.map(({ name }) => name))).join(', ')}`;
    return [heading, names.join('\n'), ...group.slice(0, 1).map(listFields)].join('\n\n');
  });
  return `${[preface, ...sections, '## Fields', writeFields(events)].join('\n\n')}\n`;
}

/** What an event about an entity says, in the same words for each kind. */
function ofAnyKind({ description, properties }: Schema): string {
  const kind = z.string().safeParse(properties['kind']?.['const']);
  return kind.success ? description.replace(`the ${kind.data}`, 'the entity') : description;
}

/** Of several names the end that they share, such as `…StatusChanged`. */
function nameOf([first = '', ...others]: readonly string[]): string {
  const ends = [...first.matchAll(/(?=[A-Z])/g)].map(({ index }) => first.slice(index));
  const shared = ends.find((end) => others.every((name) => name.endsWith(end))) ?? '';
  return others.length === 0 ? first : `…${shared}`;
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

/** A field of the same name means the same in each event. @throws if it does not */
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
