/** String concatenation would allocate a 32-byte node per chunk, which adds up with 500 running answers. */
export class TextBuffer {
  #joined = ''
  #pendingChunks: string[] = []
  #length = 0

  append(chunk: string): void {
    this.#length += chunk.length
    if (this.#pendingChunks.push(chunk) === maxPendingChunks) this.#join()
  }

  get length(): number {
    return this.#length
  }

  sliceFrom(start: number): string {
    this.#join()
    return this.#joined.slice(start)
  }

  toString(): string {
    return this.sliceFrom(0)
  }

  #join(): void {
    this.#joined += this.#pendingChunks.join('')
    this.#pendingChunks = []
  }
}

const maxPendingChunks = 128
