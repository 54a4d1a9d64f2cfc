// The runner's command line.

import { End, MISUSE } from './ends.mjs';

export const USAGE = `usage: node run.mjs --rp2040js FOLDER --image FILE.uf2 [OPTION]...

Runs a Raspberry Pi Pico. The firmware's log goes to standard output, whether it comes by semihosting or by RTT.

  --rp2040js FOLDER     the emulator's package
  --image FILE          the firmware, a UF2 file
  --argument WORD       of the firmware's command line, the binary's name first; may be given again
  --flash FILE          keeps the 2 MiB of flash over runs; the image is written over what is there
  --accelerometer FILE  connects an LSM303AGR to I2C0 that measures these: a line of raw x, y and z per sample
  --stall N             the N-th sample never comes: the sensor holds the bus
  --celsius NUMBER      the temperature of the chip [default: 27]
  --cut N:BYTES         cuts the power in the N-th flash operation, after so many bytes
  --most-resets N       a boot loop ends after so many [default: 100]

Exit codes: the firmware's own; 2 for a mistake in the options; 3 for a power cut; 4 if the firmware cannot go on.`;

const count = (text) => (/^[0-9]{1,9}$/.test(text) ? Number(text) : undefined);
const positive = (text) => (count(text) > 0 ? count(text) : undefined);
const cut = (text) => {
  const [operation, bytes, ...rest] = text.split(':');
  const isCut = positive(operation) !== undefined && count(bytes ?? '') !== undefined && rest.length === 0;
  return isCut ? { operation: count(operation), bytes: count(bytes) } : undefined;
};
const number = (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined);
const word = (text) => text;

const OPTIONS = {
  rp2040js: word,
  image: word,
  argument: word,
  flash: word,
  accelerometer: word,
  stall: positive,
  celsius: number,
  cut,
  'most-resets': count,
};

/** The options by name; `argument` is a list. */
export function parseOptions(words) {
  const options = { argument: [], celsius: 27, 'most-resets': 100 };
  for (let index = 0; index < words.length; index += 2) {
    const [name, text] = [words[index].replace(/^--/, ''), words[index + 1]];
    if (!words[index].startsWith('--') || !Object.hasOwn(OPTIONS, name)) {
      throw new End(MISUSE, `there is no option ${words[index]}\n\n${USAGE}`);
    }
    const value = text === undefined ? undefined : OPTIONS[name](text);
    if (value === undefined) throw new End(MISUSE, `--${name} cannot be ${text ?? 'left empty'}\n\n${USAGE}`);
    if (name === 'argument') options.argument.push(value);
    else options[name] = value;
  }
  for (const name of ['rp2040js', 'image']) {
    if (options[name] === undefined) throw new End(MISUSE, `--${name} is missing\n\n${USAGE}`);
  }
  return options;
}
