// The host's side of semihosting: files, standard output, the command line and the exit code, as QEMU offers them.

import { closeSync, openSync, readSync, writeSync } from 'node:fs';

import { End, STUCK, writeAll } from './ends.mjs';
import { memory, ram } from './memory.mjs';

/** The breakpoint that asks the host. */
export const SEMIHOSTING = 0xab;

const FAILED = 0xffffffff;
/** The protocol's word for a normal end. */
const APPLICATION_EXIT = 0x20026;
/** By the mode of SYS_OPEN, without the bit that tells text from binary. */
const MODES = ['r', 'r+', 'w', 'w+', 'a', 'a+'];

/** Files stay open over a reset of the chip: the host does not notice it. */
export class Semihosting {
  /** `line` is the firmware's command line. */
  constructor(line) {
    this.line = line;
    this.files = new Map();
    this.next = 1;
  }

  /** Handles the operation in r0 with the parameter in r1, and answers in r0. */
  call(chip) {
    const [operation, parameter] = chip.core.registers;
    const words = (count) => {
      const block = memory(chip, parameter, 4 * count);
      const view = new DataView(block.buffer, block.byteOffset, block.length);
      return Array.from({ length: count }, (_, index) => view.getUint32(4 * index, true));
    };
    const handler = OPERATIONS[operation];
    if (handler === undefined) {
      throw new End(STUCK, `there is no semihosting operation 0x${operation.toString(16)} here`);
    }
    chip.core.registers[0] = handler.call(this, chip, parameter, words);
  }

  open(path, mode) {
    const flags = MODES[mode >> 1];
    if (flags === undefined) return FAILED;
    if (path === ':tt') return this.keep([0, 1, 2][mode >> 2]);
    try {
      return this.keep(openSync(path, flags));
    } catch {
      return FAILED;
    }
  }

  keep(file) {
    this.files.set(this.next, file);
    return this.next++;
  }

  /** The number of bytes that were not written. */
  write(handle, bytes) {
    const file = this.files.get(handle);
    if (file === undefined) return bytes.length;
    if (file <= 2) {
      writeAll(file, bytes);
      return 0;
    }
    try {
      return bytes.length - writeSync(file, bytes);
    } catch {
      return bytes.length;
    }
  }

  /** The number of bytes that were not read. */
  read(handle, bytes) {
    const file = this.files.get(handle);
    if (file === undefined) return bytes.length;
    try {
      return bytes.length - readSync(file, bytes);
    } catch {
      return bytes.length;
    }
  }

  close(handle) {
    const file = this.files.get(handle);
    if (!this.files.delete(handle)) return FAILED;
    if (file > 2) closeSync(file);
    return 0;
  }

  /** Answers in the block itself: the length takes the place of the size. */
  commandLine(chip, block, [buffer, size]) {
    const line = Buffer.from(`${this.line}\0`);
    if (line.length > size) return FAILED;
    ram(chip, buffer, line.length).set(line);
    const answer = ram(chip, block + 4, 4);
    new DataView(answer.buffer, answer.byteOffset, 4).setUint32(0, line.length - 1, true);
    return 0;
  }
}

const text = (bytes) => Buffer.from(bytes).toString('utf8');

const OPERATIONS = {
  // SYS_OPEN
  0x01(chip, _, words) {
    const [path, mode, length] = words(3);
    return this.open(text(memory(chip, path, length)), mode);
  },
  // SYS_CLOSE
  0x02(chip, _, words) {
    return this.close(words(1)[0]);
  },
  // SYS_WRITE
  0x05(chip, _, words) {
    const [handle, bytes, length] = words(3);
    return this.write(handle, memory(chip, bytes, length));
  },
  // SYS_READ
  0x06(chip, _, words) {
    const [handle, bytes, length] = words(3);
    return this.read(handle, ram(chip, bytes, length));
  },
  // SYS_GET_CMDLINE
  0x15(chip, block, words) {
    return this.commandLine(chip, block, words(2));
  },
  // SYS_EXIT: on a 32-bit core it has a reason and no code.
  0x18(chip, reason) {
    throw new End(reason === APPLICATION_EXIT ? 0 : 1);
  },
  // SYS_EXIT_EXTENDED
  0x20(chip, _, words) {
    const [reason, code] = words(2);
    throw new End(reason === APPLICATION_EXIT ? code & 0xff : 1);
  },
};
