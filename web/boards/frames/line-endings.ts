type End = '\n' | '\r\n' | '\r'
interface Line {
  text: string
  end: End | ''
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (const [, words = '', end = ''] of text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)) {
    lines.push({ text: words, end: end as Line['end'] })
    if (end === '') break
  }
  return lines
}

/** Normalizes to \n, as a textarea does. */
export const boxText = (text: string): string => text.replace(/\r\n?/g, '\n')

/** Restores the original line endings after an edit in a textarea, which knows only \n; new lines get the most common one. */
export function withLineEnds(before: string, edited: string): string {
  if (!before.includes('\r')) return edited
  if (edited === boxText(before)) return before
  const [old, now] = [linesOf(before), linesOf(edited)]
  let head = 0
  while (head < old.length && head < now.length && old[head]?.text === now[head]?.text) head++
  let tail = 0
  const most = Math.min(old.length, now.length) - head
  while (tail < most && old.at(-1 - tail)?.text === now.at(-1 - tail)?.text) tail++
  const usual = usualEnd(old)
  return now
    .map(({ text, end }, at) => {
      if (end === '') return text
      const kept = at < head ? old[at] : at >= now.length - tail ? old[old.length - (now.length - at)] : undefined
      return text + (kept?.end || usual)
    })
    .join('')
}

function usualEnd(lines: readonly Line[]): End {
  const count = (end: End) => lines.filter((line) => line.end === end).length
  const ends: End[] = ['\n', '\r\n', '\r']
  return ends.toSorted((a, b) => count(b) - count(a))[0] ?? '\n'
}
