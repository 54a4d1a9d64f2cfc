// A stand-in for the RP2040's boot ROM, which the emulator does not bring.
//
// It models the contract of the ROM, not its code: where the tables are, what the functions do, and what they demand of
// their callers. Each function is a breakpoint that is handled here, and a return.

import { End, Fault, STUCK, hex } from './ends.mjs';
import { FLASH_BYTES, FLASH_START, PAGE, SECTOR } from './flash.mjs';
import { RAM_START, memory, ram } from './memory.mjs';

/** The second stage of the boot loader: the first 256 bytes of flash, which the ROM copies to the end of SRAM. */
const SECOND_STAGE = 256;
const SECOND_STAGE_AT = 0x20041f00;

const LOOK_UP = 0xe0;
const FUNCTIONS = ['IF', 'EX', 'RE', 'RP', 'FC', 'CX', 'C4', 'MC', 'S4', 'MS'];

const BX_LR = 0x4770;
const BKPT = 0xbe00;
/** What is not a function faults, as a call of a null pointer does on the real chip. */
const UDF = 0xdeff;

const isInFlash = (address) => address >>> 24 === FLASH_START >>> 24;
const code = (name) => name.charCodeAt(0) | (name.charCodeAt(1) << 8);

/** Writes the ROM: magic number, pointers to the tables, tables, functions. */
export function loadRom(chip) {
  const rom = new Uint16Array(chip.bootrom.buffer).fill(UDF);
  const lookUp = 0x20;
  const first = lookUp + 4;
  const functionTable = first + 4 * FUNCTIONS.length;
  const dataTable = functionTable + 4 * FUNCTIONS.length + 2;
  const put = (address, ...halfwords) => rom.set(halfwords, address / 2);
  put(0x10, code('Mu'), 0x0301);
  put(0x14, functionTable, dataTable, lookUp | 1);
  put(lookUp, BKPT | LOOK_UP, BX_LR);
  FUNCTIONS.forEach((name, index) => {
    put(first + 4 * index, BKPT | (LOOK_UP + 1 + index), BX_LR);
    put(functionTable + 4 * index, code(name), (first + 4 * index) | 1);
  });
  put(dataTable - 2, 0, 0);
}

/** Does what the ROM does after a reset: it checks the second stage, and starts a copy of it. */
export function boot(chip, flash) {
  const stage = flash.bytes.subarray(0, SECOND_STAGE);
  if (checksum(stage.subarray(0, -4)) !== new DataView(stage.buffer).getUint32(SECOND_STAGE - 4, true)) {
    throw new End(STUCK, 'the flash holds no program: the checksum of its second stage (the first 256 bytes) is wrong');
  }
  chip.sram.set(stage, SECOND_STAGE_AT - RAM_START);
  const { core } = chip;
  core.SP = SECOND_STAGE_AT;
  // Zero tells the second stage to start the program instead of returning.
  core.LR = 0;
  core.PC = SECOND_STAGE_AT;
}

/** CRC-32 with the polynomial 0x04c11db7, the most significant bit first, and no final inversion. */
function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
  }
  return sum >>> 0;
}

/** The functions of the ROM. */
export class Rom {
  constructor(chip, flash) {
    this.chip = chip;
    this.flash = flash;
    /** How far the flash is prepared for changes: the functions called since the last FC. */
    this.prepared = '';
  }

  /** Handles a breakpoint. Returns whether it was one of the functions. */
  call(number) {
    if (this.chip.core.PC >= 0x4000) return false;
    const { registers } = this.chip.core;
    if (number === LOOK_UP) {
      registers[0] = this.lookUp(registers[0], registers[1] & 0xffff);
      return true;
    }
    const name = FUNCTIONS[number - LOOK_UP - 1];
    if (name === undefined) return false;
    this[name](registers, name);
    return true;
  }

  lookUp(table, wanted) {
    for (let entry = table; ; entry += 4) {
      const found = this.chip.readUint16(entry);
      if (found === wanted) return this.chip.readUint16(entry + 2);
      if (found === 0) return 0;
    }
  }

  /** Connects the flash chip's pins. */
  IF() {
    this.prepared = 'IF';
  }

  /** Ends the mode in which flash can be read like memory. */
  EX(registers, name) {
    this.demandRamCaller(name);
    this.prepared += ' EX';
  }

  /** Flushes the cache. There is none here; it is what callers do after every change. */
  FC() {
    this.prepared = '';
  }

  /** Enters the mode in which flash can be read like memory. Some callers let a copy of the second stage do that. */
  CX() {}

  /** Erases r1 bytes at the offset r0. */
  RE([offset, length], name) {
    this.demandUse(name, offset, length, SECTOR);
    this.flash.erase(offset, length);
  }

  /** Programs r2 bytes at the offset r0, from r1. */
  RP([offset, data, length], name) {
    this.demandUse(name, offset, length, PAGE);
    if (isInFlash(data)) throw new End(STUCK, `ROM function ${name}: the data are in the flash itself`);
    // A copy, because it is read while the flash changes.
    this.flash.program(offset, memory(this.chip, data, length).slice());
  }

  /** Copies r2 bytes from r1 to r0. */
  MC([target, source, length]) {
    ram(this.chip, target, length).set(memory(this.chip, source, length).slice());
  }

  /** As MC, for whole words. */
  C4([target, source, length]) {
    if ((target | source) & 3) throw new Fault('a copy of words from or to an address between words');
    this.MC([target, source, length]);
  }

  /** Sets r2 bytes at r0 to r1. */
  MS([target, value, length]) {
    ram(this.chip, target, length).fill(value & 0xff);
  }

  /** As MS, for whole words. */
  S4(registers) {
    this.MS(registers);
  }

  /** While the flash cannot be read, code in it cannot run. A real chip reads garbage there and goes astray. */
  demandRamCaller(name) {
    const caller = this.chip.core.LR;
    if (isInFlash(caller)) {
      throw new End(STUCK, `ROM function ${name} called from ${hex(caller - 1)}, in flash, which is unreadable now`);
    }
  }

  demandUse(name, offset, length, unit) {
    this.demandRamCaller(name);
    if (this.prepared !== 'IF EX') throw new End(STUCK, `ROM function ${name} called without IF and EX before it`);
    if (offset % unit !== 0 || length % unit !== 0 || offset + length > FLASH_BYTES) {
      const place = `${length} bytes at offset ${hex(offset)}`;
      throw new End(STUCK, `ROM function ${name}: ${place} are no units of ${unit} in the flash`);
    }
  }
}
