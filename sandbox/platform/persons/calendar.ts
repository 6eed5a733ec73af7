/** The calendar date, in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Whether a date is not in the future, nor more than 24 months ago (sections 4.2 and 8). */
export function isWithin24Months(date: string, today: string): boolean {
  const sameDay = yearsBefore(today, 2);
  // There is no 29 February two years before one.
  const earliest = sameDay.endsWith('-02-29') ? sameDay.replace(/29$/, '28') : sameDay;
  return date >= earliest && date <= today;
}

/** Whether a person born on this day is at least 18. A person born on 29 February comes of age on 1 March. */
export function isOfAge(birthDay: string, today: string): boolean {
  return birthDay <= yearsBefore(today, 18);
}

/** The first day on which a person born on this day is at least 18. */
export function comingOfAge(birthDay: string): string {
  const sameDay = yearsBefore(birthDay, -18);
  // No leap year is 18 years after another one.
  return sameDay.endsWith('-02-29') ? sameDay.replace(/02-29$/, '03-01') : sameDay;
}

function yearsBefore(date: string, years: number): string {
  return `${String(Number(date.slice(0, 4)) - years).padStart(4, '0')}${date.slice(4)}`;
}
