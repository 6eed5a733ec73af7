import type { PlantedBug } from './planted-bug.ts';

const checkpoint = 'shared/aws/checkpoint.ts';
const drain = 'functions/retry-undelivered/drain/drain.ts';
const drainProgress = 'functions/retry-undelivered/drain/drain-progress.ts';
const reconcileProgress = 'functions/retry-undelivered/reconcile/reconcile-progress.ts';

/** Bugs in the progress of jobs: checkpoints, the drain, reconciliation, replay. */
export const progressBugs: readonly PlantedBug[] = [
  {
    name: 'a run saves its checkpoint once and then conflicts with itself',
    file: checkpoint,
    find: 'version += 1;',
    replace: '',
    breaks: [5, 9, 12],
  },
  {
    name: 'a run continues from outdated progress',
    file: checkpoint,
    find: 'progress = next;',
    replace: '',
    breaks: [5, 9, 12],
  },
  {
    name: 'an answered mark stays pending',
    file: drain,
    find: 'await journal.save(endMark({ ...journal.progress, mark: pending }, isMarked));',
    replace: '',
    breaks: [9],
  },
  {
    name: 'a horizon is never replaced',
    file: drainProgress,
    find: 'candidate: isSettled ? undefined : candidate,',
    replace: 'candidate,',
    breaks: [9],
  },
  {
    name: 'the last shard of the entities to read back is skipped',
    file: reconcileProgress,
    find: 'return following === end ?',
    replace: 'return (following + 1) % readBackShards.length === end ?',
    breaks: [12],
  },
  {
    name: 'the verifications of onboardings are skipped',
    file: reconcileProgress,
    find: "return trail === undefined ? { ...others, phase: 'verifications' } : { ...others, cursor, trail };",
    replace: "return trail === undefined ? { ...others, phase: 'entities' } : { ...others, cursor, trail };",
    breaks: [9, 12],
  },
  {
    name: 'a replay starts where the count ended',
    file: 'functions/webhook-ingest/replay/replay-run.ts',
    find: "phase: 'sending', lanes: beginLanes(counted.lanes.length) } };",
    replace: "phase: 'sending' } };",
    breaks: [3, 9],
  },
  {
    name: 'a quarantined event is not in the index of the quarantine',
    file: 'shared/events/event-row.ts',
    find: 'quarantineShard: { S: shardOf(event.eventId) },',
    replace: '',
    breaks: [3, 9],
  },
];
