type LineEnding = '\n' | '\r\n' | '\r'
interface Line {
  text: string
  end: LineEnding | ''
}

function splitLines(text: string): Line[] {
  const lines: Line[] = []
  for (const [, lineText = '', end = ''] of text.matchAll(/([^\r\n]*)(\r\n|\n|\r|$)/g)) {
    lines.push({ text: lineText, end: end as Line['end'] })
    if (end === '') break
  }
  return lines
}

/** Normalizes to \n, as a textarea does. */
export const normalizeLineEndings = (text: string): string => text.replace(/\r\n?/g, '\n')

/** Restores the original line endings after an edit in a textarea, which knows only \n; new lines get the most common one. */
export function restoreLineEndings(original: string, edited: string): string {
  if (!original.includes('\r')) return edited
  if (edited === normalizeLineEndings(original)) return original
  const [originalLines, editedLines] = [splitLines(original), splitLines(edited)]
  let head = 0
  while (
    head < originalLines.length &&
    head < editedLines.length &&
    originalLines[head]?.text === editedLines[head]?.text
  )
    head++
  let tail = 0
  const maxTail = Math.min(originalLines.length, editedLines.length) - head
  while (tail < maxTail && originalLines.at(-1 - tail)?.text === editedLines.at(-1 - tail)?.text) tail++
  const usualEnding = findUsualEnding(originalLines)
  return editedLines
    .map(({ text, end }, index) => {
      if (end === '') return text
      const originalLine =
        index < head
          ? originalLines[index]
          : index >= editedLines.length - tail
            ? originalLines[originalLines.length - (editedLines.length - index)]
            : undefined
      return text + (originalLine?.end || usualEnding)
    })
    .join('')
}

function findUsualEnding(lines: readonly Line[]): LineEnding {
  const count = (end: LineEnding) => lines.filter((line) => line.end === end).length
  const ends: LineEnding[] = ['\n', '\r\n', '\r']
  return ends.toSorted((a, b) => count(b) - count(a))[0] ?? '\n'
}
