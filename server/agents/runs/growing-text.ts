/**
 * A text that grows by thousands of small pieces and is seldom read. Appended to a string, each piece would stand behind
 * it as a node of 32 bytes until somebody reads the whole: with 500 answers under way that is more than their words.
 */
export class GrowingText {
  #whole = ''
  #pieces: string[] = []
  #length = 0

  append(piece: string): void {
    this.#length += piece.length
    if (this.#pieces.push(piece) === piecesAtOnce) this.#join()
  }

  /** In UTF-16 units, as that of a string. */
  get length(): number {
    return this.#length
  }

  /** From the given place to its end. */
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

const piecesAtOnce = 128
