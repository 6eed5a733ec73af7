/** The names of the bugs that `npm test` plants. Each is in another part of the product, and an early history catches it. */
export const sampledBugs: readonly string[] = [
  'a failed message is deleted',
  'the write of an entity has no condition',
  'a change that the bus rejected counts as published',
  'records are marked before they are committed',
  'the drain stops after the first page of the list',
  'a refused token is kept',
  'the log contains the new secret',
  'an onboarding is saved without a condition',
  'an ended onboarding keeps its personal data',
  'a read-back answer counts as an untimed report',
  'a replay starts where the count ended',
];
