import * as z from 'zod';
import { requestPath } from '#cli/command/request-url.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { drawStates, pathOf } from '#cli/console/diagrams/draw-states.ts';
import { readDeployedSettings } from '#cli/deployment/deployed-settings.ts';
import { readEntity } from '#cli/entities/show-entity.ts';
import { compareWithPlatform, describeComparison } from '#cli/reconcile/compare-with-platform.ts';
import { entityListAnswer } from '#shared/api/query-answers.ts';
import { entityRules, type RulesByKind, rulesWith } from '#shared/entities/statuses/entity-rules.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import { defineRead } from './define-read.ts';
import { explainEffect } from './explain-effect.ts';

const kind = z.enum(entityKinds);

const listQuery = z.object({
  kind,
  status: z.string().optional(),
  changedFrom: z.string().optional(),
  changedTo: z.string().optional(),
  cursor: z.string().optional(),
});

const pageSize = '50';

/** Orders, transfers, persons and verifications. */
export function createEntityReads({ deployment }: Pick<ConsoleContext, 'deployment'>) {
  const { api } = deployment;
  let known: RulesByKind | undefined;

  /** Read once. A role that may not read the settings sees only the statuses of the specification. */
  async function rules(): Promise<RulesByKind> {
    known ??= await readDeployedSettings('PLATFORM_PROFILE', deployment)
      .then((profile) => rulesWith(platformProfile.parse(profile).statuses))
      .catch(() => undefined);
    return known ?? entityRules;
  }

  return {
    entities: defineRead(listQuery, ({ kind: named, ...query }) =>
      api.send(
        { method: 'GET', path: requestPath`/entities/${named}`, query: { ...query, limit: pageSize } },
        entityListAnswer,
      ),
    ),
    /** The entity beside what the platform says of it now. */
    comparison: defineRead(z.object({ kind, id: z.string() }), async (key) => {
      const comparison = await compareWithPlatform(deployment, key);
      return { ...comparison, meaning: describeComparison(comparison) };
    }),
    /** The statuses that a list can be filtered by. */
    statuses: defineRead(z.object({ kind }), async (query) =>
      (await rules())[query.kind].statuses.table.statuses.map(({ status }) => status),
    ),
    /** An entity with every report about it, the latest received first, and its state diagram. */
    entity: defineRead(
      z.object({ kind, id: z.string(), direction: z.enum(['LR', 'TB']) }),
      async ({ direction, ...key }) => {
        const { events = [], ...entity } = await readEntity(api, key, true);
        const { table } = (await rules())[key.kind].statuses;
        return {
          ...entity,
          diagram: await drawStates({ direction, table, current: entity.status, path: pathOf(events) }),
          events: events
            .map((event) => ({ ...event, why: explainEffect(event) }))
            .toSorted((one, other) => other.receivedOn.localeCompare(one.receivedOn)),
        };
      },
    ),
  };
}
