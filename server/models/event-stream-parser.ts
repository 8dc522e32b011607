export interface ServerSentEvent {
  name: string
  data: string
}

/** `push` throws a RangeError for an event over the limit and a TypeError for invalid UTF-8. */
export class EventStreamParser {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  readonly #maxEventBytes: number
  #line = ''
  #name = ''
  #data: string[] = []
  #bytesSinceEvent = 0
  #endedWithCarriageReturn = false
  #isAtStart = true

  constructor(maxEventBytes: number) {
    this.#maxEventBytes = maxEventBytes
  }

  push(bytes: Uint8Array): ServerSentEvent[] {
    this.#bytesSinceEvent += bytes.byteLength
    const events = this.#parse(this.#decoder.decode(bytes, { stream: true }))
    if (this.#bytesSinceEvent > this.#maxEventBytes) throw new RangeError('A server-sent event is too large.')
    return events
  }

  /** Flushes the last event, because some servers omit the final blank line. */
  end(): ServerSentEvent[] {
    return this.#parse(`${this.#decoder.decode()}\n\n`)
  }

  #parse(text: string): ServerSentEvent[] {
    if (text === '') return []
    if (this.#isAtStart && text.startsWith('\uFEFF'))
      throw new TypeError('The event stream starts with a byte order mark.')
    this.#isAtStart = false
    // A CRLF can be split over two chunks; its LF must not count as a blank line.
    const remainingText = this.#endedWithCarriageReturn && text.startsWith('\n') ? text.slice(1) : text
    this.#endedWithCarriageReturn = text.endsWith('\r')

    const events: ServerSentEvent[] = []
    const lines = remainingText.split(/\r\n|\r|\n/)
    const remaining = lines.pop() ?? ''
    for (const line of lines) {
      this.#endLine(this.#line + line, events)
      this.#line = ''
    }
    this.#line += remaining
    return events
  }

  #endLine(line: string, events: ServerSentEvent[]): void {
    if (line !== '') {
      this.#readField(line)
      return
    }
    const data = this.#data.join('\n')
    if (data.length > this.#maxEventBytes) throw new RangeError('A server-sent event is too large.')
    if (this.#data.length > 0) events.push({ name: this.#name, data })
    this.#name = ''
    this.#data = []
    this.#bytesSinceEvent = 0
  }

  #readField(line: string): void {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#name = value
  }
}
