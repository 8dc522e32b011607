export type Measure = (text: string) => number

/** Truncates to the width with an ellipsis. */
export function fitLine(measure: Measure, text: string, most: number): string {
  if (measure(text) <= most) return text
  const letters = [...text]
  const kept = mostThat((count) => measure(`${letters.slice(0, count).join('')}…`) <= most, letters.length)
  return `${letters.slice(0, Math.max(kept, 1)).join('').trimEnd()}…`
}

/** Wraps at spaces, breaks words that are too long, and ends the last line with an ellipsis when text is left over. */
export function wrapLines(measure: Measure, text: string, most: number, mostLines: number): string[] {
  const lines: string[] = []
  for (const paragraph of text.split(/\r\n|\r|\n/)) {
    let line = ''
    for (const word of paragraph.split(/[ \t]+/)) {
      const longer = line === '' ? word : `${line} ${word}`
      if (measure(longer) <= most) {
        line = longer
        continue
      }
      if (line !== '') lines.push(line)
      const pieces = broken(measure, word, most, mostLines - lines.length + 1)
      lines.push(...pieces.slice(0, -1))
      line = pieces.at(-1) ?? ''
      if (lines.length > mostLines) break
    }
    lines.push(line)
    if (lines.length > mostLines) break
  }
  if (lines.length <= mostLines) return lines
  const last = lines[mostLines - 1] ?? ''
  return [
    ...lines.slice(0, mostLines - 1),
    fitLine(measure, measure(`${last}…`) <= most ? `${last}…` : `${last} …`, most),
  ]
}

function broken(measure: Measure, word: string, most: number, mostPieces: number): string[] {
  const pieces: string[] = []
  let rest = [...word]
  while (rest.length > 0 && pieces.length < mostPieces && measure(rest.join('')) > most) {
    const kept = Math.max(
      1,
      mostThat((count) => measure(rest.slice(0, count).join('')) <= most, rest.length),
    )
    pieces.push(rest.slice(0, kept).join(''))
    rest = rest.slice(kept)
  }
  return [...pieces, rest.join('')]
}

/** Binary search: the largest count up to `top` that fits. */
function mostThat(fits: (count: number) => boolean, top: number): number {
  let [low, high] = [0, top]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  return low
}
