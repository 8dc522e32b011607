/** User text as data in a prompt. server/agents/runs/execute/prompt-context.ts tells the model to ignore visible instructions. */

/** Tags, variation selectors, direction controls, fillers. Joiners stay, because scripts and emoji need them. */
const invisibleCharacters =
  /[\u{E0000}-\u{E007F}]|[\u{E0100}-\u{E01EF}]|[\u202A-\u202E\u2060-\u206F\u200B\u200E\u200F\u061C\u180E\uFEFF\uFFF9-\uFFFB]|\u180B|\u180C|\u180D|\u180F|\u00AD|\u034F|\u115F|\u1160|\u17B4|\u17B5|\u3164|\uFFA0/gu
const unicodeLineEndings = /[\u0085\u2028\u2029]/g
const lineEndings = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g

export function removeInvisible(text: string): string {
  return text.replace(invisibleCharacters, '')
}

export function toOneLine(text: string): string {
  return removeInvisible(text).replace(lineEndings, ' ').trim()
}

/** Marks every line, so that a text can't end its own quotation. */
export function quoteLines(text: string): string {
  return removeInvisible(text)
    .split(lineEndings)
    .map((line) => `> ${line}`)
    .join('\n')
}

export function toDataLine(value: object): string {
  return removeInvisible(JSON.stringify(value)).replace(
    unicodeLineEndings,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
