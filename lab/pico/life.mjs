// One life of the chip, from a boot to the next reset: instruction by instruction, in virtual time.

import { connectBus } from './bus.mjs';
import { isGuarded } from './chip.mjs';
import { End, Fault, STUCK, hex, say } from './ends.mjs';
import { Rom, boot, loadRom } from './rom.mjs';
import { SEMIHOSTING } from './semihosting.mjs';

/** How many instructions run between two looks at the log. */
const POLL = 1000;
/** Longer than any alarm of the chip can be away. A sleep that is longer never ends. */
const LONGEST_SLEEP = 72 * 60e9;
/** While the sensor holds the bus, time passes this much faster: the firmware can only wait for its watchdog. */
const STALLED_PACE = 32;
const HARD_FAULT = 3;
/** Above this address there are registers, which cannot be executed. */
const END_OF_CODE = 0x20042000;
/** `b .` */
const ENDLESS_LOOP = 0xe7fe;
const IS_BKPT = 0xbe;

export class Life {
  constructor(chip, { flash, rtt, semihosting, sensor }) {
    this.chip = chip;
    this.flash = flash;
    this.rtt = rtt;
    this.semihosting = semihosting;
    this.rom = new Rom(chip, flash);
    this.pace = 1;
    /** The address of the instruction that runs. */
    this.at = 0;
    loadRom(chip);
    chip.onBreak = (number) => this.onBreak(number);
    connectBus(chip, sensor, () => {
      this.pace = STALLED_PACE;
    });
  }

  /** Runs until something is thrown: an `End` or a `Reset`. */
  run() {
    boot(this.chip, this.flash);
    for (;;) {
      try {
        this.runSome();
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        this.hardFault(error.message);
      }
      this.rtt.drain(this.chip);
      this.flash.saveWhenDue();
    }
  }

  runSome() {
    const { chip } = this;
    const { core, clock } = chip;
    for (let count = 0; count < POLL; count++) {
      // Before the instruction and not in it, so that its address is known.
      while (core.interruptsUpdated && core.checkForInterrupts()) core.waiting = false;
      if (core.waiting) {
        this.sleep();
        return;
      }
      this.at = (core.PC & ~1) >>> 0;
      if (this.at >= END_OF_CODE) throw new Fault('execution outside of memory');
      const cycles = core.executeInstruction();
      clock.tick(cycles * this.pace * (1e9 / chip.clkSys));
    }
    if (chip.readUint16(core.PC & ~1) === ENDLESS_LOOP) this.skipEndlessLoop();
  }

  onBreak(number) {
    // The emulator has passed the instruction. It calls this for `udf`, too.
    if (this.chip.readUint16(this.at) >>> 8 !== IS_BKPT) throw new Fault('undefined instruction');
    if (number === SEMIHOSTING) return this.semihosting.call(this.chip);
    if (!this.rom.call(number)) {
      throw new End(STUCK, `breakpoint ${number} at ${hex(this.at)}, and no debugger`);
    }
  }

  /** Virtual time jumps to what wakes the core. */
  sleep() {
    const { core } = this.chip;
    this.rtt.drain(this.chip);
    this.pass(`the core sleeps at ${hex(this.at)}, and nothing can wake it`, () => {
      if (core.interruptsUpdated && core.checkForInterrupts()) core.waiting = false;
      return core.waiting;
    });
  }

  /** Only an interrupt or the watchdog ends `b .`, the usual handler of what nobody expects. */
  skipEndlessLoop() {
    const { core } = this.chip;
    this.rtt.drain(this.chip);
    this.pass(
      `the core loops at ${hex(core.PC)}, and nothing can end it`,
      () => !(core.interruptsUpdated && core.checkForInterrupts()),
    );
  }

  /** Goes from alarm to alarm while `isWaiting`. */
  pass(hopeless, isWaiting) {
    const { clock } = this.chip;
    const start = clock.nanos;
    do {
      const alarm = clock.nextAlarm;
      if (alarm === null || alarm.nanos - start > LONGEST_SLEEP) throw new End(STUCK, hopeless);
      clock.tick(Math.max(0, alarm.nanos - clock.nanos));
    } while (isWaiting());
  }

  hardFault(reason) {
    const { core } = this.chip;
    say(`HardFault at ${hex(this.at)}: ${reason}`);
    if (core.IPSR === HARD_FAULT) return this.lockUp('a fault inside a fault handler');
    core.PC = this.at;
    try {
      core.exceptionEntry(HARD_FAULT);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      this.lockUp('the stack has left RAM');
    }
    core.waiting = false;
  }

  /** A core that locks up does nothing more, but the watchdog resets it. */
  lockUp(reason) {
    const hopeless = `Lockup at ${hex(this.at)}: ${reason}`;
    if (!isGuarded(this.chip)) throw new End(STUCK, hopeless);
    this.pass(hopeless, () => true);
  }
}
