import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import { erasingLane, onboardingKeys } from './onboarding-keys.ts';
import type { OnboardingListDeps } from './onboarding-list.ts';

/** The erasure of a person that has begun and not ended. */
export type UnfinishedErasure = {
  readonly onboardingId: string;
  /** ISO 8601, UTC. */
  readonly erasingOn: string;
};

/** Lists the erasures that have begun and not ended, the earliest first. */
export type ListErasures = (limit: number) => Promise<readonly UnfinishedErasure[]>;

/** An erasure of release 0.2.0 is in no list until its request is repeated. */
export function createListErasures({ dynamodb, tableName: TableName, now }: OnboardingListDeps): ListErasures {
  const { listed, partition, timeToLive } = onboardingKeys;
  return async (limit) => {
    const seconds = now().getTime() / 1_000;
    const found: UnfinishedErasure[] = [];
    let start: Record<string, AttributeValue> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await dynamodb.send(
        new QueryCommand({
          TableName,
          IndexName: listed.index,
          KeyConditionExpression: '#lane = :lane',
          ExpressionAttributeNames: { '#lane': listed.partition },
          ExpressionAttributeValues: { ':lane': { S: erasingLane } },
          Limit: limit - found.length,
          ExclusiveStartKey: start,
        }),
      );
      // TTL deletes days late: an expired row counts as absent. An erased row does not expire.
      for (const { [partition]: id, [listed.sort]: on, [timeToLive]: expiresAt } of Items)
        if (expiresAt?.N === undefined || Number(expiresAt.N) > seconds)
          found.push({ onboardingId: id?.S ?? '', erasingOn: on?.S ?? '' });
      start = LastEvaluatedKey;
    } while (start !== undefined && found.length < limit);
    return found;
  };
}
