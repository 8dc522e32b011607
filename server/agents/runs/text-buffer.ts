/** String concatenation would allocate a 32-byte node per chunk, which adds up with 500 running answers. */
export class TextBuffer {
  #whole = ''
  #pieces: string[] = []
  #length = 0

  append(chunk: string): void {
    this.#length += chunk.length
    if (this.#pieces.push(chunk) === maxPendingChunks) this.#join()
  }

  get length(): number {
    return this.#length
  }

  from(start: number): string {
    this.#join()
    return this.#whole.slice(start)
  }

  toString(): string {
    return this.from(0)
  }

  #join(): void {
    this.#whole += this.#pieces.join('')
    this.#pieces = []
  }
}

const maxPendingChunks = 128
