/**
 * Removes unnecessary backslash escapes written by another app. Keeps escapes that prevent Markdown formatting, and
 * backslashes in code.
 */
export function removeNeedlessEscapes(text: string): string {
  if (!text.includes('\\')) return text
  let fence: string | undefined
  const lines = text.split('\n')
  const protectedLines = findProtectedLines(lines)
  return lines
    .map((line, index) => {
      const mark = fenceMark.exec(line)?.[1]
      if (fence !== undefined) {
        if (mark?.startsWith(fence)) fence = undefined
        return line
      }
      if (mark !== undefined) {
        fence = mark
        return line
      }
      return protectedLines.has(index) || /^(?: {4}|\t)/.test(line) ? line : cleanLine(line)
    })
    .join('\n')
}

const fenceMark = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/

/** A word that Markdown would turn into a link. */
const address = /@|www|:\\?\/|https?|ftp|xmpp|mailto/i

const escapedMark = /\\([!-/:-@[-`{-~])/g

/** A backslash is text in a code span, which can have several lines, and can be part of a value in HTML and link
 * definitions. */
function findProtectedLines(lines: readonly string[]): Set<number> {
  const result = new Set<number>()
  let start = 0
  for (let end = 0; end <= lines.length; end += 1) {
    const line = lines[end] ?? ''
    if (line.trim() !== '' && !fenceMark.test(line)) continue
    const paragraph = lines.slice(start, end)
    if (paragraph.some((line) => /[`<]|^\s*\[.*\]:/.test(line.replace(escapedMark, ''))))
      for (let index = start; index < end; index += 1) result.add(index)
    start = end + 1
  }
  return result
}

function cleanLine(line: string): string {
  const hard = line.endsWith('\\') && !line.endsWith('\\\\') ? line.slice(0, -1) : line
  const plain = hard.replace(escapedMark, '$1')
  const isBlockMark = /^[\s>]*(?:[-+*=_~:|][-+*=_~:|\s]*$|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|#{1,6}(?:\s|$)|>)/.test(
    plain,
  )
  const lead = isBlockMark ? (/^[\s>\\#+*=_~:|.)\d-]*/.exec(hard)?.[0].length ?? 0) : 0
  // Number signs at the end of a heading would close it.
  const end = hard.trimEnd().length
  return hard.replace(/\S+/g, (word, wordAt: number) =>
    address.test(word) || (/^[\\#]+$/.test(word) && wordAt + word.length === end)
      ? word
      : word.replace(escapedMark, (whole, mark: string, at: number) =>
          wordAt + at < lead || isNeeded(mark, word.slice(Math.max(at - 40, 0), at), word.slice(at + 2, at + 40))
            ? whole
            : mark,
        ),
  )
}

/** Whether a mark within a line would be read as one. */
function isNeeded(mark: string, before: string, after: string): boolean {
  if (/[\\`*~[\]<>|$]/.test(mark)) return true
  if (mark === '_') return !(/[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(after))
  if (mark === '!') return /^\\?\[/.test(after)
  if (mark === '(' || mark === ':') return before.endsWith(']')
  if (mark === '#' || mark === ';') return before.includes('&')
  return mark === '&' && /^(?:\\?#)?\w+\\?;/.test(after)
}
