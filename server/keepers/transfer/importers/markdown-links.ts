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

/** Turns links to notes into links to entries, and files into attachments. Never embeds another note. */
export function rewriteLinks(source: string, resolver: LinkResolver): { text: string; files: ImportedFile[] } {
  const files = new Map<string, ImportedFile>()
  const attach = (file: string, alt?: string) => {
    const isSize = /^\d+(?:x\d+)?$/.test(alt ?? '')
    if (!files.has(file)) files.set(file, { file, name: basename(file), alt: isSize || !alt ? undefined : alt })
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
  const barIndex = inner.indexOf('|')
  if (barIndex < 0) return [inner.trim(), undefined]
  return [inner.slice(0, barIndex).replace(/\\$/, '').trim(), inner.slice(barIndex + 1).trim()]
}

function splitSection(address: string): [string, string | undefined] {
  const markIndex = address.search(/[#^]/)
  if (markIndex < 0) return [address.trim(), undefined]
  return [address.slice(0, markIndex).trim(), address.slice(markIndex).replace(/^[#^]+/, '')]
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
const autolinkWord = /@|www|:\\?\/|https?|ftp|xmpp|mailto/i

const escapedMark = /\\([!-/:-@[-`{-~])/g

/** A backslash is text in a code span, which can have several lines, and can be part of a value in HTML and link
 * definitions. */
function findProtectedLines(lines: readonly string[]): Set<number> {
  const protectedIndexes = new Set<number>()
  let start = 0
  for (let end = 0; end <= lines.length; end += 1) {
    const endLine = lines[end] ?? ''
    if (endLine.trim() !== '' && !fenceMark.test(endLine)) continue
    const paragraph = lines.slice(start, end)
    if (paragraph.some((line) => /[`<]|^\s*\[.*\]:/.test(line.replace(escapedMark, ''))))
      for (let index = start; index < end; index += 1) protectedIndexes.add(index)
    start = end + 1
  }
  return protectedIndexes
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
    if (autolinkWord.test(word) || isClosingMark) return word
    return word.replace(escapedMark, (escaped, mark: string, index: number) => {
      const preceding = word.slice(Math.max(index - 40, 0), index)
      const following = word.slice(index + escaped.length, index + 40)
      return wordStart + index < blockMarkLength || isFormatting(mark, preceding, following) ? escaped : mark
    })
  })
}

/** Whether Markdown would treat a mark within a line as formatting. */
function isFormatting(mark: string, preceding: string, following: string): boolean {
  if (/[\\`*~[\]<>|$]/.test(mark)) return true
  if (mark === '_') return !(/[\p{L}\p{N}]$/u.test(preceding) && /^[\p{L}\p{N}]/u.test(following))
  if (mark === '!') return /^\\?\[/.test(following)
  if (mark === '(' || mark === ':') return preceding.endsWith(']')
  if (mark === '#' || mark === ';') return preceding.includes('&')
  return mark === '&' && /^(?:\\?#)?\w+\\?;/.test(following)
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
  const nextEqualRun: (number | undefined)[] = []
  const nearestByLength = new Map<number, number>()
  for (let index = runs.length - 1; index >= 0; index -= 1) {
    const { length } = runs[index] as { length: number }
    nextEqualRun[index] = nearestByLength.get(length)
    nearestByLength.set(length, index)
  }
  const segments: Segment[] = []
  let textStart = 0
  for (let opening = 0; opening < runs.length; opening += 1) {
    const closing = nextEqualRun[opening]
    if (closing === undefined) continue
    const { index: codeStart } = runs[opening] as { index: number }
    const end = runs[closing] as { index: number; length: number }
    segments.push({ text: line.slice(textStart, codeStart), isCode: false })
    textStart = end.index + end.length
    segments.push({ text: line.slice(codeStart, textStart), isCode: true })
    opening = closing
  }
  return [...segments, { text: line.slice(textStart), isCode: false }]
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
  let visibleText = ''
  let comment: string | undefined
  for (const { text: part, isCode } of splitCode(text))
    for (const [index, segment] of (isCode ? [part] : part.split('%%')).entries()) {
      if (index > 0) comment = comment === undefined ? '%%' : undefined
      if (comment === undefined) visibleText += segment
      else comment += segment
    }
  return visibleText + (comment ?? '')
}
