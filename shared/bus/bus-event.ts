import * as z from 'zod/mini';
import { type Change, remediesOf } from '#shared/entities/merge/entity-view.ts';
import type { EntityEvent } from '#shared/entities/plan-merge.ts';
import { platformCode } from '#shared/entities/reason-codes.ts';
import { transactionStatusOf } from '#shared/entities/statuses/entity-rules.ts';
import {
  detailTypeOf,
  type EntityDetailType,
  entityChangedDetail,
  type OtherDetailType,
  otherDetails,
  statusReportedDetail,
  validationFailedDetail,
} from './event-details.ts';

/** Something that happened, as it is published. */
export type BusEvent = {
  readonly detailType: EntityDetailType | OtherDetailType;
  readonly detail: Readonly<Record<string, unknown>>;
};

export function entityChanged({ kind, id, eventId }: EntityEvent, change: Change): BusEvent {
  const { version: sequence, status, statusBefore, modifiedOn, reasonCodes, anomalies } = change;
  const transactionStatus = transactionStatusOf(kind, status);
  const remedies = remediesOf(anomalies);
  const detail = {
    kind,
    id,
    sequence,
    status,
    statusBefore,
    transactionStatus,
    modifiedOn,
    reasonCodes,
    anomalies,
    remedies,
    eventId,
  };
  return {
    detailType: detailTypeOf(kind, status === statusBefore ? 'Updated' : 'StatusChanged'),
    detail: z.parse(entityChangedDetail, detail),
  };
}

/** @throws if the report states no status */
export function statusReported({ kind, id, eventId, report }: EntityEvent): BusEvent {
  const { status, modifiedOn } = report;
  const reasonCodes = report.reasonCodes && [...report.reasonCodes];
  const detail = { kind, id, status, modifiedOn, reasonCodes, eventId };
  return { detailType: detailTypeOf(kind, 'StatusReported'), detail: z.parse(statusReportedDetail, detail) };
}

export function validationFailed({ kind, id, eventId, report }: EntityEvent): BusEvent {
  const errorType = platformCode.safeParse(report.errorType).data;
  const reasonCodes = report.reasonCodes && [...report.reasonCodes];
  const detail = { kind, id, errorType, reasonCodes, eventId };
  return { detailType: detailTypeOf(kind, 'ValidationFailed'), detail: z.parse(validationFailedDetail, detail) };
}

/** One of the events of `otherDetails`. */
export function busEventOf<Type extends OtherDetailType>(
  detailType: Type,
  detail: z.input<(typeof otherDetails)[Type]>,
): BusEvent {
  const schema: z.ZodMiniType<BusEvent['detail']> = otherDetails[detailType];
  return { detailType, detail: z.parse(schema, detail) };
}
