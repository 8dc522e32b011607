const openings = ['<think>', '<thinking>', '<thought>']
/** Characters looked through for the beginning of a tag. */
const maxHeld = 200

/**
 * Tells the thinking that local models put before their answer, between `<think>` and `</think>`, from the answer itself.
 * A tag may come in pieces; until it is whole nothing of it is passed on. Tags further on are ordinary text.
 */
export class ThinkTags {
  #held = ''
  #closing: string | undefined
  #isAnswer = false
  #isFirst = true

  push(piece: string): { text: string; reasoning: string } {
    if (this.#isAnswer) return { text: this.#isFirst ? this.#trimFirst(piece) : piece, reasoning: '' }
    this.#held += piece
    if (this.#closing === undefined) {
      const start = this.#held.trimStart()
      const opening = openings.find((tag) => start.startsWith(tag))
      if (opening === undefined) {
        if (this.#held.length < maxHeld && openings.some((tag) => tag.startsWith(start)))
          return { text: '', reasoning: '' }
        return this.#startAnswer(this.#held, '')
      }
      this.#closing = `</${opening.slice(1)}`
      this.#held = start.slice(opening.length)
    }
    const end = this.#held.indexOf(this.#closing)
    if (end === -1) return { text: '', reasoning: this.#takeThought() }
    const thought = this.#held.slice(0, end)
    const rest = this.#held.slice(end + this.#closing.length)
    this.#isAnswer = true
    return { text: this.#trimFirst(rest), reasoning: thought }
  }

  /** What was held back, at the end of the answer. */
  end(): { text: string; reasoning: string } {
    if (this.#isAnswer) return { text: '', reasoning: '' }
    if (this.#closing === undefined) return this.#startAnswer(this.#held, '')
    const reasoning = this.#held
    this.#held = ''
    return { text: '', reasoning }
  }

  #startAnswer(text: string, reasoning: string): { text: string; reasoning: string } {
    this.#isAnswer = true
    this.#isFirst = false
    this.#held = ''
    return { text, reasoning }
  }

  /** The blank lines between the thinking and the answer. */
  #trimFirst(text: string): string {
    const trimmed = text.trimStart()
    if (trimmed !== '') this.#isFirst = false
    return trimmed
  }

  /** All but what may be the beginning of the closing tag. */
  #takeThought(): string {
    const closing = this.#closing ?? ''
    let keep = Math.min(closing.length - 1, this.#held.length)
    while (keep > 0 && !closing.startsWith(this.#held.slice(-keep))) keep -= 1
    const thought = this.#held.slice(0, this.#held.length - keep)
    this.#held = this.#held.slice(this.#held.length - keep)
    return thought
  }
}
