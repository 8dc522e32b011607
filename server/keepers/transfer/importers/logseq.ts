import { getFenceAfterLine } from '#contract/code-fence.ts'
import { decodeName } from './foreign-values.ts'

const property = /^([\p{L}\p{N}][\p{L}\p{N}._/-]{0,80})::(?:\s(.*))?$/u
/** Properties that only Logseq uses; they are left out. */
const appProperty =
  /^(?:id|collapsed|heading|background-color|logseq\..*|ls-type|hl-.*|file|file-path|query-.*|card-.*)$/

const isAppProperty = (key: string, value: string) => appProperty.test(key) || /^\d{12,}$/.test(value.trim())

/** Org mode blocks: code becomes a fenced block, other blocks become their text. */
const blockLine = /^(\s*(?:[-*]\s+)?)#\+(begin|end)_(src|example|query|export|\w{1,20})(?:[ \t]+(\w{0,30})[^\n]*)?$/i

const markers: [pattern: RegExp, box: string][] = [
  [/^(?:TODO|LATER|NOW|DOING|WAITING|WAIT|IN-PROGRESS)\s(?=\S)/, '[ ] '],
  [/^DONE\s(?=\S)/, '[x] '],
]

/**
 * Reads a Logseq page, where every line is a bullet: the properties of its first block, and the outline without Logseq
 * syntax. An outline with one bullet becomes a paragraph.
 */
export function readLogseqPage(source: string): { properties: Map<string, string>; text: string } {
  const properties = new Map<string, string>()
  const lines: string[] = []
  let isFirstBlock = true
  let fence: string | undefined
  let isInLogbook = false
  for (const sourceLine of source.split('\n')) {
    const line = toFence(sourceLine)
    if (line === undefined) continue
    const [, indent = '', bullet = '', content = ''] = /^(\s*)([-*]\s+|[-*]$)?(.*)$/.exec(line) ?? []
    const previousFence = fence
    fence = getFenceAfterLine(content, previousFence)
    if (fence !== undefined || previousFence !== undefined) {
      lines.push(line)
      isFirstBlock = false
      continue
    }
    if (/^:LOGBOOK:\s*$/i.test(content)) isInLogbook = true
    if (isInLogbook) {
      isInLogbook = !/^:END:\s*$/i.test(content)
      continue
    }
    const [matched, key = '', value = ''] = property.exec(content) ?? []
    const isPageTime = isFirstBlock && /^(?:created|updated)-at$/.test(key)
    if (matched !== undefined && isAppProperty(key, value) && !isPageTime) {
      if (bullet !== '') lines.push(`${indent}${bullet}`)
      continue
    }
    if (matched !== undefined && isFirstBlock) {
      properties.set(key, value)
      continue
    }
    if (content.trim() !== '') isFirstBlock = false
    lines.push(`${indent}${bullet}${toCheckbox(content, bullet !== '')}`)
  }
  return { properties, text: unwrapOutline(removeEmptyBullets(lines)) }
}

function toFence(line: string): string | undefined {
  const [, indent = '', boundary = '', kind = '', language = ''] = blockLine.exec(line) ?? []
  if (kind === '') return line
  if (!/^(?:src|example|query|export)$/i.test(kind)) return /[-*]/.test(indent) ? indent : undefined
  return /begin/i.test(boundary) ? `${indent}\`\`\`${language}` : `${indent.replace(/[-*]/, ' ')}\`\`\``
}

function toCheckbox(text: string, isBullet: boolean): string {
  if (!isBullet) return text
  for (const [pattern, box] of markers) if (pattern.test(text)) return text.replace(pattern, box)
  return text
}

/** A bullet's text is on its line and on deeper lines below it that aren't bullets. */
function removeEmptyBullets(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => {
    if (!/^\s*[-*]\s*$/.test(line)) return [line]
    const next = lines[index + 1] ?? ''
    const hasContinuation = /^\s+(?![-*](?:\s|$))\S/.test(next)
    return hasContinuation ? [line] : []
  })
}

function unwrapOutline(outline: readonly string[]): string {
  const lines = outline.slice(outline.findIndex((line) => line.trim() !== ''))
  const bullets = lines.filter((line) => /^\s*[-*]\s/.test(line))
  const [first = ''] = lines
  if (bullets.length !== 1 || !/^[-*]\s/.test(first)) return lines.join('\n')
  return lines.map((line) => line.replace(/^(?:[-*]\s|\t| {2})/, '')).join('\n')
}

const blockId = /^\s*id:: ([0-9a-f]{8}-[0-9a-f-]{27})\s*$/

/** Text of the blocks that have an id, so that references can be replaced by it. */
export function findBlocks(source: string): Map<string, string> {
  const blocks = new Map<string, string>()
  let current = ''
  for (const line of source.split('\n')) {
    const bullet = /^\s*[-*]\s+(.*)$/.exec(line)?.[1]
    if (bullet !== undefined) current = bullet
    const id = blockId.exec(line)?.[1]
    if (id !== undefined) blocks.set(id, current.replace(/^(?:TODO|DONE|LATER|NOW|DOING)\s|^#+\s/, '').slice(0, 200))
  }
  return blocks
}

/** Decodes page names, in which slashes and other characters are written as `%2F` or `___`. */
export const toPageName = (fileName: string): string => decodeName(fileName.replaceAll('___', '/'))

/** Values of `logseq/config.edn`, which isn't JSON. Comments start with `;`. */
export function readEdnText(edn: string, key: string): string | undefined {
  const line = edn
    .split('\n')
    .find((candidate) => candidate.trimStart().replace(/^\{/, '').trimStart().startsWith(`:${key} `))
  return line === undefined ? undefined : /"([^"]{1,200})"/.exec(line.slice(line.indexOf(key)))?.[1]
}

/** Lowercase aliases of a page, from the properties of its first block. */
export function findAliases(source: string): string[] {
  const names = /^(?:alias|title)::[ \t]([^\n]{1,1000})/im.exec(source.slice(0, 4000))?.[1] ?? ''
  return names.split(',').flatMap(
    (name) =>
      name
        .replace(/\[\[|\]\]/g, '')
        .trim()
        .toLowerCase() || [],
  )
}
