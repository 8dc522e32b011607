/** Reads `text/event-stream` chunk by chunk: chunks end anywhere, events end at an empty line. */
export function createEventStreamReader(onEvent: (event: string, data: string) => void): (chunk: string) => void {
  let pendingLine = ''
  let carriedOver = ''
  let name = ''
  let lines: string[] = []

  function line(text: string) {
    if (text === '') {
      if (lines.length > 0) onEvent(name || 'message', lines.join('\n'))
      name = ''
      lines = []
      return
    }
    const colon = text.indexOf(':')
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') name = value
    if (field === 'data') lines.push(value)
  }

  return (chunk) => {
    // A lone CR at the end may be the first half of CRLF: it waits for the next chunk.
    const whole = carriedOver + chunk
    const ready = whole.endsWith('\r') ? whole.slice(0, -1) : whole
    carriedOver = whole.slice(ready.length)
    const completeLines = ready.split(/\r\n|\n|\r/)
    const partialLine = completeLines.pop() ?? ''
    for (const text of completeLines) {
      line(pendingLine + text)
      pendingLine = ''
    }
    // A long line is not scanned again with every chunk.
    pendingLine += partialLine
  }
}
