import type { Element, ElementContent, Root } from 'hast'
import { fromHtml } from 'hast-util-from-html'
import { toMdast } from 'hast-util-to-mdast'
import type { PhrasingContent, RootContent } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { toMarkdown } from 'mdast-util-to-markdown'
import { htmlToText } from '#contract/html-text.ts'
import { decodeCharacterReferences } from '#server/values/character-references.ts'
import { removeNeedlessEscapes } from './markdown-links.ts'

const allowedElements = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code strong b em i del s strike a img input table thead tbody tfoot tr th td div'.split(
    ' ',
  ),
)
/** Block elements: the tag is dropped, but the content stays on its own line. */
const blockElements = new Set(
  'html body main section article header footer aside nav address center figure figcaption details summary form fieldset legend dl dt dd caption dialog'.split(
    ' ',
  ),
)
/** Elements whose content isn't text. */
const removedElements = new Set('head script style template iframe object embed noembed noframes'.split(' '))
const allowedAddress = /^(https?:|mailto:|tel:)/i

/**
 * Converts foreign HTML to Markdown. The text of unknown tags is kept. HTML with too much markup becomes plain text.
 */
export function htmlToMarkdown(html: string): string {
  const tree = parseHtml(html)
  return tree ? nodesToMarkdown(tree.children as HtmlNode[], readTextStyles(tree)) : htmlToText(html)
}

