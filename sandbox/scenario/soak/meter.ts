import { paginateScan } from '@aws-sdk/client-dynamodb';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import type { Host } from '#sandbox/aws/host.ts';
import { keptMebibytes } from '#sandbox/aws/lambda/kept-memory.ts';

/** Numbers by the names of what they count. */
export type Figures = Readonly<Record<string, number>>;

/** `reconcile` compares each person of the platform once a day, so its requests grow with the persons, as they do in an account. */
export const growing = 'dynamodb by reconcile';

/** Counts the requests of all functions, by the service that they go to. */
export function createRequestCounter() {
  const requests = new Map<string, number>();
  const add = (service: string) => requests.set(service, (requests.get(service) ?? 0) + 1);
  return {
    /** Pollers of queues and the scenario have no name: their requests depend on real time. */
    onAwsCall: ({ when, caller, service }: AwsCallMoment): void => {
      if (when !== 'before' || caller === undefined) return;
      add(caller === 'reconcile' && service === 'dynamodb' ? growing : service);
    },
    onPlatformCall: (): void => {
      add('platform');
    },
    requests: (): Figures => Object.fromEntries(requests),
  };
}

export type RequestCounter = ReturnType<typeof createRequestCounter>;

/** Counts the rows of each table. */
export async function countRows({ blueprint, clients }: Pick<Host, 'blueprint' | 'clients'>): Promise<Figures> {
  const rows: Record<string, number> = {};
  for (const { name, physicalName: TableName } of blueprint.tables) {
    rows[name] = 0;
    for await (const { Count = 0 } of paginateScan({ client: clients.dynamodb }, { TableName, Select: 'COUNT' }))
      rows[name] += Count;
  }
  return rows;
}

/** The emulators, the platform and the scenario share a process. The rows of the tables are in files. */
const ownProcess = 'emulators and platform, less what is stored';

export type MemoryMeterDeps = {
  readonly functions: Pick<Host['functions'], 'functions'>;
  /** What the platform stores, and what the scenario keeps to compare with in the end. Its memory is subtracted. */
  readonly stored: () => unknown;
};

/** Samples the memory of each process. */
export function createMemoryMeter({ functions, stored }: MemoryMeterDeps) {
  let samples = new Map<string, number[]>();
  const add = (name: string, mebibytes: number) => samples.set(name, [...(samples.get(name) ?? []), mebibytes]);
  return {
    sample: async (): Promise<void> => {
      add(ownProcess, await keptMebibytesWithout(stored));
      await Promise.all(
        functions.functions.map(async (hosted) => {
          const sizes = await hosted.keptMebibytes();
          if (sizes.length > 0) add(hosted.name, Math.max(...sizes));
        }),
      );
    },
    /** The median of the samples since the last call, by process: for a function, of its largest process. */
    take: (): Figures => {
      const medians = [...samples].map(([name, values]) => [name, medianOf(values)]);
      samples = new Map();
      return Object.fromEntries(medians);
    },
  };
}

/** What a copy of the data takes in memory, the data takes, too. Their JSON is several times smaller. */
async function keptMebibytesWithout(data: () => unknown): Promise<number> {
  const before = await keptMebibytes();
  const copies = [structuredClone(data())];
  const withCopy = await keptMebibytes();
  // Until here, so that V8 keeps the copy.
  copies.length = 0;
  return before - (withCopy - before);
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
