/** Removes backslashes that another app wrote before marks that would read the same without them, and keeps those that
 * prevent a mark. Code keeps its backslashes, as they are part of it. */
export function removeNeedlessEscapes(text: string): string {
  if (!text.includes('\\')) return text
  let fence: string | undefined
  return text
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
      if (fence !== undefined) {
        if (mark?.startsWith(fence)) fence = undefined
        return line
      }
      if (mark !== undefined) {
        fence = mark
        return line
      }
      return /^(?: {4}|\t)/.test(line) ? line : cleanLine(line)
    })
    .join('\n')
}

/** A word that could become a link by itself. */
const address = /@|www|:\\?\/|https?|ftp|xmpp|mailto/i

const escapedMark = /\\([!-/:-@[-`{-~])/g

function cleanLine(line: string): string {
  // In a code span, a backslash is text; in HTML and definitions of links, it can be part of a value.
  if (/[`<]|^\s*\[.*\]:/.test(line.replace(escapedMark, ''))) return line
  const hard = line.endsWith('\\') && !line.endsWith('\\\\') ? line.slice(0, -1) : line
  const plain = hard.replace(escapedMark, '$1')
  const isBlockMark = /^[\s>]*(?:[-+*=_~:|][-+*=_~:|\s]*$|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|#{1,6}(?:\s|$)|>)/.test(
    plain,
  )
  const lead = isBlockMark ? (/^[\s>\\#+*=_~:|.)\d-]*/.exec(hard)?.[0].length ?? 0) : 0
  return hard.replace(/\S+/g, (word, wordAt: number) =>
    address.test(word)
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
