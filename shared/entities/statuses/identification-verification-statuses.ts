import type { identificationVerificationStatusWords as words } from '#shared/platform/resources/identification-verifications.ts';
import { type StatusTable, statusesOf } from './status-table.ts';

const seen = 'not shown in 3.2: seen';

/** Section 3.2 observed RECEIVED, and shows nothing else. The words for failure are not known: they are kept as they come. */
const table: StatusTable<(typeof words)[number]> = {
  title: 'Identification verification',
  section: '3.2',
  statuses: [
    { status: 'RECEIVED', final: false, resting: false, meaning: 'observed' },
    { status: 'PENDING', final: false, resting: false, meaning: 'not named in the specification: seen' },
    { status: 'APPROVED', final: true, meaning: 'not named in the specification: seen' },
  ],
  transitions: [
    { from: '(none)', to: 'RECEIVED', source: seen },
    { from: 'RECEIVED', to: 'PENDING', source: seen },
    { from: 'PENDING', to: 'APPROVED', source: seen },
  ],
};

export const identificationVerificationStatuses = statusesOf(table);
