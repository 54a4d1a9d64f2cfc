// The host's side of RTT: a debugger that reads the log from a ring buffer in SRAM while the program runs.

import { writeAll } from './ends.mjs';
import { RAM_START } from './memory.mjs';

const NAME = Buffer.from('SEGGER RTT\0\0\0\0\0\0');
const HEADER = NAME.length + 8;
const UP_CHANNEL = 24;
const MODE_MASK = 3;
/** The program waits while the buffer is full, instead of dropping lines. A debugger sets this when it attaches. */
const BLOCKING = 2;

export class Rtt {
  /** An image without the control block's name has no RTT, and its memory need not be searched. */
  constructor(image) {
    this.isUsed = image.some(({ bytes }, index) => {
      // The name may lie across two parts.
      const next = image[index + 1]?.bytes ?? new Uint8Array();
      return Buffer.concat([bytes, next]).includes(NAME.subarray(0, 10));
    });
    this.isMidFrame = false;
  }

  /** Passes on what the program has logged. */
  drain(chip) {
    if (!this.isUsed) return;
    const at = Buffer.from(chip.sram.buffer).indexOf(NAME);
    const channel = at + HEADER;
    if (at < 0 || channel + UP_CHANNEL > chip.sram.length) return;
    const field = (index) => chip.sramView.getUint32(channel + 4 * index, true);
    const [, start, size, write, read, flags] = [0, 1, 2, 3, 4, 5].map(field);
    const buffer = start - RAM_START;
    // Memory that has not been initialised yet may hold anything.
    if (buffer < 0 || buffer + size > chip.sram.length || write >= size || read >= size) return;
    if ((flags & MODE_MASK) !== BLOCKING) chip.sramView.setUint32(channel + 20, (flags & ~MODE_MASK) | BLOCKING, true);
    if (write === read) return;
    const pieces = write > read ? [[read, write]] : [[read, size], [0, write]];
    for (const [from, to] of pieces) writeAll(1, chip.sram.subarray(buffer + from, buffer + to));
    chip.sramView.setUint32(channel + 16, write, true);
    this.isMidFrame = chip.sram[buffer + ((write + size - 1) % size)] !== 0;
  }

  /** After a reset: a zero ends the frame that was not finished, so that it does not spoil the next one. */
  endFrame() {
    if (this.isMidFrame) writeAll(1, Buffer.from([0]));
    this.isMidFrame = false;
  }
}
