/** Reads `text/event-stream` chunk by chunk: chunks end anywhere, events end at an empty line. */
export function eventStreamReader(onEvent: (event: string, data: string) => void): (piece: string) => void {
  let rest = ''
  let held = ''
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

  return (piece) => {
    // A lone CR at the end may be the first half of CRLF: it waits for the next chunk.
    const whole = held + piece
    const ready = whole.endsWith('\r') ? whole.slice(0, -1) : whole
    held = whole.slice(ready.length)
    const found = ready.split(/\r\n|\n|\r/)
    const begun = found.pop() ?? ''
    for (const text of found) {
      line(rest + text)
      rest = ''
    }
    // A long line is not scanned again with every chunk.
    rest += begun
  }
}
