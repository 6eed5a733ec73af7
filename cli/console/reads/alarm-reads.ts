import * as z from 'zod';
import { listAlarms } from '#cli/alarms/list-alarms.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { defineRead } from './define-read.ts';

/** The alarms, with what each means and what to do. */
export function createAlarmReads({ deployment }: Pick<ConsoleContext, 'deployment'>) {
  return { alarms: defineRead(z.object({}), () => listAlarms(deployment)) };
}
