import type { FaultKind } from './fault-kinds.ts';

/**
 * The former names of renamed kinds, with underscores for spaces. The name of a stream is part of the seed of its random
 * numbers. Renamed kinds keep their streams, so that each seed keeps its history.
 */
const formerNames: Partial<Readonly<Record<FaultKind, string>>> = {
  'lost acknowledgement, retried': 'lost_acknowledgement,_sent_again',
  'SQS refuses a send': 'SQS_refusing',
  'event rejected by the bus': 'event_refused_by_the_bus',
  'platform response lost': 'platform_answer_lost',
  'response to a create lost': 'answer_to_a_create_lost',
  'process pause after a save': 'sleep_after_an_intent',
  'SQS refuses repairs': 'SQS_refusing_repairs',
  'false 404': 'lying_404',
  'rejected cursor': 'refused_cursor',
  'rejected cursor of persons': 'refused_cursor_of_persons',
  'false 404 to a read': 'lying_404_to_a_read',
  'visibility timeout expires during work': 'visibility_timeout_runs_out_during_work',
  'message deletion lost': 'deletion_of_a_message_lost',
  'batch partially refused': 'batch_refused_in_part',
  'function timeout during a batch': 'function_timeout_in_mid-batch',
  'cursor expired': 'cursor_forgotten',
  'undelivered record listed late': 'undelivered_record_comes_to_light_late',
  'undelivered records with equal times': 'undelivered_records_of_one_second',
  'response to a delivery lost': 'answer_to_a_delivery_lost',
  'webhook without a timestamp': 'webhook_without_a_time',
  'entity changed during a read': 'changed_while_it_is_read',
  'secret rotation': 'secret_rotation_in_between',
  'registration changed by another system': 'registration_changed_by_somebody_else',
  'AWS slow for minutes': 'AWS_slow_for_a_while',
  'unknown enum value': 'unknown_enum_word',
  'webhook with reordered fields': 'webhook_written_otherwise',
  'failure for hours': 'failing_for_hours',
  'status without a timestamp': 'status_without_a_time',
  'statuses with equal times': 'statuses_of_one_time',
  'several unknown enum values': 'unknown_enum_word_after_another',
  'webhook with a duplicate field': 'webhook_with_a_field_twice',
  'marks always refused': 'marks_refused_to_the_end',
  'lone surrogate in a record': 'half_a_surrogate_pair_in_a_record',
};

/** The name of the stream from which a kind of fault draws its random numbers. */
export function streamNameOf(kind: FaultKind): string {
  return formerNames[kind]?.replaceAll('_', ' ') ?? kind;
}
