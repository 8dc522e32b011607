/** Reads `text/event-stream` chunk by chunk: chunks end anywhere, events end at an empty line. */
export function createEventStreamReader(onEvent: (event: string, data: string) => void): (chunk: string) => void {
  let pendingLine = ''
  let trailingReturn = ''
  let eventName = ''
  let dataLines: string[] = []

  function handleLine(text: string) {
    if (text === '') {
      if (dataLines.length > 0) onEvent(eventName || 'message', dataLines.join('\n'))
      eventName = ''
      dataLines = []
      return
    }
    const colon = text.indexOf(':')
    const field = colon < 0 ? text : text.slice(0, colon)
    const value = colon < 0 ? '' : text.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') eventName = value
    if (field === 'data') dataLines.push(value)
  }

  return (chunk) => {
    // A lone CR at the end may be the first half of CRLF: it waits for the next chunk.
    const buffered = trailingReturn + chunk
    const completeText = buffered.endsWith('\r') ? buffered.slice(0, -1) : buffered
    trailingReturn = buffered.slice(completeText.length)
    const completeLines = completeText.split(/\r\n|\n|\r/)
    const partialLine = completeLines.pop() ?? ''
    for (const text of completeLines) {
      handleLine(pendingLine + text)
      pendingLine = ''
    }
    // A long line is not scanned again with every chunk.
    pendingLine += partialLine
  }
}
