// An LSM303AGR: an accelerometer and a magnetometer in one part, at two addresses. It plays back recorded samples.

import { End, MISUSE } from './ends.mjs';

const ACCELEROMETER = 0x19;
const MAGNETOMETER = 0x1e;
/** In a register's address: the next byte belongs to the next register. */
const AUTO_INCREMENT = 0x80;

const OUT_X_L = 0x28;
const SAMPLE = 6;

/** Registers after power-on, from the data sheet: identity, and what is not 0. */
const ACCELEROMETER_REGISTERS = { 0x0f: 0x33, 0x20: 0x07 };
const MAGNETOMETER_REGISTERS = { 0x4f: 0x40, 0x60: 0x03 };
/** Status registers that always report new data: the part measures faster than it is asked. */
const READY = { 0x07: 0x04, 0x27: 0x0f, 0x67: 0x0f };
const READ_ONLY = new Set([0x07, 0x0c, 0x0d, 0x0f, 0x27, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2f, 0x4f, 0x67]);

/** Lines of three numbers: the raw registers OUT_X, OUT_Y and OUT_Z. */
export function parseSamples(text) {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line, index) => {
    const sample = line.trim().split(/\s+/).map(Number);
    const fits = (value) => Number.isInteger(value) && value >= -32768 && value <= 32767;
    if (sample.length !== 3 || !sample.every(fits)) {
      throw new End(MISUSE, `line ${index + 1} of the samples is not three 16-bit numbers: ${line}`);
    }
    return sample;
  });
}

/** It has its own power: a reset of the chip does not change it. */
export class Lsm303agr {
  /** `stall` is the number of the sample, from 1, that it never sends. */
  constructor(samples, stall, celsius) {
    this.samples = samples;
    this.stall = stall;
    this.sent = 0;
    const registers = (powerOn) => Object.assign(new Uint8Array(128), powerOn, READY);
    this.parts = new Map([
      [ACCELEROMETER, registers(ACCELEROMETER_REGISTERS)],
      [MAGNETOMETER, registers(MAGNETOMETER_REGISTERS)],
    ]);
    // OUT_TEMP: one count is one degree from 25.
    this.parts.get(ACCELEROMETER)[0x0d] = Math.round(celsius - 25);
    this.selected = undefined;
    this.pointer = 0;
    this.isAddressed = false;
  }

  /** Whether a part has this address. */
  connect(address, isWrite) {
    this.selected = this.parts.get(address);
    this.isAddressed = !isWrite;
    return this.selected !== undefined;
  }

  /** The first byte after an address is the number of a register. */
  write(byte) {
    if (!this.isAddressed) {
      this.pointer = byte;
      this.isAddressed = true;
      return;
    }
    if (!READ_ONLY.has(this.pointer & 0x7f)) this.selected[this.pointer & 0x7f] = byte;
    this.advance();
  }

  /** The byte of the next register; undefined if it never comes. */
  read() {
    const register = this.pointer & 0x7f;
    // Here and not when the part is addressed: the emulator does not show every repeated start.
    if (this.selected === this.parts.get(ACCELEROMETER) && register === OUT_X_L && !this.measure()) return undefined;
    this.advance();
    return this.selected[register];
  }

  /** Takes the next sample. Returns whether it came. */
  measure() {
    if (this.sent + 1 === this.stall) {
      this.stall = undefined;
      return false;
    }
    // The recording ends, and with it all that can happen.
    if (this.sent === this.samples.length) throw new End(0);
    const registers = new DataView(this.selected.buffer, OUT_X_L, SAMPLE);
    this.samples[this.sent].forEach((value, axis) => registers.setInt16(2 * axis, value, true));
    this.sent += 1;
    return true;
  }

  advance() {
    if (this.pointer & AUTO_INCREMENT) this.pointer = AUTO_INCREMENT | (this.pointer + 1);
  }
}
