import type { Element, ElementContent, Root } from 'hast'
import { fromHtml } from 'hast-util-from-html'

export type HtmlNode = Root | ElementContent

/** Beyond these, parsing takes more than linear time or overflows the stack. */
const maxLength = 2_000_000
const maxTags = 20_000
const maxTagLength = 2000
const maxOpenTags = 100
/** Elements that are often left open, because the next one of the same kind closes them. */
const openEnded = new Set(
  'area base br col embed hr img input link meta param source track wbr p li dt dd !doctype html head body'.split(' '),
)

/** Parses any HTML. Returns undefined if it has more markup than a person would write. */
export function parseHtml(html: string): Root | undefined {
  const text = removeInlineFiles(html)
  return isTooMuchMarkup(text) ? undefined : fromHtml(text, { fragment: false })
}

/** Empties `data:` URLs in the text, which can be megabytes long. */
function removeInlineFiles(html: string): string {
  return html.replace(/data:[\w/+.-]{1,100};base64,[\w+/=%\s]*/gi, 'data:,')
}

function isTooMuchMarkup(html: string): boolean {
  if (html.length > maxLength) return true
  const open = new Map<string, number>()
  let openTags = 0
  let tags = 0
  for (let start = html.indexOf('<'); start >= 0; start = html.indexOf('<', start + 1)) {
    const name = /^<(\/?)([a-z!][\w:-]*)/i.exec(html.slice(start, start + 40))
    if (!name) continue
    tags += 1
    if (tags > maxTags || (!html.startsWith('<!--', start) && getTagLength(html, start) > maxTagLength)) return true
    const tag = name[2]?.toLowerCase() ?? ''
    if (openEnded.has(tag)) continue
    const count = open.get(tag) ?? 0
    if (name[1] === '/' && count === 0) continue
    const step = name[1] === '/' ? -1 : 1
    open.set(tag, count + step)
    openTags += step
    if (openTags > maxOpenTags) return true
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
