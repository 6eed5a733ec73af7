import { type AttributeValue, type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { parseJson } from '#shared/parse-json.ts';
import { ifConditionHolds } from './dynamodb.ts';

/** The key of the checkpoints table: the stacks create it, checkpoints use it. */
export const checkpointKeys = { partition: 'job' } as const;

/** What a job has done so far, for its next run. */
export type Checkpoint<Progress> = { readonly open: () => Promise<Journal<Progress>> };

/** The checkpoint in the hands of one run. */
export type Journal<Progress> = {
  /** As it was read, or as this run last saved it. */
  readonly progress: Progress;
  /** @throws {CheckpointConflictError} when another run has saved since */
  readonly save: (progress: Progress) => Promise<void>;
};

export type CheckpointDeps<Schema extends z.ZodMiniType> = {
  readonly dynamodb: Pick<DynamoDBClient, 'send'>;
  readonly tableName: string;
  readonly job: string;
  /** The schema of the progress. It must accept `{}`, the beginning. */
  readonly schema: Schema;
};

/** Another run of the job has saved since: this one must end, and touch nothing more. */
export class CheckpointConflictError extends DrawbridgeError {
  constructor(message: string, options?: ErrorOptions) {
    super('CheckpointConflictError', message, options);
  }
}

const row = z.object({ version: z.object({ N: z.string() }), progress: z.object({ S: z.string() }) });

/**
 * A row of the checkpoints table, with a version: of runs that overlap, one saves, and the others learn of it. What
 * cannot be read, such as that of another release, counts as the beginning.
 */
export function createCheckpoint<Schema extends z.ZodMiniType>(
  deps: CheckpointDeps<Schema>,
): Checkpoint<z.output<Schema>> {
  const { dynamodb, tableName, job, schema } = deps;
  const Key = { [checkpointKeys.partition]: { S: job } };

  async function open(): Promise<Journal<z.output<Schema>>> {
    const { Item } = await dynamodb.send(new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true }));
    const stored = readRow(Item);
    const parsed = schema.safeParse(parseJson(stored.text));
    let progress = parsed.success ? parsed.data : schema.parse({});
    let version = stored.version;
    return {
      get progress() {
        return progress;
      },
      save: async (next) => {
        await replace(version, next);
        version += 1;
        progress = next;
      },
    };
  }

  async function replace(version: number, progress: z.output<Schema>): Promise<void> {
    const command = new PutItemCommand({
      TableName: tableName,
      Item: { ...Key, version: { N: String(version + 1) }, progress: { S: JSON.stringify(progress) } },
      ConditionExpression: version === 0 ? 'attribute_not_exists(#version)' : '#version = :version',
      ExpressionAttributeNames: { '#version': 'version' },
      ...(version > 0 && { ExpressionAttributeValues: { ':version': { N: String(version) } } }),
    });
    if ((await ifConditionHolds(dynamodb.send(command))) === undefined)
      throw new CheckpointConflictError(`Another run of ${job} has continued from here: this run ends.`);
  }

  return { open };
}

function readRow(item: Record<string, AttributeValue> | undefined): { version: number; text: string } {
  if (item === undefined) return { version: 0, text: '{}' };
  const { version, progress } = z.parse(row, item);
  return { version: Number(version.N), text: progress.S };
}
