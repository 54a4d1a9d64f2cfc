// The I2C buses of the board: the sensor, if there is one, is on I2C0.

const TX_EMPTY = 1 << 4;

/** Connects the chip. `onStall` is called when the sensor holds the clock and never lets go. */
export function connectBus(chip, sensor, onStall) {
  for (const [number, bus] of chip.i2c.entries()) {
    const device = number === 0 ? sensor : undefined;
    bus.onStart = () => bus.completeStart();
    bus.onConnect = (address, mode) => {
      const isWrite = mode === 0;
      const answers = device?.connect(address, isWrite) ?? false;
      bus.completeConnect(answers);
      // The abort empties the queue, and a real bus then says so. Drivers wait for it.
      if (!answers) bus.setInterrupts(TX_EMPTY);
    };
    bus.onWriteByte = (byte) => {
      device.write(byte);
      bus.completeWrite(true);
    };
    bus.onReadByte = () => {
      const byte = device.read();
      if (byte === undefined) onStall();
      else bus.completeRead(byte);
    };
    bus.onStop = () => bus.completeStop();
  }
}
