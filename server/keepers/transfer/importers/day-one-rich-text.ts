import type { BlockContent, List, ListItem, PhrasingContent, RootContent } from 'mdast'
import { type ForeignObject, parseJson, toBoolean, toList, toNumber, toObject, toText } from './foreign-values.ts'
import { writeMarkdown } from './html-to-markdown.ts'

interface Line {
  text: PhrasingContent[]
  attributes: ForeignObject
}

const maxDepth = 10

/** Converts Day One's rich text, an object or its JSON, to Markdown. Returns undefined for anything else. */
export function readRichText(source: unknown): string | undefined {
  const document = toObject(typeof source === 'string' ? parseJson(source) : source)
  if (!document || !Array.isArray(document.contents)) return undefined
  return writeMarkdown(toBlocks(toLines(document.contents)))
}

function toLines(contents: readonly unknown[]): (Line | 'rule')[] {
  const lines: (Line | 'rule')[] = []
  let current: Line = { text: [], attributes: {} }
  const finishLine = () => {
    lines.push(current)
    current = { text: [], attributes: {} }
  }
  for (const run of contents) {
    const { text, attributes, embeddedObjects } = toObject(run) ?? {}
    for (const object of toList(embeddedObjects))
      if (toText(toObject(object)?.type) === 'horizontalRuleLine') {
        if (current.text.length > 0) finishLine()
        lines.push('rule')
      }
    const textAttributes = toObject(attributes) ?? {}
    const lineAttributes = toObject(textAttributes.line)
    const segments = (typeof text === 'string' ? text : '').split('\n')
    for (const [index, segment] of segments.entries()) {
      if (index > 0) finishLine()
      if (segment !== '') current.text.push(...toPhrasing(segment, textAttributes))
      if (lineAttributes && (segment !== '' || index < segments.length - 1)) current.attributes = lineAttributes
    }
  }
  if (current.text.length > 0) finishLine()
  return lines
}

function toPhrasing(segment: string, attributes: ForeignObject): PhrasingContent[] {
  // Markdown marks can't start or end at a space.
  const text = segment.trim()
  const leadingSpace = segment.slice(0, segment.length - segment.trimStart().length)
  const trailingSpace = segment.slice(segment.trimEnd().length)
  if (text === '') return [{ type: 'text', value: segment }]
  const hasStyle = (name: string) => toBoolean(attributes[name]) === true
  let node: PhrasingContent = { type: hasStyle('inlineCode') ? 'inlineCode' : 'text', value: text }
  if (hasStyle('strikethrough')) node = { type: 'delete', children: [node] }
  if (hasStyle('italic')) node = { type: 'emphasis', children: [node] }
  if (hasStyle('bold')) node = { type: 'strong', children: [node] }
  const url = toText(attributes.linkURL)
  if (url !== undefined) node = { type: 'link', url, children: [node] }
  const toSpace = (value: string): PhrasingContent[] => (value === '' ? [] : [{ type: 'text', value }])
  return [...toSpace(leadingSpace), node, ...toSpace(trailingSpace)]
}

function toBlocks(lines: readonly (Line | 'rule')[]): RootContent[] {
  const blocks: RootContent[] = []
  let previousKind = ''
  for (const line of lines) {
    const kind = line === 'rule' ? 'rule' : getKind(line.attributes)
    const last = blocks.at(-1)
    if (line === 'rule') blocks.push({ type: 'thematicBreak' })
    else if (kind === 'list') addItem(blocks, previousKind === 'list', line)
    else if (kind === 'header')
      blocks.push({ type: 'heading', depth: toHeadingDepth(line.attributes.header), children: line.text })
    else if (kind === 'code') {
      const value = line.text.map(toPlainText).join('')
      if (last?.type === 'code' && previousKind === kind) last.value += `\n${value}`
      else blocks.push({ type: 'code', value })
    } else if (line.text.every((node) => toPlainText(node).trim() === '')) {
      previousKind = ''
      continue
    } else if (kind === 'quote') {
      const paragraph = last?.type === 'blockquote' && previousKind === kind ? last.children.at(-1) : undefined
      if (paragraph?.type === 'paragraph') paragraph.children.push({ type: 'text', value: '\n' }, ...line.text)
      else blocks.push({ type: 'blockquote', children: [{ type: 'paragraph', children: line.text }] })
    } else if (last?.type === 'paragraph' && previousKind === kind)
      last.children.push({ type: 'text', value: '\n' }, ...line.text)
    else blocks.push({ type: 'paragraph', children: line.text })
    previousKind = kind
  }
  return blocks
}

function getKind({ header, listStyle, quote, codeBlock }: ForeignObject): string {
  if ((toNumber(header) ?? 0) > 0) return 'header'
  if (['bulleted', 'numbered', 'checkbox'].includes(toText(listStyle) ?? '')) return 'list'
  if (toBoolean(codeBlock)) return 'code'
  return toBoolean(quote) ? 'quote' : 'text'
}

const toHeadingDepth = (header: unknown) =>
  Math.min(Math.max(Math.round(toNumber(header) ?? 1), 1), 6) as 1 | 2 | 3 | 4 | 5 | 6

function toPlainText(node: PhrasingContent): string {
  if ('value' in node) return node.value
  return 'children' in node ? node.children.map(toPlainText).join('') : ''
}

/** Adds to the list at the depth of the line, which is at most one deeper than the item above it. */
function addItem(blocks: RootContent[], isContinued: boolean, { text, attributes }: Line): void {
  const depth = Math.min(Math.max(Math.round(toNumber(attributes.indentLevel) ?? 1), 1), maxDepth)
  const style = toText(attributes.listStyle)
  const item: ListItem = {
    type: 'listItem',
    spread: false,
    ...(style === 'checkbox' && { checked: toBoolean(attributes.checked) === true }),
    children: [{ type: 'paragraph', children: text }],
  }
  let siblings: (RootContent | BlockContent)[] = blocks
  let startsList = !isContinued
  for (let level = 1; level < depth && !startsList; level += 1) {
    const above = siblings.at(-1)
    const parent = above?.type === 'list' ? above.children.at(-1) : undefined
    if (!parent) break
    siblings = parent.children as BlockContent[]
    startsList = siblings.at(-1)?.type !== 'list'
  }
  const isOrdered = style === 'numbered'
  const last = siblings.at(-1)
  if (!startsList && last?.type === 'list' && last.ordered === isOrdered) last.children.push(item)
  else {
    const start = toNumber(attributes.listIndex)
    const list: List = {
      type: 'list',
      ordered: isOrdered,
      spread: false,
      children: [item],
      ...(isOrdered && start !== undefined && { start }),
    }
    siblings.push(list)
  }
}
