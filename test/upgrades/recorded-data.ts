import { appendFileSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import type { Host } from '#sandbox/aws/host.ts';
import { toJson } from './stored-json.ts';
import { type StoredKind, storedReaders } from './stored-readers.ts';

const directory = join(dirname(dirname(import.meta.dirname)), 'node_modules/.cache/drawbridge/stored-data');

const storedKinds = z.enum(Object.keys(storedReaders) as [StoredKind, ...StoredKind[]]);
const storedDatum = z.object({ kind: storedKinds, shape: z.string(), stored: z.string() });

/** Something that a function stored: a row, a message or a secret. Of each shape there is one. */
export type StoredDatum = z.infer<typeof storedDatum>;

const recorded = new Set<string>();

/** Forgets what the last run recorded. */
export function beginRecordingData(): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
}

/** What the functions stored in the last run of the tests, one of each shape, in a fixed order of shapes. */
export function readRecordedData(): readonly StoredDatum[] {
  const all = globSync(join(directory, '*.jsonl'))
    .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
    .map((line) => storedDatum.parse(JSON.parse(line)));
  const ofShapes = new Map(all.map((datum) => [datum.shape, datum]));
  return [...ofShapes.values()].toSorted((one, other) => (one.shape < other.shape ? -1 : 1));
}

const sendMessage = z.object({ QueueUrl: z.string(), MessageBody: z.string() });
const sendMessageBatch = z.object({
  QueueUrl: z.string(),
  Entries: z.array(z.object({ MessageBody: z.string() })),
});
const putSecret = z.object({ SecretId: z.string(), SecretString: z.string() });

/** Records the messages that functions send, and the secrets that they put. */
export function recordStoredData({ when, caller, operation, input }: AwsCallMoment): void {
  if (when !== 'after' || caller === undefined) return;
  if (operation === 'SendMessage') {
    const { QueueUrl, MessageBody } = sendMessage.parse(input());
    record(`queue ${nameOf(QueueUrl)}`, MessageBody);
  } else if (operation === 'SendMessageBatch') {
    const { QueueUrl, Entries } = sendMessageBatch.parse(input());
    for (const { MessageBody } of Entries) record(`queue ${nameOf(QueueUrl)}`, MessageBody);
  } else if (operation === 'PutSecretValue') {
    const { SecretId, SecretString } = putSecret.parse(input());
    record(`secret ${nameOf(SecretId)}`, withoutSecrets(SecretString));
  }
}

/** Records the rows of all tables. */
export async function recordRows({ blueprint, clients }: Pick<Host, 'blueprint' | 'clients'>): Promise<void> {
  for (const { name, physicalName } of blueprint.tables)
    for (const item of await readAll(clients.dynamodb, physicalName)) {
      const job = item['job']?.S;
      record(job === undefined ? `table ${name}` : `table ${name}, ${job}`, item);
    }
}

async function readAll(dynamodb: DynamoDBClient, TableName: string) {
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName }));
  return Items;
}

function record(kind: string, stored: unknown): void {
  const parsed = storedKinds.safeParse(kind);
  if (!parsed.success) return;
  const shape = `${kind}: ${shapeOf(stored)}`;
  if (recorded.has(shape)) return;
  recorded.add(shape);
  const datum = { kind: parsed.data, shape, stored: toJson(stored) } satisfies StoredDatum;
  appendFileSync(join(directory, `${process.pid}.jsonl`), `${JSON.stringify(datum)}\n`);
}

/** The last word of a queue's URL or of a secret's ARN, without stack and environment: `webhooks`. */
function nameOf(identifier: string): string {
  return identifier.replace(/\.fifo$/, '').replace(/^.*drawbridge-[a-z]+-(?:data|service)-/, '');
}

/** The names of its fields, and of those of each text that is JSON. */
function shapeOf(stored: unknown): string {
  const value: unknown = typeof stored === 'string' ? JSON.parse(stored) : stored;
  if (typeof value !== 'object' || value === null) return typeof value;
  if (Array.isArray(value)) return `[${[...new Set(value.map(shapeOf))].toSorted().join(' ')}]`;
  return `{${Object.entries(value)
    .map(([name, field]) => `${name}${fieldShape(field)}`)
    .toSorted()
    .join(' ')}}`;
}

function fieldShape(field: unknown): string {
  const attribute = z.object({ S: z.string().startsWith('{') }).safeParse(field);
  return attribute.success ? shapeOf(attribute.data.S) : '';
}

/** No token or secret is kept, not even one of a sandbox: only how long it is and what stands beside it. */
function withoutSecrets(text: string): string {
  const hidden = new Set(['accessToken', 'current', 'previous']);
  return JSON.stringify(
    JSON.parse(text, (key, value: unknown) => (hidden.has(key) ? 's'.repeat(String(value).length) : value)),
  );
}
