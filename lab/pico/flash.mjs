// The flash chip of the board: its contents, the operations on it, and the file that keeps it between runs.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

import { End, MISUSE, POWER_CUT, say } from './ends.mjs';

export const FLASH_START = 0x10000000;
export const FLASH_BYTES = 2 * 1024 * 1024;
export const SECTOR = 4096;
export const PAGE = 256;

/** A run that is killed loses at most the operations of this time. Writing the file after each would slow it down. */
const SAVE_EVERY_MS = 100;

export class Flash {
  /** `cut` is `{ operation, bytes }`, or undefined if the power stays. */
  constructor(file, cut) {
    this.file = file;
    this.cut = cut;
    this.bytes = new Uint8Array(FLASH_BYTES).fill(0xff);
    this.operations = [];
    this.saved = 0;
    this.isDirty = true;
    if (file !== undefined && existsSync(file)) {
      const kept = readFileSync(file);
      if (kept.length !== FLASH_BYTES) {
        throw new End(MISUSE, `${file} has ${kept.length} bytes; the flash of a Pico has ${FLASH_BYTES}`);
      }
      this.bytes.set(kept);
    }
  }

  /** Writes an image over what is there, as the Pico's USB drive does. */
  load(parts) {
    for (const { offset, bytes } of parts) this.bytes.set(bytes, offset);
  }

  erase(offset, length) {
    this.change('erase', offset, length, () => 0xff);
  }

  /** Programming can only clear bits. */
  program(offset, data) {
    this.change('program', offset, data.length, (index, old) => old & data[index]);
  }

  change(kind, offset, length, value) {
    this.operations.push([kind, length]);
    const isLast = this.cut?.operation === this.operations.length;
    const changed = isLast ? Math.min(length, this.cut.bytes) : length;
    for (let index = 0; index < changed; index++) {
      this.bytes[offset + index] = value(index, this.bytes[offset + index]);
    }
    this.isDirty = true;
    if (isLast) {
      throw new End(
        POWER_CUT,
        `power cut: in flash operation ${this.operations.length} (${kind} of ${length} bytes), after ${changed} bytes`,
      );
    }
  }

  /** Called often; saves now and then. */
  saveWhenDue() {
    if (this.isDirty && this.file !== undefined && Date.now() - this.saved > SAVE_EVERY_MS) this.save();
  }

  /** By a second file and a rename: a run that is killed meanwhile leaves a whole file. */
  save() {
    if (this.file === undefined || !this.isDirty) return;
    const draft = `${this.file}.draft`;
    writeFileSync(draft, this.bytes);
    renameSync(draft, this.file);
    this.isDirty = false;
    this.saved = Date.now();
  }

  /** For tests that choose where to cut. */
  report() {
    say(`flash operations: ${JSON.stringify(this.operations)}`);
  }
}
