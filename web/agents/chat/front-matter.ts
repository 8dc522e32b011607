const maxFrontMatterLength = 20_000
const opening = /^\uFEFF?---[ \t]*(?:\r\n|\n|\r)/
const closing = /^(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|$)/gm
const startsWithKey = /^(?:[ \t]*(?:#[^\n\r]*)?[\n\r])*["']?[\p{L}_][^:\n\r]{0,200}:(?:[ \t]|[\n\r])/u

/** @returns YAML at the start of a document, without its marks, and the text after it */
export function splitFrontMatter(text: string): [frontMatter: string, body: string] {
  const start = opening.exec(text)?.[0].length
  if (start === undefined) return ['', text]
  const candidate = text.slice(start, start + maxFrontMatterLength)
  closing.lastIndex = 0
  const end = closing.exec(candidate)
  if (!end || !startsWithKey.test(candidate.slice(0, end.index))) return ['', text]
  return [candidate.slice(0, end.index), text.slice(start + end.index + end[0].length)]
}
