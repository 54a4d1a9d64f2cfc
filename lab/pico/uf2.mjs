// UF2 files, as a Pico takes them: blocks of 512 bytes with up to 476 bytes for one place in flash.

import { End, MISUSE, hex } from './ends.mjs';

const BLOCK = 512;
const MAGIC_FIRST = 0x0a324655;
const MAGIC_SECOND = 0x9e5d5157;
const MAGIC_LAST = 0x0ab16f30;
const FLAG_NOT_FOR_FLASH = 0x1;
const FLAG_HAS_FAMILY = 0x2000;
const FAMILY = 0xe48bff56;
const LARGEST_PAYLOAD = 476;

/** The places and contents of a UF2 file for the RP2040: `[{ offset, bytes }]`, offsets in flash. */
export function parseUf2(file, flashStart, flashBytes) {
  const refuse = (reason) => new End(MISUSE, `this is no UF2 file for the RP2040: ${reason}`);
  if (file.length === 0 || file.length % BLOCK !== 0) throw refuse(`${file.length} bytes are not blocks of ${BLOCK}`);
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const parts = [];
  for (let start = 0; start < file.length; start += BLOCK) {
    const word = (index) => view.getUint32(start + 4 * index, true);
    const name = `block ${start / BLOCK}`;
    if (word(0) !== MAGIC_FIRST || word(1) !== MAGIC_SECOND || word(127) !== MAGIC_LAST) {
      throw refuse(`${name} lacks the magic numbers`);
    }
    const [flags, address, length, family] = [word(2), word(3), word(4), word(7)];
    if (flags & FLAG_NOT_FOR_FLASH) continue;
    if (!(flags & FLAG_HAS_FAMILY) || family !== FAMILY) {
      const its = flags & FLAG_HAS_FAMILY ? `the family ${hex(family)}` : 'no family';
      throw refuse(`${name} is for ${its}, not for ${hex(FAMILY)}`);
    }
    const offset = address - flashStart;
    if (length > LARGEST_PAYLOAD || offset < 0 || offset + length > flashBytes) {
      throw refuse(`${name} has ${length} bytes for ${hex(address)}, which do not fit in the flash`);
    }
    parts.push({ offset, bytes: file.subarray(start + 32, start + 32 + length) });
  }
  return parts;
}
