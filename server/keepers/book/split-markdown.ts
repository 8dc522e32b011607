import { getFenceAfterLine } from '#contract/code-fence.ts'

/** Parsing this many characters takes 10 to 20 ms. */
const chunkLength = 4_000
/** Limit for the link definitions that are repeated in each part. */
const maxDefinitionsLength = 2_000

/** Begins a paragraph, heading or quote of its own: neither the rest of a list or table nor indented. */
const startsBlock = /^(?![-*+|]|\d{1,9}[.)])\S/
const definition = /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S/

/** Parts of at least `chunkLength` characters that can be parsed one by one, so that none blocks the process for long.
 * Each has the definitions of links and footnotes. Parts end before a block of its own, outside code. */
export function splitMarkdown(text: string): string[] {
  if (text.length <= 2 * chunkLength) return [text]
  const parts: string[] = []
  const definitions: string[] = []
  let lines: string[] = []
  let length = 0
  let fence: string | undefined
  let isAfterBlank = false
  for (const line of text.split('\n')) {
    if (length >= chunkLength && isAfterBlank && !fence && startsBlock.test(line)) {
      parts.push(lines.join('\n'))
      lines = []
      length = 0
    }
    fence = getFenceAfterLine(line, fence)
    isAfterBlank = line.trim() === ''
    lines.push(line)
    length += line.length + 1
    if (!fence && definition.test(line)) definitions.push(line)
  }
  parts.push(lines.join('\n'))
  const shared = definitions.join('\n')
  if (shared === '' || shared.length > maxDefinitionsLength) return parts
  return parts.map((part) => `${part}\n\n${shared}`)
}
