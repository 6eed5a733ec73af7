import type { PlantedBug } from './planted-bug.ts';

const commitRecord = 'functions/retry-undelivered/drain/commit-record.ts';
const drain = 'functions/retry-undelivered/drain/drain.ts';
const batchQueue = 'shared/aws/queue.ts';
const drainProgress = 'functions/retry-undelivered/drain/drain-progress.ts';
const undeliveredRecord = 'functions/retry-undelivered/drain/undelivered-record.ts';
const reconcile = 'functions/retry-undelivered/reconcile/reconcile.ts';
const rotateSecret = 'functions/webhook-ingest/register/rotate-secret.ts';
const webhookSecret = 'shared/secrets/webhook-secret.ts';
const versionedSecret = 'shared/secrets/versioned-secret.ts';
const decideRefresh = 'functions/token-refresher/refresh/decide-refresh.ts';

/** Bugs in what runs on a schedule: the drain, reconciliation, the registration of webhooks, and the refresh of the token. */
export const jobBugs: readonly PlantedBug[] = [
  {
    name: 'records are marked before they are committed',
    file: commitRecord,
    find: 'const left = await mapConcurrent(pieces, commitConcurrency,',
    replace: 'const left = pieces.map(({ piece }) => piece); void mapConcurrent(pieces, commitConcurrency,',
    breaks: [2, 5],
  },
  {
    name: 'a page is saved before the pages ahead of it are stored',
    file: drain,
    find: 'finished = Promise.all([work, finished]).then(([result]) => finish(result));',
    replace: 'finished = work.then(finish);',
    breaks: [5, 9],
  },
  {
    name: 'a record is handed over each time it is listed',
    file: commitRecord,
    find: 'return isDone ? undefined : piece;',
    replace: 'return { event, delivery };',
    breaks: [2, 9],
  },
  {
    name: 'a partially accepted SQS batch counts as accepted',
    file: batchQueue,
    find: 'left = left.filter((_, index) => !taken.has(String(index)));',
    replace: 'left = taken.size > 0 ? [] : left;',
    breaks: [3, 5, 12],
  },
  {
    name: 'a checkpoint is saved without its condition',
    file: 'shared/aws/checkpoint.ts',
    find: "'#version = :version',",
    replace: "'attribute_exists(#version) OR #version = :version',",
    breaks: [5, 10, 12],
  },
  {
    name: 'a record counts as settled immediately',
    file: drainProgress,
    find: 'now.getTime() - Date.parse(listedOn) >= settle;',
    replace: 'now.getTime() >= settle;',
    breaks: [5],
  },
  {
    name: 'a malformed record is not stored',
    file: undeliveredRecord,
    find: 'const count = Math.max(1, Math.ceil(bytes.length / pieceSize));',
    replace: 'const count = Math.floor(bytes.length / pieceSize);',
    breaks: [5],
  },
  {
    name: 'a record of another system does not limit the marks',
    file: drainProgress,
    find: 'if (!isOlderThan(bound, createdOn)) return counted;',
    replace: 'return counted;',
    breaks: [5],
  },
  {
    name: 'a refused mark is retried forever',
    file: drain,
    find: 'if (!isRefusal(error)) throw error;',
    replace: 'throw error;',
    breaks: [9],
  },
  {
    name: 'only the last of several records with the same createdOn is marked',
    file: drainProgress,
    find: 'return isAnother ? { ...sofar, ids: [...sofar.ids, id] } : sofar;',
    replace: 'return isAnother ? { ...sofar, ids: [id] } : sofar;',
    breaks: [9],
  },
  {
    name: 'an id or an event type with a lone surrogate counts as valid text',
    file: undeliveredRecord,
    find: 'const word = unicode.check(z.minLength(1));',
    replace: 'const word = z.string().check(z.minLength(1));',
    breaks: [9],
  },
  {
    name: 'a cursor that is too long is saved',
    file: drain,
    find: 'if (!isUsableCursor(following.cursor)) await upcoming;',
    replace: '',
    breaks: [10],
  },
  {
    name: 'a rejected cursor is retried forever',
    file: drain,
    find: 'if (current !== undefined) await journal.save(dropWalk(journal.progress));',
    replace: '',
    breaks: [9],
  },
  {
    name: 'a repeated cursor does not end the walk',
    file: drainProgress,
    find: 'const trail = followTrail(here.trail, here.cursor, cursor, members);',
    replace: 'const trail = cursor === undefined ? undefined : here.trail;',
    breaks: [9],
  },
  {
    name: 'the checkpoint is saved before the repair is sent',
    file: 'functions/retry-undelivered/reconcile/record-checked.ts',
    find: 'await queue.sendAll(findings',
    replace: 'void queue.sendAll(findings',
    breaks: [12],
  },
  {
    name: 'a marked entity is never read back',
    file: reconcile,
    find: 'await checkDue(run);',
    replace: '',
    breaks: [12],
  },
  {
    name: 'an existing registration is not compared',
    file: 'functions/webhook-ingest/register/plan-registrations.ts',
    find: "if (differences.length > 0) return { eventType, action: 'update', differences };",
    replace: '',
    breaks: [1, 9],
  },
  {
    name: 'a registration without the new secret does not restart the overlap',
    file: rotateSecret,
    find: 'if (stored.registeredOn === undefined || isRotated(before)) return stored;',
    replace: 'return stored;',
    breaks: [1],
  },
  {
    name: 'receive keeps its cached secret when a delivery has another one',
    file: webhookSecret,
    find: 'const after = await accepted(minAgeMs);',
    replace: 'const after = before;',
    breaks: [1],
  },
  {
    name: 'a process accepts a retired secret that it knew',
    file: webhookSecret,
    find: 'const before = await accepted(maxAgeMs).catch(cachedInOutage);',
    replace: 'const before = await accepted(Number.POSITIVE_INFINITY);',
    breaks: [8],
  },
  {
    name: 'a failed read of the webhook secret is repeated for each delivery',
    file: webhookSecret,
    find: 'if (!hasPassed(failedAt, minAgeMs))',
    replace: 'if (Number.isNaN(failedAt))',
    breaks: [9],
  },
  {
    name: 'the log contains the new secret',
    file: rotateSecret,
    find: "log.info('webhook secret rotation', { reason: step });",
    replace: "log.info('webhook secret rotation', { reason: value.current });",
    breaks: [8],
  },
  {
    name: 'a version that was rolled back to is never replaced',
    file: versionedSecret,
    find: "return put === 'taken' ? 'superseded' : 'stored';",
    replace: "return put === 'taken' ? 'superseded' : 'stored';\n      if (put === 'taken') return 'superseded';",
    breaks: [7, 9],
  },
  {
    name: 'two concurrent refreshes are both stored',
    file: versionedSecret,
    find: 'successorOf(versionId, attempt);',
    replace: 'successorOf(versionId + text, attempt);',
    breaks: [7],
  },
  {
    name: 'a refused token is kept',
    file: decideRefresh,
    find: "return 'REJECTED';",
    replace: 'return undefined;',
    breaks: [9],
  },
];
