import { basename } from 'node:path/posix'
import { getFenceAfterLine } from '#contract/code-fence.ts'
import { decodeName } from './foreign-values.ts'
import { formatEntryLink, type ImportedFile } from './importer.ts'

type LinkTarget = { kind: 'note'; sourceId: string } | { kind: 'file'; path: string } | undefined

export interface LinkResolver {
  /** Finds a page or file by its name or path, with or without an extension. */
  find(target: string): LinkTarget
  /** The note that contains a Logseq block, and the block's text. */
  findBlock?(id: string): { sourceId: string; text: string } | undefined
}

/** Placeholder for a file mention, until {@link removeMarkers} removes it. */
const fileMarker = '\0'

const wikilink = /(!?)\[\[([^[\]\n]{1,500})\]\]/g
// No part of the pattern matches its own delimiter, so that every character is read a bounded number of times.
const inlineLink =
  /(!?)\[((?:[^\]\\\n[]|\\.){0,500})\]\(((?:[^()\n]|\([^()\n]{0,200}\)){1,1000})\)(\{[^{}\n]{0,200}\})?/g
const htmlImage = /<img\b([^<>]{0,800})>/gi
const blockReference = /\(\(([0-9a-f]{8}-[0-9a-f-]{27})\)\)/g
const embedMacro = /\{\{embed\s{1,3}([^{}\n]{1,300}?)\s{0,3}\}\}/g
const videoMacro = /\{\{(?:video|youtube|tweet|vimeo|bilibili|img|audio)\s{1,3}([^{}\n]{1,500}?)\s{0,3}\}\}/g

const scheme = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i
/** Other notes and views, which can't be attached to a moment. */
const viewFile = /\.(?:md|markdown|canvas|base|excalidraw|html?|org|edn|csv)$/i

