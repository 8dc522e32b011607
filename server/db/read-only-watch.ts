const probeIntervalMs = 1_000

/**
 * After a failover, connections can stay read-only although the database isn't. The watch retires all connections once
 * when a write is refused, and again when the database can be written.
 */
export class ReadOnlyWatch {
  readonly #probe: () => Promise<boolean>
  readonly #epochs = new WeakMap<object, number>()
  #epoch = 0
  #isReadOnly = false
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(probe: () => Promise<boolean>) {
    this.#probe = probe
  }

  get isReadOnly(): boolean {
    return this.#isReadOnly
  }

  register(client: object): void {
    this.#epochs.set(client, this.#epoch)
  }

  isStale(client: object): boolean {
    return (this.#epochs.get(client) ?? 0) !== this.#epoch
  }

  reportRefusedWrite(): void {
    if (this.#isReadOnly || this.#closed) return
    this.#isReadOnly = true
    this.#epoch++
    this.#scheduleProbe()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #scheduleProbe(): void {
    this.#timer = setTimeout(() => void this.#runProbe(), probeIntervalMs)
    this.#timer.unref()
  }

  async #runProbe(): Promise<void> {
    const isWritable = await this.#probe().catch(() => false)
    if (this.#closed) return
    if (!isWritable) return this.#scheduleProbe()
    this.#epoch++
    this.#isReadOnly = false
  }
}
