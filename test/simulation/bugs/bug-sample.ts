/** The names of the bugs that `npm test` plants: each of another part of the product, and caught by one of the first histories. */
export const sampledBugs: readonly string[] = [
  'a message that failed is deleted',
  'the write of an entity has no condition',
  'what the bus refused counts as published',
  'records are marked before they are committed',
  'the list is taken to end with its first page',
  'a token that was refused is kept',
  'the log tells the new secret',
  'an onboarding is saved without a condition',
  'an onboarding that has ended keeps its personal data',
  'an answer counts as untimed news',
  'what SQS did not take counts as replayed',
];
