import { busSource } from '#shared/bus/bus.ts';
import { version } from '#shared/version.ts';
import { eventExamples, writeEventSchemas } from './event-reference.ts';

/** What EventBridge puts around each detail. */
const envelope = {
  version: '0',
  id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
  source: busSource,
  account: '123456789012',
  time: '2026-01-02T03:04:06Z',
  region: 'eu-central-1',
  resources: [],
} as const;

const meanings: Readonly<Record<keyof typeof envelope, object>> = {
  version: { type: 'string', description: 'The version of the envelope.' },
  id: {
    type: 'string',
    description: 'The id of the publication. The same event published twice has two: compare sequence and eventId.',
  },
  source: { type: 'string', const: busSource },
  account: { type: 'string', description: 'The account of the bus.' },
  time: { type: 'string', format: 'date-time', description: 'When the event was published. UTC.' },
  region: { type: 'string', description: 'The region of the bus.' },
  resources: { type: 'array', items: { type: 'string' }, description: 'Empty.' },
};

/** `docs/reference/asyncapi.json`: AsyncAPI 3 of what the bus carries, from the schemas that check what is published. */
export function writeAsyncApi() {
  const details = writeEventSchemas();
  const examples = new Map(eventExamples().map((example) => [example.detailType, example.detail]));
  const names = [...details.keys()];
  return {
    asyncapi: '3.1.0',
    info: {
      title: 'Drawbridge bus events',
      version,
      description:
        'What Drawbridge publishes on its EventBridge bus. An event can arrive twice, and out of order: keep the highest sequence of each entity or onboarding. DriftRepaired has the sequence of the change published beside it: compare its sequences only with each other. A new field, and a new word of the platform, can appear in any event.',
      license: { name: 'Apache-2.0' },
    },
    defaultContentType: 'application/json',
    channels: {
      bus: {
        address: 'drawbridge-{environment}',
        title: 'The EventBridge bus',
        parameters: { environment: { description: 'The environment: the name of its settings file.' } },
        messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations: {
      publish: {
        action: 'send',
        channel: { $ref: '#/channels/bus' },
        summary: 'Drawbridge publishes each change and each step. Subscribe with a rule that names the detail-types.',
      },
    },
    components: {
      messages: Object.fromEntries(
        [...details].map(([name, schema]) => [
          name,
          {
            name,
            title: name,
            summary: schema['description'],
            payload: {
              type: 'object',
              properties: {
                ...meanings,
                'detail-type': { type: 'string', const: name },
                detail: { $ref: `#/components/schemas/${name}` },
              },
              required: [...Object.keys(envelope), 'detail-type', 'detail'],
            },
            examples: [{ name, payload: { ...envelope, 'detail-type': name, detail: examples.get(name) } }],
          },
        ]),
      ),
      schemas: Object.fromEntries(
        [...details].map(([name, { type, properties, required }]) => [name, { type, properties, required }]),
      ),
    },
  };
}
