/** `@drawbridge-partner/drawbridge/testing`: events, batches, a store, the platform and the laptop, for tests with vitest, node:test or any other. */
export { inMemorySequences } from '#package/events/sequence-store.ts';
export { busEvent, type SqsRecord, sqsBatch } from '#package/testing/bus-event.ts';
export {
  type Fault,
  type StartLaptopOptions,
  startLaptop,
  startPlatform,
  type TestLaptop,
  type TestPlatform,
  type Trigger,
  triggers,
} from '#package/testing/sandbox.ts';
