/**
 * Removes unnecessary backslash escapes written by another app. Keeps escapes that prevent Markdown formatting, and
 * backslashes in code.
 */
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

/** A word that Markdown would turn into a link. */
const address = /@|www|:\\?\/|https?|ftp|xmpp|mailto/i

const escapedMark = /\\([!-/:-@[-`{-~])/g

function cleanLine(line: string): string {
  // A backslash is text in a code span, and can be part of a value in HTML and link definitions.
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
