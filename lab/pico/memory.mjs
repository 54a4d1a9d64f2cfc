// The memory of the chip as the outside reads and writes it.

import { End, STUCK, hex } from './ends.mjs';
import { FLASH_START } from './flash.mjs';

export const RAM_START = 0x20000000;

/** A window into SRAM or flash, to read. */
export function memory(chip, address, length) {
  const offset = address - FLASH_START;
  const isInFlash = offset >= 0 && offset + length <= chip.flash.length;
  return isInFlash ? chip.flash.subarray(offset, offset + length) : ram(chip, address, length);
}

/** A window into SRAM, to read and write. */
export function ram(chip, address, length) {
  const offset = address - RAM_START;
  if (offset >= 0 && offset + length <= chip.sram.length) return chip.sram.subarray(offset, offset + length);
  throw new End(STUCK, `the firmware passes ${length} bytes at ${hex(address)}, which is outside of its memory`);
}
