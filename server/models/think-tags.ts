const openingTags = ['<think>', '<thinking>', '<thought>']
const maxPendingLength = 200

/** Only leading `<think>` text counts; later tags are ordinary text. */
export class ThinkTags {
  #pending = ''
  #closing: string | undefined
  #isAnswer = false
  #isFirst = true

  push(chunk: string): { text: string; reasoning: string } {
    if (this.#isAnswer) return { text: this.#isFirst ? this.#trimFirst(chunk) : chunk, reasoning: '' }
    this.#pending += chunk
    if (this.#closing === undefined) {
      const start = this.#pending.trimStart()
      const opening = openingTags.find((tag) => start.startsWith(tag))
      if (opening === undefined) {
        if (this.#pending.length < maxPendingLength && openingTags.some((tag) => tag.startsWith(start)))
          return { text: '', reasoning: '' }
        return this.#startAnswer(this.#pending, '')
      }
      this.#closing = `</${opening.slice(1)}`
      this.#pending = start.slice(opening.length)
    }
    const end = this.#pending.indexOf(this.#closing)
    if (end === -1) return { text: '', reasoning: this.#takeThought() }
    const thought = this.#pending.slice(0, end)
    const remaining = this.#pending.slice(end + this.#closing.length)
    this.#isAnswer = true
    return { text: this.#trimFirst(remaining), reasoning: thought }
  }

  end(): { text: string; reasoning: string } {
    if (this.#isAnswer) return { text: '', reasoning: '' }
    if (this.#closing === undefined) return this.#startAnswer(this.#pending, '')
    const reasoning = this.#pending
    this.#pending = ''
    return { text: '', reasoning }
  }

  #startAnswer(text: string, reasoning: string): { text: string; reasoning: string } {
    this.#isAnswer = true
    this.#isFirst = false
    this.#pending = ''
    return { text, reasoning }
  }

  #trimFirst(text: string): string {
    const trimmed = text.trimStart()
    if (trimmed !== '') this.#isFirst = false
    return trimmed
  }

  #takeThought(): string {
    const closing = this.#closing ?? ''
    let pendingLength = Math.min(closing.length - 1, this.#pending.length)
    while (pendingLength > 0 && !closing.startsWith(this.#pending.slice(-pendingLength))) pendingLength -= 1
    const thought = this.#pending.slice(0, this.#pending.length - pendingLength)
    this.#pending = this.#pending.slice(this.#pending.length - pendingLength)
    return thought
  }
}
