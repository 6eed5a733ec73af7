import type { PlantedBug } from './planted-bug.ts';

const reconcileWalk = 'functions/retry-undelivered/reconcile/reconcile-walk.ts';
const looks = 'functions/retry-undelivered/reconcile/detect-drift.ts';
const reconcileProgress = 'functions/retry-undelivered/reconcile/reconcile-progress.ts';
const readBack = 'shared/events/read-back.ts';
const replay = 'functions/webhook-ingest/replay/replay.ts';
const walkListing = 'shared/events/walk-lanes.ts';
const store = 'functions/webhook-ingest/store/store-record.ts';

/** Bugs in reconciliation and in the replay of quarantined events. */
export const reconcileBugs: readonly PlantedBug[] = [
  {
    name: 'only the first page of the persons is reconciled',
    file: reconcileProgress,
    find: "return trail === undefined ? { ...others, phase: 'verifications' } : { ...others, cursor, trail };",
    replace: "return { ...others, phase: 'verifications', ...(cursor === '-' && { cursor, trail }) };",
    breaks: [9, 12],
  },
  {
    name: 'the checkpoint is saved before the repair is sent',
    file: reconcileWalk,
    find: 'await queue.sendAll(findings',
    replace: 'void queue.sendAll(findings',
    breaks: [12],
  },
  {
    name: 'a change within the grace period counts as drift',
    file: looks,
    find: 'if (differed.length === 0 || isUnderWay(platformState)) return undefined;',
    replace: 'if (differed.length === 0) return undefined;',
    breaks: [12],
  },
  {
    name: 'a read-back answer settles nothing',
    file: readBack,
    find: 'readBack: { readOn, ...(answers !== undefined && { answers }) },',
    replace: 'readBack: { readOn },',
    breaks: [4, 9, 12],
  },
  {
    name: 'a run in report mode repairs',
    file: reconcileWalk,
    find: 'if (repairs) await queue.sendAll(',
    replace: 'await queue.sendAll(',
    breaks: [12],
  },
  {
    name: 'each run begins a new walk',
    file: reconcileProgress,
    find: 'walk: walked ?? newWalk(now) };',
    replace: 'walk: newWalk(now) };',
    breaks: [12],
  },
  {
    name: 'a marked entity is never read back',
    file: reconcileWalk,
    find: 'await passMarked(run);',
    replace: '',
    breaks: [12],
  },
  {
    name: 'verifications are not reconciled',
    file: looks,
    find: "return age >= limits.readBackAfter ? 'quiet' : undefined;",
    replace: 'return undefined;',
    breaks: [12],
  },
  {
    name: 'a read-back answer counts as an untimed report',
    file: readBack,
    find: 'placed: { kind, id, report: { status, modifiedOn } },',
    replace: 'placed: { kind, id, report: { status } },',
    breaks: [4, 9, 12],
  },
  {
    name: 'a read-back answer settles reports that were received after the query',
    file: looks,
    find: 'const answers = entity.heardOn;',
    replace: 'const answers = (await entityStore.read(key))?.heardOn;',
    breaks: [12],
  },
  {
    name: 'replay reads only the first page of a lane',
    file: walkListing,
    find: "at = page.next ?? 'end';",
    replace: "at = 'end';",
    breaks: [3],
  },
  {
    name: 'an event that SQS refused counts as replayed',
    file: replay,
    find: 'await queue.sendAll(',
    replace: 'void queue.sendAll(',
    breaks: [3],
  },
  {
    name: 'a replayed event keeps its old classification',
    file: store,
    find: 'if (event.quarantineReason !== quarantineReason) await eventStore.quarantine(eventId, event.quarantineReason);',
    replace: '',
    breaks: [9],
  },
  {
    name: 'an event leaves quarantine before its effect',
    file: store,
    find: 'await applyEvent({ ...event, ...named, eventId, receivedOn, firstReceivedOn: firstReceivedOn(row) });\n    if (event.quarantineReason',
    replace:
      'void applyEvent({ ...event, ...named, eventId, receivedOn, firstReceivedOn: firstReceivedOn(row) });\n    if (event.quarantineReason',
    breaks: [2, 3],
  },
  {
    name: 'an erased person counts as drift',
    file: 'functions/retry-undelivered/reconcile/detect-drift.ts',
    find: 'if (entity === undefined && (await entityStore.isErased(key))) return undefined;',
    replace: '',
    breaks: [8, 12],
  },
];