/** Converts a note that some versions of an app write as HTML and others as plain text. */
export function noteToMarkdown(note: string): string {
  const isHtml = /<\/?(?:[abipsu]|br|div|span|strong|em|font|li|[uo]l|h[1-6]|del|strike|blockquote)[\s/>]/i.test(note)
  if (isHtml) return htmlToMarkdown(note.replace(/\r?\n/g, '<br>'))
  return note.replace(/&(?:nbsp|#160|#xa0);/gi, ' ').replace(/&(?:amp|lt|gt|quot|#39);/gi, decodeCharacterReferences)
}

export function nodesToMarkdown(nodes: readonly HtmlNode[], styles: TextStyles = new Map()): string {
  const children = nodes.flatMap((node) => cleanNode(node, styles))
  const tree = toMdast({ type: 'root', children }, { document: true })
  return writeMarkdown(tree.type === 'root' ? tidyBlocks(tree.children) : [])
}

type Mark = 'strong' | 'em' | 'del'
/** Markdown marks by the CSS class of a span, because some apps put all formatting into the page's style sheet. */
type TextStyles = ReadonlyMap<string, readonly Mark[]>

export function readTextStyles(tree: HtmlNode): TextStyles {
  const sheets = findStyleSheets(tree).join('\n')
  const rules = sheets.matchAll(/span\.([\w-]{1,40})\s{0,10}\{([^{}]{0,2000})\}/g)
  return new Map(Array.from(rules, ([, name = '', css = '']) => [name, readMarks(css)]))
}

function findStyleSheets(node: HtmlNode): string[] {
  if (isElement(node, 'style')) return [node.children.map((child) => ('value' in child ? child.value : '')).join('')]
  return 'children' in node ? node.children.flatMap((child) => findStyleSheets(child as HtmlNode)) : []
}

function readMarks(css: string): Mark[] {
  const marks: [Mark, RegExp][] = [
    ['strong', /font-weight\s{0,9}:\s{0,9}(?:bold|[6-9]00)/i],
    ['em', /font-style\s{0,9}:\s{0,9}(?:italic|oblique)/i],
    ['del', /text-decoration[a-z-]{0,9}\s{0,9}:[^;]{0,99}line-through/i],
  ]
  return marks.filter(([, pattern]) => pattern.test(css)).map(([mark]) => mark)
}

function cleanNode(node: HtmlNode, styles: TextStyles): ElementContent[] {
  // A no-break space is an artifact of editors and would hide the words next to it from a search.
  if (node.type === 'text') return [{ type: 'text', value: node.value.replace(/\u00a0/g, ' ') }]
  if (!isElement(node)) return []
  const { tagName, properties } = node
  if (removedElements.has(tagName)) return []
  const children = node.children.flatMap((child) => cleanNode(child, styles))
  const create = (name: string, content = children, allowedProperties: Element['properties'] = {}): Element[] => [
    { type: 'element', tagName: name, properties: allowedProperties, children: content },
  ]
  const address = String(properties.href ?? properties.src ?? '')
  if (tagName === 'a') return allowedAddress.test(address) ? create('a', children, { href: address }) : children
  if (tagName === 'img')
    return /^https?:/i.test(address) ? create('img', [], { src: address, alt: properties.alt ?? '' }) : []
  if (tagName === 'input')
    return properties.type === 'checkbox'
      ? create('input', [], { type: 'checkbox', checked: properties.checked ?? false })
      : []
  if (tagName === 'ol') return create('ol', children, properties.start ? { start: properties.start } : {})
  if (tagName === 'pre') return create('pre', create('code', [{ type: 'text', value: getPreformatted(node) }]))
  if (allowedElements.has(tagName)) return create(tagName)
  if (blockElements.has(tagName)) return create('div')
  const marks = [
    ...readMarks(String(properties.style ?? '')),
    ...getClasses(node).flatMap((name) => styles.get(name) ?? []),
  ]
  return [...new Set(marks)].reduce<ElementContent[]>((content, mark) => create(mark, content), children)
}

function getPreformatted(node: HtmlNode): string {
  if (node.type === 'text') return node.value
  if (isElement(node, 'br')) return '\n'
  return 'children' in node ? node.children.map((child) => getPreformatted(child as HtmlNode)).join('') : ''
}

function tidyBlocks(nodes: readonly RootContent[]): RootContent[] {
  return nodes.flatMap((node): RootContent[] => {
    if (node.type === 'paragraph')
      return splitAtBlankLines(node.children).map((children) => ({ ...node, children: tidyPhrasing(children, '\n') }))
    if (node.type === 'heading' || node.type === 'tableCell')
      return [{ ...node, children: tidyPhrasing(node.children, ' ') }]
    if ('children' in node) return [{ ...node, children: tidyBlocks(node.children) } as RootContent]
    return [node]
  })
}

/** Many editors start a paragraph with two line breaks. */
function splitAtBlankLines(nodes: readonly PhrasingContent[]): PhrasingContent[][] {
  const paragraphs: PhrasingContent[][] = [[]]
  let breaks: PhrasingContent[] = []
  for (const node of nodes) {
    if (node.type === 'break') breaks.push(node)
    else if (node.type !== 'text' || node.value.trim() !== '' || breaks.length === 0) {
      if (breaks.length > 1) paragraphs.push([])
      else paragraphs.at(-1)?.push(...breaks)
      breaks = []
      paragraphs.at(-1)?.push(node)
    }
  }
  return paragraphs.filter((paragraph) => paragraph.length > 0)
}

const markTypes = new Set(['strong', 'emphasis', 'delete'])
type MarkNode = PhrasingContent & { type: 'strong' | 'emphasis' | 'delete' }
const isMark = (node: PhrasingContent | undefined): node is MarkNode => node !== undefined && markTypes.has(node.type)

/** Moves spaces out of marks, which can't begin or end at a space, and merges adjacent equal marks. */
function tidyPhrasing(nodes: readonly PhrasingContent[], lineBreak: string): PhrasingContent[] {
  const tidy: PhrasingContent[] = []
  for (const node of nodes) {
    const last = tidy.at(-1)
    if (node.type === 'break') tidy.push({ type: 'text', value: lineBreak })
    else if (isMark(node)) {
      const content = tidyPhrasing(node.children, lineBreak)
      const leadingSpace = takeSpace(content, 'start')
      const trailingSpace = takeSpace(content, 'end')
      if (leadingSpace !== '') tidy.push({ type: 'text', value: leadingSpace })
      if (content.length > 0) {
        if (leadingSpace === '' && isMark(last) && last.type === node.type) last.children.push(...content)
        else tidy.push({ ...node, children: content } as MarkNode)
      }
      if (trailingSpace !== '') tidy.push({ type: 'text', value: trailingSpace })
    } else if ('children' in node)
      tidy.push({ ...node, children: tidyPhrasing(node.children as PhrasingContent[], lineBreak) } as PhrasingContent)
    else tidy.push(node)
  }
  return tidy
}

/** Removes and returns the spaces at one end. */
function takeSpace(nodes: PhrasingContent[], side: 'start' | 'end'): string {
  const index = side === 'start' ? 0 : nodes.length - 1
  const node = nodes[index]
  if (node?.type !== 'text') return ''
  const { value } = node
  const text = side === 'start' ? value.trimStart() : value.trimEnd()
  const space = side === 'start' ? value.slice(0, value.length - text.length) : value.slice(text.length)
  if (text !== '') {
    nodes[index] = { ...node, value: text }
    return space
  }
  nodes.splice(index, 1)
  return side === 'start' ? space + takeSpace(nodes, side) : takeSpace(nodes, side) + space
}

export type HtmlNode = Root | ElementContent

/** Beyond these, parsing takes more than linear time or overflows the stack. */
const maxHtmlLength = 2_000_000
const maxTags = 20_000
const maxTagNameLength = 40
const maxTagLength = 2000
const maxOpenTags = 100
/** Elements that are often left open, because the next one of the same kind closes them. */
const openEndedElements = new Set(
  'area base br col embed hr img input link meta param source track wbr p li dt dd !doctype html head body'.split(' '),
)

/** Parses any HTML. Returns undefined if it has more markup than a person would write. */
export function parseHtml(html: string): Root | undefined {
  const text = removeInlineFiles(html)
  return isTooMuchHtml(text) ? undefined : fromHtml(text, { fragment: false })
}

/** Empties `data:` URLs in the text, which can be megabytes long. */
function removeInlineFiles(html: string): string {
  return html.replace(/data:[\w/+.-]{1,100};base64,[\w+/=%\s]*/gi, 'data:,')
}

function isTooMuchHtml(html: string): boolean {
  if (html.length > maxHtmlLength) return true
  const openCountByTag = new Map<string, number>()
  let openCount = 0
  let tagCount = 0
  for (let start = html.indexOf('<'); start >= 0; start = html.indexOf('<', start + 1)) {
    const tagMatch = /^<(\/?)([a-z!][\w:-]*)/i.exec(html.slice(start, start + maxTagNameLength))
    if (!tagMatch) continue
    tagCount += 1
    if (tagCount > maxTags || (!html.startsWith('<!--', start) && getTagLength(html, start) > maxTagLength)) return true
    const [, slash, name = ''] = tagMatch
    const tag = name.toLowerCase()
    if (openEndedElements.has(tag)) continue
    const count = openCountByTag.get(tag) ?? 0
    if (slash === '/' && count === 0) continue
    const step = slash === '/' ? -1 : 1
    openCountByTag.set(tag, count + step)
    openCount += step
    if (openCount > maxOpenTags) return true
  }
  return false
}

function getTagLength(html: string, start: number): number {
  const end = html.indexOf('>', start)
  return (end < 0 ? html.length : end) - start
}

export function isElement(node: HtmlNode, tagName?: string): node is Element {
  return node.type === 'element' && (tagName === undefined || node.tagName === tagName)
}

export function hasClass(node: HtmlNode, name: string): boolean {
  return getClasses(node).includes(name)
}

export function getClasses(node: HtmlNode): string[] {
  const names = isElement(node) ? node.properties.className : undefined
  return Array.isArray(names) ? names.map(String) : []
}

export function getAttribute(node: HtmlNode, name: string): string | undefined {
  const value = isElement(node) ? node.properties[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
}

/** Finds matching elements in document order; elements within a match are skipped. */
export function findElements(node: HtmlNode, matches: (element: Element) => boolean): Element[] {
  if (isElement(node) && matches(node)) return [node]
  return 'children' in node ? node.children.flatMap((child) => findElements(child as HtmlNode, matches)) : []
}

/** Text in one line, without styles and scripts. */
export function getText(node: HtmlNode | undefined): string {
  return node === undefined ? '' : collectText(node).replace(/\s+/g, ' ').trim()
}

const lineElements = new Set(['p', 'div', 'br', 'li'])

function collectText(node: HtmlNode): string {
  if (node.type === 'text') return node.value
  if (node.type === 'element' && (node.tagName === 'style' || node.tagName === 'script')) return ''
  const text = 'children' in node ? node.children.map((child) => collectText(child as HtmlNode)).join('') : ''
  return node.type === 'element' && lineElements.has(node.tagName) ? ` ${text} ` : text
}

/** Writes Markdown as people do: dashes for lists, asterisks for emphasis, no unnecessary escapes. */
export function writeMarkdown(children: RootContent[]): string {
  const text = toMarkdown(
    { type: 'root', children },
    { bullet: '-', emphasis: '*', rule: '-', listItemIndent: 'one', extensions: [gfmToMarkdown()] },
  )
  return removeNeedlessEscapes(text).trim()
}
