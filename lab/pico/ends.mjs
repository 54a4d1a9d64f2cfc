// The ways out of the running program. Each is thrown where it is noticed, even in the middle of an instruction.

import { writeSync } from 'node:fs';

/** Exit codes of the runner itself. Firmware ends with 0 or 101. */
export const MISUSE = 2;
export const POWER_CUT = 3;
export const STUCK = 4;

/** The run is over. */
export class End extends Error {
  constructor(code, message = '') {
    super(message);
    this.code = code;
  }
}

/** The chip resets, and boots again with the same memory. */
export class Reset extends Error {
  /** `reason` is what the watchdog's REASON register will say: 0 if it was not the watchdog. */
  constructor(message, reason = 0) {
    super(message);
    this.reason = reason;
  }
}

/** The instruction faults. Every fault of a Cortex-M0+ is a HardFault. */
export class Fault extends Error {}

export function hex(address) {
  return `0x${(address >>> 0).toString(16).padStart(8, '0')}`;
}

/**
 * Writes all bytes at once. Not by `process.stdout`, which would keep them until the program pauses: it never does, and
 * may be killed.
 */
export function writeAll(file, bytes) {
  let rest = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(file, rest));
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

/** Writes a line to standard error. */
export function say(line) {
  writeAll(2, `${line}\n`);
}
