import { formatEntryLink, type ImportedFile } from './importer.ts'
import { mapProse } from './markdown-segments.ts'

type LinkTarget = { kind: 'note'; sourceId: string } | { kind: 'file'; path: string } | undefined

export interface LinkResolver {
  /** Finds a page or file by its name or path, with or without an extension. */
  find(target: string): LinkTarget
  /** The note that contains a Logseq block, and the block's text. */
  findBlock?(id: string): { sourceId: string; text: string } | undefined
}

/** Placeholder for a file mention, removed when the line is cleaned up. */
const removed = '\0'

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
    if (!files.has(file)) files.set(file, { file, name: file.split('/').at(-1), alt: size || !alt ? undefined : alt })
  }
  const rewrite = (isEmbed: boolean, target: string, label: string, alt: string | undefined) => {
    const matches = resolver.find(target)
    if (matches?.kind === 'note') return formatEntryLink(cleanLabel(label), matches.sourceId)
    const isFile = matches ? !viewFile.test(matches.path) : /\.[a-z0-9]{1,5}$/i.test(target) && !viewFile.test(target)
    if (!isFile || (!matches && !isEmbed && !/[/.]/.test(target))) return cleanLabel(label)
    attach(matches?.path ?? target, alt)
    return isEmbed ? removed : cleanLabel(label)
  }
  const rewriteInline = (whole: string, mark: string, label: string, inner: string) => {
    const address = readAddress(inner)
    const isFileOnly = label.includes(removed) && label.replaceAll(removed, '').trim() === ''
    if (address.startsWith('imported-entry:') || address.startsWith('#') || address === '') return removeSize(whole)
    if (scheme.test(address)) return isFileOnly ? `${removed}[${address}](${address})` : removeSize(whole)
    const [path = ''] = splitSection(decode(address))
    const [name = path] = path.split('/').slice(-1)
    const rewritten = rewrite(mark === '!', path, label || name, mark === '!' ? label.split('|')[0] : undefined)
    return isFileOnly ? removed : rewritten
  }
  const text = mapProse(source.replaceAll(removed, ''), (prose) =>
    prose
      .replace(embedMacro, (_, target: string) => target)
      .replace(videoMacro, (_, address: string) => address)
      .replace(blockReference, (whole, id: string) => {
        const block = resolver.findBlock?.(id)
        return block ? formatEntryLink(cleanLabel(block.text), block.sourceId) : resolver.findBlock ? '' : whole
      })
      .replace(wikilink, (_, mark: string, inner: string) => {
        const [address = '', alias] = splitAlias(inner)
        const [page = '', section] = splitSection(address)
        const label = alias || [page, section].filter(Boolean).join(' > ')
        return page === '' ? cleanLabel(label) : rewrite(mark === '!', page, label, mark === '!' ? alias : undefined)
      })
      .replace(htmlImage, (whole, attributes: string) => {
        const [, src] = /\bsrc\s{0,3}=\s{0,3}["']?([^"'\s>]{1,500})/i.exec(attributes) ?? []
        return src === undefined || scheme.test(src) ? whole : rewrite(true, decode(src), '', undefined)
      })
      .replace(inlineLink, rewriteInline)
      // A picture can be the label of a link.
      .replace(inlineLink, rewriteInline),
  )
  return { text: removeMarkers(text), files: [...files.values()] }
}

/** A link in a table escapes the stroke before its label. */
function splitAlias(inner: string): [string, string | undefined] {
  const at = inner.indexOf('|')
  if (at < 0) return [inner.trim(), undefined]
  return [inner.slice(0, at).replace(/\\$/, '').trim(), inner.slice(at + 1).trim()]
}

function splitSection(address: string): [string, string | undefined] {
  const at = address.search(/[#^]/)
  return at < 0 ? [address.trim(), undefined] : [address.slice(0, at).trim(), address.slice(at).replace(/^[#^]+/, '')]
}

/** Without a title after it, and without angle brackets. */
function readAddress(inner: string): string {
  const text = inner.trim()
  const titled = /^(\S{1,1000})\s{1,5}(?:"[^"]*"|'[^']*')$/.exec(text)
  return (titled?.[1] ?? text).replace(/^<|>$/g, '')
}

function decode(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** Logseq writes the size of a picture behind it. */
const removeSize = (link: string) => link.replace(/\)\{[^{}\n]*\}$/, ')')

/** Brackets would end the link. */
const cleanLabel = (label: string) =>
  label
    .replace(/[[\]\n]/g, ' ')
    .trim()
    .slice(0, 200)

/** A line with nothing but files disappears. */
function removeMarkers(text: string): string {
  if (!text.includes(removed)) return text
  return text
    .split('\n')
    .flatMap((line) => {
      if (!line.includes(removed)) return [line]
      const rest = line.replaceAll(removed, '')
      return /^[\s>*+-]*$/.test(rest) ? [] : [rest.trimEnd()]
    })
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
}

const inlineTag = /(?:^|\s)#([\p{L}\p{M}\p{N}\p{Extended_Pictographic}_/-]{1,100}|\[\[[^[\]\n]{1,100}\]\])/gu

/** `#a/b` in the text, with at least one character that is no digit. */
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
