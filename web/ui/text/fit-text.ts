export type MeasureText = (text: string) => number

export function fitLine(measure: MeasureText, text: string, maxWidth: number): string {
  if (measure(text) <= maxWidth) return text
  const characters = [...text]
  const fittingCount = findMaxCount(
    (count) => measure(`${characters.slice(0, count).join('')}…`) <= maxWidth,
    characters.length,
  )
  return `${characters.slice(0, Math.max(fittingCount, 1)).join('').trimEnd()}…`
}

/** Wraps at spaces, breaks words that are too long, and ends the last line with an ellipsis when text is left over. */
export function wrapLines(measure: MeasureText, text: string, maxWidth: number, maxLines: number): string[] {
  const lines: string[] = []
  for (const paragraph of text.split(/\r\n|\r|\n/)) {
    let line = ''
    for (const word of paragraph.split(/[ \t]+/)) {
      const candidate = line === '' ? word : `${line} ${word}`
      if (measure(candidate) <= maxWidth) {
        line = candidate
        continue
      }
      if (line !== '') lines.push(line)
      const chunks = breakWord(measure, word, maxWidth, maxLines - lines.length + 1)
      lines.push(...chunks.slice(0, -1))
      line = chunks.at(-1) ?? ''
      if (lines.length > maxLines) break
    }
    lines.push(line)
    if (lines.length > maxLines) break
  }
  if (lines.length <= maxLines) return lines
  const last = lines[maxLines - 1] ?? ''
  return [
    ...lines.slice(0, maxLines - 1),
    fitLine(measure, measure(`${last}…`) <= maxWidth ? `${last}…` : `${last} …`, maxWidth),
  ]
}

function breakWord(measure: MeasureText, word: string, maxWidth: number, maxChunks: number): string[] {
  const chunks: string[] = []
  let remaining = [...word]
  while (remaining.length > 0 && chunks.length < maxChunks && measure(remaining.join('')) > maxWidth) {
    const fittingCount = Math.max(
      1,
      findMaxCount((count) => measure(remaining.slice(0, count).join('')) <= maxWidth, remaining.length),
    )
    chunks.push(remaining.slice(0, fittingCount).join(''))
    remaining = remaining.slice(fittingCount)
  }
  return [...chunks, remaining.join('')]
}

function findMaxCount(doesFit: (count: number) => boolean, maxCount: number): number {
  let [low, high] = [0, maxCount]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (doesFit(middle)) low = middle
    else high = middle - 1
  }
  return low
}
