/**
 * `node test/linear-time/measure.ts [reader] [size]`: the CPU time that each reader takes for each hostile text of so many
 * characters, 60,000 unless given.
 */
import { cpuTimeOf } from './cpu-time.ts';
import { hostileTexts } from './hostile-texts.ts';
import { readers } from './readers.ts';

const [wanted = '', size = '60000'] = process.argv.slice(2);

for (const { name, read } of readers.filter((reader) => reader.name.includes(wanted)))
  for (const hostile of hostileTexts) {
    const text = hostile.make(Number(size));
    process.stdout.write(`${name}: ${hostile.name}: ${cpuTimeOf(() => read(text)).toFixed(1)} ms\n`);
  }
