import type { PlantedBug } from './planted-bug.ts';

/** Bugs that once survived. Each needs a fault or a webhook at a moment that early histories did not have. */
export const survivorBugs: readonly PlantedBug[] = [
  {
    name: 'a rotation accepts only the new secret',
    file: 'functions/webhook-ingest/register/rotate-secret.ts',
    find: '{ current: deps.newSecret(), previous: stored.current }',
    replace: '{ current: deps.newSecret() }',
    breaks: [1],
  },
  {
    name: 'the previous secret is retired at the next run',
    file: 'functions/webhook-ingest/register/decide-rotation.ts',
    find: "return hasPassed(registeredOn, rules.overlap) ? 'retire' : 'wait';",
    replace: "return 'retire';",
    breaks: [1],
  },
  {
    name: 'a message that timed out is deleted',
    file: 'shared/lambda/handler.ts',
    find: "log.warn('message timed out', { messageId, receives, deliveryId, eventId, onboardingId });",
    replace: 'return undefined;',
    breaks: [2, 3],
  },
  {
    name: 'a checkpoint is saved without its condition',
    file: 'shared/aws/checkpoint.ts',
    find: "'#version = :version',",
    replace: "'attribute_exists(#version) OR #version = :version',",
    breaks: [5, 12],
  },
  {
    name: 'a rejected cursor is retried forever',
    file: 'functions/retry-undelivered/drain/drain.ts',
    find: 'if (isUnderWay) await journal.save(giveUpWalk(journal.progress));',
    replace: '',
    breaks: [9],
  },
  {
    name: 'a repeated cursor does not end the walk',
    file: 'functions/retry-undelivered/drain/drain-progress.ts',
    find: 'const trail = followTrail(walked.trail, walked.cursor, cursor);',
    replace: 'const trail = cursor === undefined ? undefined : walked.trail;',
    breaks: [9],
  },
  {
    name: 'a process accepts a retired secret that it knew',
    file: 'shared/secrets/webhook-secret.ts',
    find: 'const before = await accepted(maxAgeMs).catch(cachedInOutage);',
    replace: 'const before = await accepted(Number.POSITIVE_INFINITY);',
    breaks: [8],
  },
  {
    name: 'only the first batch of many messages is sent',
    file: 'shared/aws/batch-queue.ts',
    find: 'Math.ceil(texts.length / batchSize)',
    replace: 'Math.min(texts.length, 1)',
    breaks: [5],
  },
];
