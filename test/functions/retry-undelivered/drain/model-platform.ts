import { createHash } from 'node:crypto';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';

export const listOrders = ['ascending', 'descending', 'shuffled', 'by event type'] as const;
export const cursorKinds = ['keyset', 'offset', 'snapshot'] as const;
export const listEnds = ['empty', 'null', 'absent', 'repeated'] as const;
export const tieRules = ['all', 'by id', 'none'] as const;

export type ModelPlatformOptions = {
  readonly order: (typeof listOrders)[number];
  readonly cursors: (typeof cursorKinds)[number];
  /** What the cursor of the last page is. */
  readonly end: (typeof listEnds)[number];
  /** Which of the records with the createdOn of the one that is marked are marked, too. */
  readonly ties: (typeof tieRules)[number];
  /** What a mark of no undelivered webhook is answered with. */
  readonly unknownMark: 400 | 404;
};

/** An undelivered webhook as the platform sees it. */
export type ModelRecord = {
  readonly id: string;
  /** What the platform goes by, independent of the shown record. */
  readonly createdOn: string;
  /** The element of the list: an object, or any other value. */
  readonly shown: unknown;
};

export type ModelPlatform = {
  readonly records: () => readonly ModelRecord[];
  readonly add: (record: ModelRecord) => void;
  /** Gets what is marked before it is removed. */
  readonly onMark: (listener: (marked: readonly ModelRecord[]) => void) => void;
  /** Answers in the place of the platform, from now on, if it gives an answer. */
  readonly intercept: (answer: (request: Request) => Response | undefined) => void;
  readonly answer: (request: Request) => Promise<Response>;
};

/** The undelivered webhooks of a platform (section 2.2), of any of the kinds that the specification leaves open. */
export function createModelPlatform(options: ModelPlatformOptions): ModelPlatform {
  let records: readonly ModelRecord[] = [];
  let listener: (marked: readonly ModelRecord[]) => void = () => undefined;
  let intercepted: (request: Request) => Response | undefined = () => undefined;
  const snapshots: (readonly ModelRecord[])[] = [];

  function list({ searchParams }: URL): Response {
    const asked = searchParams.get('cursor') ?? undefined;
    const limit = Number(searchParams.get('limit'));
    const all = records.toSorted((one, other) =>
      sortKey(one, options.order) < sortKey(other, options.order) ? -1 : 1,
    );
    const { page, next } = pages[options.cursors](
      options.order === 'descending' ? all.toReversed() : all,
      asked,
      limit,
    );
    const cursor = next ?? lastCursor(options.end, asked);
    return Response.json({ data: page.map(({ shown }) => shown), pagination: { cursor, limit } });
  }

  type Paging = (
    all: readonly ModelRecord[],
    asked: string | undefined,
    limit: number,
  ) => { readonly page: readonly ModelRecord[]; readonly next: string | undefined };

  const slice = (all: readonly ModelRecord[], start: number, limit: number, cursorAt: (end: number) => string) => {
    const end = start + limit;
    return { page: all.slice(start, end), next: end < all.length ? cursorAt(end) : undefined };
  };

  const pages: Readonly<Record<ModelPlatformOptions['cursors'], Paging>> = {
    offset: (all, asked, limit) => slice(all, Number(asked ?? 0), limit, String),
    keyset: (all, asked, limit) => {
      const key = (record: ModelRecord) => sortKey(record, options.order);
      const isAfter = (record: ModelRecord) =>
        asked === undefined || (options.order === 'descending' ? key(record) < asked : key(record) > asked);
      const left = all.filter(isAfter);
      return slice(left, 0, limit, (end) => key(left[end - 1] as ModelRecord));
    },
    snapshot: (all, asked, limit) => {
      const [number = snapshots.push(all) - 1, start = 0] = asked?.split(':').map(Number) ?? [];
      return slice(snapshots[number] ?? [], start, limit, (end) => `${number}:${end}`);
    },
  };

  function mark(id: string): Response {
    const newest = records.find((record) => record.id === id);
    if (newest === undefined) return Response.json({ message: 'unknown' }, { status: options.unknownMark });
    const marked = records.filter((record) => isMarkedBy(record, newest, options.ties));
    listener(marked);
    records = records.filter((record) => !marked.includes(record));
    return new Response(null, { status: 200 });
  }

  return {
    records: () => records,
    add: (record) => {
      records = [...records, record];
    },
    onMark: (next) => {
      listener = next;
    },
    intercept: (next) => {
      intercepted = next;
    },
    answer: async (request) => {
      const other = intercepted(request);
      if (other !== undefined) return other;
      if (request.method === 'GET') return list(new URL(request.url));
      const { undeliveredWebhookId } = (await request.json()) as { undeliveredWebhookId: string };
      return mark(undeliveredWebhookId);
    },
  };
}

function isMarkedBy(record: ModelRecord, newest: ModelRecord, ties: ModelPlatformOptions['ties']): boolean {
  const order = compareTimestamps(record.createdOn, newest.createdOn);
  if (order !== 0) return order < 0;
  return ties === 'all' || record.id === newest.id || (ties === 'by id' && record.id < newest.id);
}

function sortKey({ id, createdOn, shown }: ModelRecord, order: ModelPlatformOptions['order']): string {
  // Sorts as text: every createdOn of the model has the same number of digits.
  if (order === 'shuffled') return createHash('md5').update(id).digest('hex');
  return order === 'by event type' ? `${JSON.stringify(shown).length % 3} ${createdOn} ${id}` : `${createdOn} ${id}`;
}

/** The platform of a test ends a list in its own way. */
function lastCursor(end: ModelPlatformOptions['end'], asked: string | undefined): string | null | undefined {
  if (end === 'repeated') return asked ?? '';
  return { empty: '', null: null, absent: undefined }[end];
}
