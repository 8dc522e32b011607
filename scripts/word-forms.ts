/** `chooseKey`, 'choose key' and `choose-key` are the same two words. */
export const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

const singular = (word: string) => word.replace(/ies$/, 'y').replace(/(?<=[^su])s$/, '')

/** What the simple forms of a word have alike: of 'expire', 'expires', 'expired' and 'expiry' it is `expir`. */
export function stemOf(word: string): string {
  const one = singular(word)
  const verb = one.replace(/(?<=[aeiouy].+)ing$|(?<=.{2}[^e])ed$/, '')
  const single = verb === one ? one : verb.replace(/([^aeiousl])\1$/, '$1')
  return single.replace(/(?<=.{3})e$|(?<=.{5})y$/, '')
}

export interface SoughtWord {
  word: string
  stem: string
}

const saysLittle = new Set(
  'a an and are as at be by can do does for from how i in is it its no not of on or that the them then there these they this to was what when where which who why with'.split(
    ' ',
  ),
)

/** The words that somebody asked by, without those of every question. */
export function soughtWords(asked: string): SoughtWord[] {
  const words = wordsOf(asked)
  const telling = words.filter((word) => !saysLittle.has(word))
  return [...new Set(telling.length > 0 ? telling : words)].map((word) => ({ word, stem: stemOf(word) }))
}

/** From 0 to 1: as it was asked for or many of it, in another form, or from four letters on as the beginning of a longer word. */
export function likeness(word: string, { word: asked, stem }: SoughtWord): number {
  if (word === asked || singular(word) === singular(asked)) return 1
  if (saysLittle.has(word)) return 0
  if (stemOf(word) === stem) return 0.9
  return stem.length >= 4 && word.startsWith(stem) ? 0.6 : 0
}
