import type { ElementContent, Properties, Root, RootContent } from 'hast'
import { defaultSchema, sanitize } from 'hast-util-sanitize'
import { toXast } from 'hast-util-to-xast'
import type { Html } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toHast } from 'mdast-util-to-hast'
import { gfm } from 'micromark-extension-gfm'
import { toXml } from 'xast-util-to-xml'
import { getFenceAfterLine } from '#contract/code-fence.ts'
import { isTooMuchMarkup } from '#contract/too-much-markup.ts'

/** Parsing this many characters takes 10 to 20 ms. */
const chunkLength = 4_000
/** Limit for the link definitions, which are repeated in each part. */
const maxDefinitionsLength = 2_000

/** A line that starts a new paragraph, heading or quote, and can't continue a list or table. */
const blockStart = /^(?![-*+|]|\d{1,9}[.)])\S/
const definition = /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*\S/

/** Splits into parts of at least `chunkLength` characters, so that parsing one doesn't block the process for long. Splits
 * only between blocks, never within code, and repeats the definitions of links and footnotes in each part. */
export function splitMarkdown(text: string): string[] {
  if (text.length <= 2 * chunkLength) return [text]
  const parts: string[] = []
  const definitions: string[] = []
  let lines: string[] = []
  let length = 0
  let fence: string | undefined
  let isAfterBlank = false
  for (const line of text.split('\n')) {
    if (length >= chunkLength && isAfterBlank && !fence && blockStart.test(line)) {
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
  const sharedDefinitions = definitions.join('\n')
  if (sharedDefinitions === '' || sharedDefinitions.length > maxDefinitionsLength) return parts
  return parts.map((part) => `${part}\n\n${sharedDefinitions}`)
}

// `renameIds` replaces the ids.
const schema = {
  ...defaultSchema,
  clobberPrefix: '',
  clobber: [],
  tagNames: (defaultSchema.tagNames ?? []).filter((tag) => !['img', 'picture', 'source', 'input'].includes(tag)),
}

/** A longer part, such as one huge list, becomes plain paragraphs, because parsing it would block the process. */
const maxMarkdownLength = 50_000

/**
 * Yields the content of an XHTML element in parts, each of which is converted quickly. HTML in the Markdown becomes text.
 * @param prefix makes ids unique on a page
 */
export function* markdownToXhtml(markdown: string, prefix: string): Generator<string> {
  const parts = splitMarkdown(removeInvalidCharacters(markdown))
  for (const [index, part] of parts.entries()) yield partToXhtml(part, index === 0 ? prefix : `${prefix}-${index}`)
}

function partToXhtml(text: string, prefix: string): string {
  if (text.length > maxMarkdownLength || isTooMuchMarkup(text)) return renderParagraphs(text)
  const tree = fromMarkdown(text, { extensions: [gfm({ singleTilde: false })], mdastExtensions: [gfmFromMarkdown()] })
  const html = toHast(tree, {
    clobberPrefix: '',
    footnoteLabelTagName: 'p',
    footnoteLabelProperties: { className: ['notes'] },
    handlers: { html: (_state: unknown, node: Html) => renderHtml(node.value) },
  }) as Root
  replaceControls(html)
  const sanitized = sanitize(html, schema) as Root
  wrapText(sanitized)
  adaptChildren(sanitized, renameIds(sanitized, prefix))
  const xml = toXml(toXast(sanitized, { space: 'html' }), { closeEmptyElements: true })
  // The page declares the namespace, and XML refuses the end of a CDATA section in text.
  return xml.replaceAll(' xmlns="http://www.w3.org/1999/xhtml"', '').replaceAll(']]>', ']]&gt;')
}

function renderHtml(html: string): ElementContent | undefined {
  if (/^<br\s*\/?>$/i.test(html)) return { type: 'element', tagName: 'br', properties: {}, children: [] }
  return html.startsWith('<!--') ? undefined : { type: 'text', value: html }
}

/** Books can't have external pictures or checkboxes, so text replaces them. */
function replaceControls(parent: { children: RootContent[] }): void {
  parent.children = parent.children.map((child) => {
    if (child.type !== 'element') return child
    const { alt, checked } = child.properties
    if (child.tagName === 'img') return { type: 'text', value: `[${alt || 'picture'}]` }
    if (child.tagName === 'input') return { type: 'text', value: checked ? '☑' : '☐' }
    replaceControls(child)
    return child
  })
}

/** Wraps HTML that became top-level text in a paragraph. */
function wrapText(root: Root): void {
  root.children = root.children.map((child) =>
    child.type === 'text' && child.value.trim() !== ''
      ? { type: 'element', tagName: 'p', properties: {}, children: [child] }
      : child,
  )
}

/** Footnote ids can contain any characters; the new ones are unique on the page and need no escaping. */
function renameIds(parent: { children: RootContent[] }, prefix: string, ids = new Map<string, string>()) {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    const { id } = child.properties
    if (typeof id === 'string') {
      ids.set(id, `${prefix}.${ids.size + 1}`)
      child.properties.id = ids.get(id)
    }
    renameIds(child, prefix, ids)
  }
  return ids
}

/** Nests headings below those of the book, and turns links without a target into text. */
function adaptChildren(parent: { children: RootContent[] }, ids: ReadonlyMap<string, string>): void {
  for (const child of parent.children) {
    if (child.type !== 'element') continue
    if (/^h[1-6]$/.test(child.tagName)) child.tagName = `h${Math.min(6, Number(child.tagName[1]) + 3)}`
    if (child.tagName === 'a') adaptLink(child.properties, ids)
    delete child.properties.ariaDescribedBy
    const { align } = child.properties
    delete child.properties.align
    if (typeof align === 'string') child.properties.style = `text-align: ${align}`
    adaptChildren(child, ids)
  }
}

function adaptLink(properties: Properties, ids: ReadonlyMap<string, string>): void {
  const { href } = properties
  if (typeof href !== 'string') return
  const target = href.startsWith('#') ? ids.get(href.slice(1)) : undefined
  if (target) properties.href = `#${target}`
  else if (/^(https?|mailto):/i.test(href) && URL.canParse(href)) properties.href = new URL(href).href
  else delete properties.href
}

function renderParagraphs(text: string): string {
  return text
    .trim()
    .split(/(?:\r?\n){2,}/)
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => `<p>${escapeXml(paragraph)}</p>`)
    .join('\n')
}

/** XML can't contain most control characters, even as references. */
const removeInvalidCharacters = (text: string) =>
  text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeXml = (text: string) =>
  removeInvalidCharacters(text).replace(/[&<>"]/g, (character) => entities[character] ?? character)
