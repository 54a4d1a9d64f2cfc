// The RP2040 of the emulator, with what it lacks for firmware that makes mistakes: faults, memory that cannot be
// written, resets, and registers that drivers wait for.

import { Fault, Reset, hex, say } from './ends.mjs';
import { FLASH_START } from './flash.mjs';

const ROM_BYTES = 0x4000;
const WATCHDOG = 0x40058;
/** The watchdog's reason, if it ran out. */
const TIMER = 1;
const AIRCR = 0xd0c;
const AIRCR_KEY = 0x05fa;
const SYSRESETREQ = 1 << 2;
const MPU_TYPE = 0xd90;

/** The raw value of the ADC for the chip's own temperature, with a reference of 3.3 V. */
export function temperatureReading(celsius) {
  const volts = 0.706 - (celsius - 27) * 0.001721;
  return Math.max(0, Math.min(4095, Math.round((volts / 3.3) * 4096)));
}

/** A chip whose flash is `flash`. After a reset, `before` is the chip of the life before: SRAM and scratch stay. */
export function makeChip({ RP2040, BasePeripheral }, flash, celsius, before) {
  const chip = new RP2040();
  chip.logger = faultingLogger();
  chip.flash = flash.bytes;
  chip.flash16 = new Uint16Array(flash.bytes.buffer);
  chip.flashView = new DataView(flash.bytes.buffer);
  chip.adc.channelValues[4] = temperatureReading(celsius);
  protectMemory(chip);
  addSystemReset(chip);
  mendSleep(chip.core);
  addRegisters(chip, BasePeripheral);
  const watchdog = chip.peripherals[WATCHDOG];
  const bite = chip.clock.createAlarm(() => {
    throw new Reset('the watchdog was not fed', TIMER);
  });
  watchdog.onWatchdogTrigger = () => {
    if (watchdog.reason !== TIMER) throw new Reset('the watchdog was told to', watchdog.reason);
    // Its tick is a microsecond. In that time embassy starts a watchdog that has run out already, and triggers it.
    watchdog.alarm.enable = false;
    bite.schedule(1000);
  };
  if (before !== undefined) {
    chip.sram.set(before.chip.sram);
    watchdog.scratchData.set(before.chip.peripherals[WATCHDOG].scratchData);
    watchdog.reason = before.reason;
  }
  return chip;
}

/** Whether the watchdog runs. */
export function isGuarded(chip) {
  return chip.peripherals[WATCHDOG].timer.enable;
}

/** The emulator only logs what the real chip answers by a fault. */
function faultingLogger() {
  const isFault = (name, message) =>
    (name === 'RP2040' && /^(read from address|Read from invalid|Write to undefined)/.test(message)) ||
    (name === 'CortexM0Core' && /is not implemented yet/.test(message));
  return {
    debug() {},
    info() {},
    // Besides faults these are registers that the emulator does not have. Drivers write many of them.
    warn(name, message) {
      if (isFault(name, message)) throw new Fault(message.replace(/^Warning: /, ''));
    },
    error(name, message) {
      if (isFault(name, message)) throw new Fault(message);
      say(`note: ${name}: ${message}`);
    },
  };
}

/** The emulator lets a program write its ROM and its flash. The chip faults, or ignores it. */
function protectMemory(chip) {
  const write = chip.writeUint32;
  chip.writeUint32 = (address, value) => {
    const place = address >>> 0;
    if (place & 3) throw new Fault(`write to ${hex(place)}, which is not aligned`);
    if (place < ROM_BYTES) throw new Fault(`write to ${hex(place)}, in ROM`);
    // A write here only drops the line from the cache.
    if (place >>> 24 === FLASH_START >>> 24) return;
    write.call(chip, place, value);
  };
}

/** SYSRESETREQ, by which a program resets itself. The emulator ignores it. */
function addSystemReset(chip) {
  const { ppb } = chip;
  const [read, write] = [ppb.readUint32, ppb.writeUint32];
  ppb.readUint32 = (offset) => {
    if (offset === AIRCR) return 0xfa050000;
    // The emulator has no memory protection, and must not claim 255 regions of it.
    return offset === MPU_TYPE ? 0 : read.call(ppb, offset);
  };
  ppb.writeUint32 = (offset, value) => {
    if (offset !== AIRCR) return write.call(ppb, offset, value);
    if (value >>> 16 === AIRCR_KEY && value & SYSRESETREQ) throw new Reset('the firmware asked for it');
  };
}

/** With interrupts disabled, an interrupt ends a sleep but its handler does not run. The emulator runs it. */
function mendSleep(core) {
  const check = core.checkForInterrupts;
  core.checkForInterrupts = () => {
    if (!core.waiting || !core.PM || core.pendingNMI) return check.call(core);
    return (core.pendingInterrupts & core.enabledInterrupts) !== 0 || core.pendingSystick || core.pendingPendSV;
  };
}

/** Registers that drivers read and the emulator does not have: offset and constant value. */
function addRegisters(chip, BasePeripheral) {
  const constants = {
    // XIP_CTRL: a flush of the cache is complete at once. Without it embassy's flash driver waits forever.
    0x14000: { 0x00: 0x3, 0x04: 0x1, 0x08: 0x3 },
    // CHIP_RESET: the power came on, and was never lost since.
    0x40064: { 0x00: 0xb1, 0x08: 0x100 },
  };
  for (const [place, values] of Object.entries(constants)) {
    const peripheral = new BasePeripheral(chip, 'constants');
    peripheral.readUint32 = (offset) => values[offset] ?? 0;
    peripheral.writeUint32 = () => {};
    chip.peripherals[place] = peripheral;
  }
}
