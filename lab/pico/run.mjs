// Runs firmware of a Raspberry Pi Pico in the emulator rp2040js. The lab starts this; `options.mjs` says how.

import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { makeChip } from './chip.mjs';
import { End, MISUSE, Reset, STUCK, say } from './ends.mjs';
import { FLASH_BYTES, FLASH_START, Flash } from './flash.mjs';
import { Life } from './life.mjs';
import { Lsm303agr, parseSamples } from './lsm303agr.mjs';
import { USAGE, parseOptions } from './options.mjs';
import { Rtt } from './rtt.mjs';
import { Semihosting } from './semihosting.mjs';
import { parseUf2 } from './uf2.mjs';

function read(file) {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new End(MISUSE, `cannot read ${file}: ${error.message}`);
  }
}

async function loadEmulator(folder) {
  try {
    return await import(pathToFileURL(join(resolve(folder), 'dist/esm/index.js')));
  } catch (error) {
    throw new End(MISUSE, `cannot load rp2040js from ${folder}: ${error.message}`);
  }
}

/** Lives until the end of the run, which it throws. `board` is all that a reset of the chip leaves alone. */
function live(emulator, board, options) {
  let before;
  for (let resets = 0; ; resets++) {
    const chip = makeChip(emulator, board.flash, options.celsius, before);
    try {
      new Life(chip, board).run();
    } catch (error) {
      board.rtt.drain(chip);
      if (!(error instanceof Reset)) throw error;
      board.rtt.endFrame();
      board.flash.save();
      say(`reset ${resets + 1}: ${error.message}`);
      if (resets === options['most-resets']) throw new End(STUCK, `a boot loop: more than ${resets} resets`);
      before = { chip, reason: error.reason };
    }
  }
}

async function main(words) {
  if (words.length === 1 && words[0] === '--help') {
    console.log(USAGE);
    return 0;
  }
  let flash;
  try {
    const options = parseOptions(words);
    const emulator = await loadEmulator(options.rp2040js);
    const image = parseUf2(read(options.image), FLASH_START, FLASH_BYTES);
    flash = new Flash(options.flash, options.cut);
    flash.load(image);
    const samples = options.accelerometer && parseSamples(read(options.accelerometer).toString());
    const sensor = samples && new Lsm303agr(samples, options.stall, options.celsius);
    const semihosting = new Semihosting(options.argument.join(' '));
    return live(emulator, { flash, sensor, semihosting, rtt: new Rtt(image) }, options);
  } catch (error) {
    // Anything else is a mistake in the runner or in the emulator, and deserves its trace.
    if (!(error instanceof End)) say(error.stack);
    flash?.save();
    if (error.message !== '' && error instanceof End) say(error.message);
    flash?.report();
    return error instanceof End ? error.code : STUCK;
  }
}

process.exitCode = await main(process.argv.slice(2));
