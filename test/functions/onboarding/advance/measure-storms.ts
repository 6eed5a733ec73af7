/**
 * Prints what one onboarding costs a platform that answers one call alike for 24 virtual hours:
 *
 *     node test/functions/onboarding/advance/measure-storms.ts
 */
import { formatTable } from '#sandbox/terminal/table.ts';
import { answers, callNames, externalId, startStorm, totals } from './platform-storms.ts';

const day = 86_400;

const rows: (readonly (string | number)[])[] = [];
for (const call of callNames)
  for (const [answer, [failure]] of Object.entries(answers)) {
    const world = await startStorm(call, failure);
    await world.run(day);
    const { creates, walks, reads } = totals(world);
    const { step, reasons } = (await world.load(externalId)).state;
    rows.push([`${call}: ${answer}`, creates, walks, reads, [step, ...reasons.map(({ code }) => code)].join(' ')]);
    world.close();
  }
process.stdout.write(`${formatTable(['call: answer', 'POSTs', 'list walks', 'GETs', 'step after a day'], rows)}\n`);