/** Links to notes as links to entries, files as attachments. Another note is never put into the text. */
export function rewriteLinks(source: string, resolver: LinkResolver): { text: string; files: ImportedFile[] } {
  const files = new Map<string, ImportedFile>()
  const attach = (file: string, alt?: string) => {
    const size = /^\d+(?:x\d+)?$/.test(alt ?? '')
    if (!files.has(file)) files.set(file, { file, name: basename(file), alt: size || !alt ? undefined : alt })
  }
  const rewrite = (isEmbed: boolean, address: string, label: string, alt: string | undefined) => {
    const target = resolver.find(address)
    if (target?.kind === 'note') return formatEntryLink(cleanLabel(label), target.sourceId)
    const isFile = target ? !viewFile.test(target.path) : /\.[a-z0-9]{1,5}$/i.test(address) && !viewFile.test(address)
    if (!isFile) return cleanLabel(label)
    attach(target?.path ?? address, alt)
    return isEmbed ? fileMarker : cleanLabel(label)
  }
  const rewriteInline = (whole: string, mark: string, label: string, inner: string) => {
    const address = readAddress(inner)
    const isFileOnly = label.includes(fileMarker) && label.replaceAll(fileMarker, '').trim() === ''
    if (address.startsWith('imported-entry:') || address.startsWith('#') || address === '') return removeSize(whole)
    if (scheme.test(address)) return isFileOnly ? `${fileMarker}[${address}](${address})` : removeSize(whole)
    const [path = ''] = splitSection(decodeName(address))
    const rewritten = rewrite(
      mark === '!',
      path,
      label || basename(path),
      mark === '!' ? label.split('|')[0] : undefined,
    )
    return isFileOnly ? fileMarker : rewritten
  }
  const rewriteBlockReference = (whole: string, id: string) => {
    if (!resolver.findBlock) return whole
    const block = resolver.findBlock(id)
    return block ? formatEntryLink(cleanLabel(block.text), block.sourceId) : ''
  }
  const text = mapProse(source.replaceAll(fileMarker, ''), (prose) =>
    prose
      .replace(embedMacro, (_, target: string) => target)
      .replace(videoMacro, (_, address: string) => address)
      .replace(blockReference, rewriteBlockReference)
      .replace(wikilink, (_, mark: string, inner: string) => {
        const [address = '', alias] = splitAlias(inner)
        const [page = '', section] = splitSection(address)
        const label = alias || [page, section].filter(Boolean).join(' > ')
        return page === '' ? cleanLabel(label) : rewrite(mark === '!', page, label, mark === '!' ? alias : undefined)
      })
      .replace(htmlImage, (whole, attributes: string) => {
        const [, src] = /\bsrc\s{0,3}=\s{0,3}["']?([^"'\s>]{1,500})/i.exec(attributes) ?? []
        return src === undefined || scheme.test(src) ? whole : rewrite(true, decodeName(src), '', undefined)
      })
      .replace(inlineLink, rewriteInline)
      // A picture can be the label of a link.
      .replace(inlineLink, rewriteInline),
  )
  return { text: removeMarkers(text), files: [...files.values()] }
}

/** In a table, the `|` before a link's label is escaped. */
function splitAlias(inner: string): [string, string | undefined] {
  const at = inner.indexOf('|')
  if (at < 0) return [inner.trim(), undefined]
  return [inner.slice(0, at).replace(/\\$/, '').trim(), inner.slice(at + 1).trim()]
}

function splitSection(address: string): [string, string | undefined] {
  const at = address.search(/[#^]/)
  return at < 0 ? [address.trim(), undefined] : [address.slice(0, at).trim(), address.slice(at).replace(/^[#^]+/, '')]
}

/** Leaves out a title after the address, and angle brackets around it. */
function readAddress(inner: string): string {
  const text = inner.trim()
  const titled = /^(\S{1,1000})\s{1,5}(?:"[^"]*"|'[^']*')$/.exec(text)
  return (titled?.[1] ?? text).replace(/^<|>$/g, '')
}

/** Logseq writes the size of a picture after it, in braces. */
const removeSize = (link: string) => link.replace(/\)\{[^{}\n]*\}$/, ')')

/** Brackets would end the link. */
const cleanLabel = (label: string) =>
  label
    .replace(/[[\]\n]/g, ' ')
    .trim()
    .slice(0, 200)

/** Also removes lines that contain only files. */
function removeMarkers(text: string): string {
  if (!text.includes(fileMarker)) return text
  return text
    .split('\n')
    .flatMap((line) => {
      if (!line.includes(fileMarker)) return [line]
      const content = line.replaceAll(fileMarker, '')
      return /^[\s>*+-]*$/.test(content) ? [] : [content.trimEnd()]
    })
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
}

const inlineTag = /(?:^|\s)#([\p{L}\p{M}\p{N}\p{Extended_Pictographic}_/-]{1,100}|\[\[[^[\]\n]{1,100}\]\])/gu

/** `#a/b` in the text, with at least one character that isn't a digit. */
export function findInlineTags(text: string): string[] {
  const tags: string[] = []
  mapProse(text, (prose) => {
    for (const [, tag = ''] of prose.matchAll(inlineTag)) {
      const name = tag.replace(/^\[\[|\]\]$/g, '')
      if (/[^\d/_-]/.test(name)) tags.push(name)
    }
    return prose
  })
  return tags
}

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
  // A backslash at the end of a line is a line break.
  const text = line.endsWith('\\') && !line.endsWith('\\\\') ? line.slice(0, -1) : line
  const plain = text.replace(escapedMark, '$1')
  const isBlockMark = /^[\s>]*(?:[-+*=_~:|][-+*=_~:|\s]*$|[-+*](?:\s|$)|\d{1,9}[.)](?:\s|$)|#{1,6}(?:\s|$)|>)/.test(
    plain,
  )
  const blockMarkLength = isBlockMark ? (/^[\s>\\#+*=_~:|.)\d-]*/.exec(text)?.[0].length ?? 0) : 0
  const end = text.trimEnd().length
  return text.replace(/\S+/g, (word, wordStart: number) => {
    // Number signs at the end of a heading would close it.
    const isClosingMark = /^[\\#]+$/.test(word) && wordStart + word.length === end
    if (address.test(word) || isClosingMark) return word
    return word.replace(escapedMark, (escaped, mark: string, index: number) => {
      const before = word.slice(Math.max(index - 40, 0), index)
      const after = word.slice(index + 2, index + 40)
      return wordStart + index < blockMarkLength || isFormatting(mark, before, after) ? escaped : mark
    })
  })
}

/** Whether Markdown would treat a mark within a line as formatting. */
function isFormatting(mark: string, before: string, after: string): boolean {
  if (/[\\`*~[\]<>|$]/.test(mark)) return true
  if (mark === '_') return !(/[\p{L}\p{N}]$/u.test(before) && /^[\p{L}\p{N}]/u.test(after))
  if (mark === '!') return /^\\?\[/.test(after)
  if (mark === '(' || mark === ':') return before.endsWith(']')
  if (mark === '#' || mark === ';') return before.includes('&')
  return mark === '&' && /^(?:\\?#)?\w+\\?;/.test(after)
}

interface Segment {
  text: string
  isCode: boolean
}

/** Fenced blocks and inline code, and the text between them, in linear time. */
function splitCode(text: string): Segment[] {
  const segments: Segment[] = []
  const add = (part: string, isCode: boolean) => {
    const last = segments.at(-1)
    if (last?.isCode === isCode) last.text += part
    else if (part !== '') segments.push({ text: part, isCode })
  }
  let fence: string | undefined
  for (const line of text.split(/(?<=\n)/)) {
    const previousFence = fence
    fence = getFenceAfterLine(line.replace(/^[ \t]*[-*+][ \t]+(?=[`~]{3})/, '').trimEnd(), previousFence)
    if (fence !== undefined || previousFence !== undefined) add(line, true)
    else for (const { text: part, isCode } of splitInlineCode(line)) add(part, isCode)
  }
  return segments
}

function splitInlineCode(line: string): Segment[] {
  if (!line.includes('`')) return [{ text: line, isCode: false }]
  const runs = [...line.matchAll(/`+/g)].map(({ 0: ticks, index }) => ({ length: ticks.length, index }))
  const nextOfLength: (number | undefined)[] = []
  const latest = new Map<number, number>()
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const { length } = runs[index] as { length: number }
    nextOfLength[index] = latest.get(length)
    latest.set(length, index)
  }
  const segments: Segment[] = []
  let from = 0
  for (let opening = 0; opening < runs.length; opening += 1) {
    const closing = nextOfLength[opening]
    if (closing === undefined) continue
    const { index } = runs[opening] as { index: number }
    const end = runs[closing] as { index: number; length: number }
    segments.push({ text: line.slice(from, index), isCode: false })
    from = end.index + end.length
    segments.push({ text: line.slice(index, from), isCode: true })
    opening = closing
  }
  return [...segments, { text: line.slice(from), isCode: false }]
}

/** Applies `change` to everything except code. */
export function mapProse(text: string, change: (prose: string) => string): string {
  return splitCode(text)
    .map((segment) => (segment.isCode ? segment.text : change(segment.text)))
    .join('')
}

/** Removes Obsidian's private `%%comments%%`. An unclosed one is text. */
export function removeComments(text: string): string {
  if (!text.includes('%%')) return text
  let remaining = ''
  let hidden: string | undefined
  for (const { text: part, isCode } of splitCode(text))
    for (const [index, segment] of (isCode ? [part] : part.split('%%')).entries()) {
      if (index > 0) hidden = hidden === undefined ? '%%' : undefined
      if (hidden === undefined) remaining += segment
      else hidden += segment
    }
  return remaining + (hidden ?? '')
}
