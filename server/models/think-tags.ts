const openingTags = ['<think>', '<thinking>', '<thought>']
const maxPendingLength = 200

/** Only leading `<think>` text counts; later tags are ordinary text. */
export class ThinkTags {
  #pendingText = ''
  #closingTag: string | undefined
  #isAnswering = false
  #isFirstText = true

  push(chunk: string): { text: string; reasoning: string } {
    if (this.#isAnswering) return { text: this.#isFirstText ? this.#trimFirst(chunk) : chunk, reasoning: '' }
    this.#pendingText += chunk
    if (this.#closingTag === undefined) {
      const start = this.#pendingText.trimStart()
      const openingTag = openingTags.find((tag) => start.startsWith(tag))
      if (openingTag === undefined) {
        if (this.#pendingText.length < maxPendingLength && openingTags.some((tag) => tag.startsWith(start)))
          return { text: '', reasoning: '' }
        return this.#startAnswer(this.#pendingText, '')
      }
      this.#closingTag = `</${openingTag.slice(1)}`
      this.#pendingText = start.slice(openingTag.length)
    }
    const end = this.#pendingText.indexOf(this.#closingTag)
    if (end === -1) return { text: '', reasoning: this.#takeThought() }
    const thought = this.#pendingText.slice(0, end)
    const remaining = this.#pendingText.slice(end + this.#closingTag.length)
    this.#isAnswering = true
    return { text: this.#trimFirst(remaining), reasoning: thought }
  }

  end(): { text: string; reasoning: string } {
    if (this.#isAnswering) return { text: '', reasoning: '' }
    if (this.#closingTag === undefined) return this.#startAnswer(this.#pendingText, '')
    const reasoning = this.#pendingText
    this.#pendingText = ''
    return { text: '', reasoning }
  }

  #startAnswer(text: string, reasoning: string): { text: string; reasoning: string } {
    this.#isAnswering = true
    this.#isFirstText = false
    this.#pendingText = ''
    return { text, reasoning }
  }

  #trimFirst(text: string): string {
    const trimmed = text.trimStart()
    if (trimmed !== '') this.#isFirstText = false
    return trimmed
  }

  #takeThought(): string {
    const closingTag = this.#closingTag ?? ''
    let pendingLength = Math.min(closingTag.length - 1, this.#pendingText.length)
    while (pendingLength > 0 && !closingTag.startsWith(this.#pendingText.slice(-pendingLength))) pendingLength -= 1
    const thought = this.#pendingText.slice(0, this.#pendingText.length - pendingLength)
    this.#pendingText = this.#pendingText.slice(this.#pendingText.length - pendingLength)
    return thought
  }
}
