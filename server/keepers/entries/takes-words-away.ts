/** More than a correction. */
const fewCharacters = 20
/** Less than a word. */
const hardlyAny = 3

type State = Record<string, unknown>

/** Whether a save removes text worth keeping: a line of a text, or most of a short one. */
export function takesWordsAway(before: State, after: State): boolean {
  return Object.keys(before).some((field) => {
    const text = textOf(before[field])
    const lost = lostBetween(text, textOf(after[field]))
    return lost > fewCharacters || (lost > hardlyAny && lost * 2 > text.length)
  })
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}

/** Characters between the common prefix and suffix. */
function lostBetween(text: string, later: string): number {
  const most = Math.min(text.length, later.length)
  let start = 0
  while (start < most && text[start] === later[start]) start++
  let end = 0
  while (end < most - start && text[text.length - 1 - end] === later[later.length - 1 - end]) end++
  return text.length - start - end
}
