export interface ServerSentEvent {
  /** '' when the event has no name. */
  name: string
  data: string
}

/**
 * Takes the bytes of an event stream as they arrive and returns the events completed so far. Tolerates everything the
 * standard allows: CR, LF and CRLF, comments, unknown fields, characters split over chunks.
 *
 * `push` throws a RangeError when an event outgrows the limit and a TypeError when the bytes are not plain UTF-8.
 */
export class EventStreamParser {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  readonly #maxEventBytes: number
  #line = ''
  #name = ''
  #data: string[] = []
  #bytesSinceEvent = 0
  #afterCarriageReturn = false
  #atStart = true

  constructor(maxEventBytes: number) {
    this.#maxEventBytes = maxEventBytes
  }

  push(bytes: Uint8Array): ServerSentEvent[] {
    this.#bytesSinceEvent += bytes.byteLength
    const events = this.#take(this.#decoder.decode(bytes, { stream: true }))
    if (this.#bytesSinceEvent > this.#maxEventBytes) throw new RangeError('A server-sent event is too large.')
    return events
  }

  /** Flushes the last event: some servers leave out the blank line after the last event. */
  end(): ServerSentEvent[] {
    return this.#take(`${this.#decoder.decode()}\n\n`)
  }

  #take(text: string): ServerSentEvent[] {
    if (text === '') return []
    if (this.#atStart && text.startsWith('\uFEFF'))
      throw new TypeError('The event stream starts with a byte order mark.')
    this.#atStart = false
    // A CRLF may be split over two chunks; its LF must not count as a blank line.
    const unread = this.#afterCarriageReturn && text.startsWith('\n') ? text.slice(1) : text
    this.#afterCarriageReturn = text.endsWith('\r')

    const events: ServerSentEvent[] = []
    const lines = unread.split(/\r\n|\r|\n/)
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
      this.#field(line)
      return
    }
    const data = this.#data.join('\n')
    if (data.length > this.#maxEventBytes) throw new RangeError('A server-sent event is too large.')
    if (this.#data.length > 0) events.push({ name: this.#name, data })
    this.#name = ''
    this.#data = []
    this.#bytesSinceEvent = 0
  }

  #field(line: string): void {
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#name = value
  }
}
