/** Drops the least recently used entry above `maxSize`. Every `get` reinserts its entry, which is too costly on hot paths. */
export class LruMap<Key, Value> extends Map<Key, Value> {
  readonly #maxSize: number

  constructor(maxSize: number) {
    super()
    this.#maxSize = maxSize
  }

  override get(key: Key): Value | undefined {
    const value = super.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    for (const oldest of this.keys()) {
      if (this.size <= this.#maxSize) break
      this.delete(oldest)
    }
    return this
  }
}
