/**
 * What somebody wrote, as data in a prompt: it neither hides orders nor ends its own quotation. That a model follows none
 * that stand there openly is asked of it in words, in server/agents/runs/prompt-context.ts.
 */

/**
 * Characters nobody sees, which can carry instructions past a reader: the tag block, the selectors of variants beyond
 * the plane of text, the controls of writing direction, and the signs that part or fill without
 * showing. The joiners stay: several scripts and many emoji are other characters without them.
 */
const unseen =
  /[\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]|[\u202A-\u202E\u2060-\u206F\u200B\u200E\u200F\u061C\u180E\uFEFF\uFFF9-\uFFFB]|\u180B|\u180C|\u180D|\u180F|\u00AD|\u034F|\u115F|\u1160|\u17B4|\u17B5|\u3164|\uFFA0/gu
/** Whatever some reader takes for the end of a line. */
const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g

/** Text without the characters that nobody sees. */
export function withoutUnseen(text: string): string {
  return text.replace(unseen, '')
}

/** A title of somebody's making, which cannot begin a line of its own. */
export function onOneLine(text: string): string {
  return withoutUnseen(text).replace(lineEnd, ' ').trim()
}

/** Every line is marked, so that no text can end its own quotation. */
export function quotedLines(text: string): string {
  return withoutUnseen(text)
    .split(lineEnd)
    .map((line) => `> ${line}`)
    .join('\n')
}

/** A value as JSON that stays on its line. */
export function dataLine(value: object): string {
  return withoutUnseen(JSON.stringify(value)).replace(
    /[\u0085\u2028\u2029]/g,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
