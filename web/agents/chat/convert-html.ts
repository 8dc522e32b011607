import { decodeString } from 'micromark-util-decode-string'
import { isFlowParent, type MdastNode, visitNodes } from './markdown-nodes.ts'
import type { MarkdownRules } from './text-author.ts'

type HtmlToken =
  | { kind: 'text'; text: string }
  | { kind: 'comment'; source: string }
  | { kind: 'tag'; name: string; closes: boolean; attributes: Record<string, string>; source: string }

// Values can't contain `<`, so that every character is read once.
const tagPattern =
  /<(\/?)([a-z][a-z0-9]*)((?:\s+[^\s"'<>/=`]+(?:\s*=\s*(?:"[^"<]*"|'[^'<]*'|[^\s"'<>=`]+))?)*)\s*\/?>/iy
const attributePattern = /(?<=\s)([^\s"'<>/=`]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+))/g

export function tokenizeHtml(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = []
  let textStart = 0
  let hasCommentEnd = true
  const addText = (end: number) => {
    if (end > textStart) tokens.push({ kind: 'text', text: html.slice(textStart, end) })
  }
  for (let start = html.indexOf('<'); start >= 0; start = html.indexOf('<', Math.max(start + 1, textStart))) {
    let end: number | undefined
    let token: HtmlToken | undefined
    if (html.startsWith('<!--', start)) {
      const commentEnd: number = hasCommentEnd ? html.indexOf('-->', start + 2) : -1
      hasCommentEnd = commentEnd >= 0
      if (hasCommentEnd) [end, token] = [commentEnd + 3, { kind: 'comment', source: html.slice(start, commentEnd + 3) }]
    } else {
      tagPattern.lastIndex = start
      const match = tagPattern.exec(html)
      if (match) [end, token] = [tagPattern.lastIndex, toTag(match)]
    }
    if (end === undefined || !token) continue
    addText(start)
    tokens.push(token)
    textStart = end
  }
  addText(html.length)
  return tokens
}

function toTag([source, slash, name = '', attributes = '']: RegExpExecArray): HtmlToken {
  return {
    kind: 'tag',
    name: name.toLowerCase(),
    closes: slash === '/',
    attributes: Object.fromEntries(
      Array.from(attributes.matchAll(attributePattern), ([, key = '', double, single, bare]) => [
        key.toLowerCase(),
        decodeString(double ?? single ?? bare ?? ''),
      ]),
    ),
    source,
  }
}

type TagToken = Extract<HtmlToken, { kind: 'tag' }>

const formats: Record<string, Pick<MdastNode, 'type' | 'data'>> = {
  ...Object.fromEntries(['b', 'strong'].map((tag) => [tag, { type: 'strong' }])),
  ...Object.fromEntries(['i', 'em', 'cite', 'var', 'dfn'].map((tag) => [tag, { type: 'emphasis' }])),
  ...Object.fromEntries(['s', 'del', 'strike'].map((tag) => [tag, { type: 'delete' }])),
  ...Object.fromEntries(
    ['u', 'ins', 'sub', 'sup', 'kbd', 'mark', 'q'].map((tag) => [tag, { type: 'formatted', data: { hName: tag } }]),
  ),
}
const headingTags = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const blockTags = [
  'details',
  'summary',
  'div',
  'p',
  'center',
  'section',
  'article',
  'figure',
  'figcaption',
  ...headingTags,
]
const pairedTags = [...Object.keys(formats), ...blockTags, 'a', 'span', 'font', 'picture']
/** Tags that are complete without a closing tag. */
const singleTags = ['br', 'wbr', 'img']

/**
 * Applies `<br>` and typed line ends; all other HTML is shown as text, unless the rules allow harmless formatting.
 * Attributes are dropped, except the address of a link, the name of an anchor and the description of a picture.
 */
export function convertHtml({ rules }: { rules: MarkdownRules }) {
  return (tree: MdastNode) => {
    const balancedTags = rules.html ? findBalancedTags(tree) : new Set<string>()
    convertChildren(tree, rules, balancedTags)
  }
}

/** Names of the tags that are all closed; an unclosed tag is text about HTML. */
function findBalancedTags(tree: MdastNode): Set<string> {
  const depths = new Map<string, number>()
  visitNodes(tree, ({ type, value = '' }) => {
    if (type !== 'html') return
    for (const token of tokenizeHtml(value))
      if (token.kind === 'tag' && (depths.get(token.name) ?? 0) >= 0)
        depths.set(token.name, (depths.get(token.name) ?? 0) + (token.closes ? -1 : 1))
  })
  return new Set(pairedTags.filter((tag) => depths.get(tag) === 0))
}

function convertChildren(node: MdastNode, rules: MarkdownRules, balancedTags: ReadonlySet<string>): void {
  if (!node.children) return
  for (const child of node.children) convertChildren(child, rules, balancedTags)
  if (isFlowParent(node)) {
    node.children = node.children.flatMap((child) => {
      if (child.type !== 'html') return child
      return readBlock(child.value ?? '', rules, balancedTags).map((block) => ({ position: child.position, ...block }))
    })
    return
  }
  const parts = node.children.flatMap((child): (MdastNode | TagToken)[] => {
    if (child.type === 'text') return rules.typedLines ? toLines(child.value ?? '') : [child]
    if (child.type !== 'html') return [child]
    return readTokens(child.value ?? '', rules, balancedTags, toLines)
  })
  node.children = joinFormats(parts)
}

const isRendered = (token: HtmlToken, rules: MarkdownRules, balancedTags: ReadonlySet<string>) =>
  token.kind === 'text' ||
  (token.kind === 'tag' && token.name === 'br' && /^<br *\/?>$/i.test(token.source)) ||
  (rules.html && (token.kind === 'comment' || balancedTags.has(token.name) || singleTags.includes(token.name)))

function readTokens(
  html: string,
  rules: MarkdownRules,
  balancedTags: ReadonlySet<string>,
  readText: (text: string) => MdastNode[],
): (MdastNode | TagToken)[] {
  return tokenizeHtml(html).flatMap((token): (MdastNode | TagToken)[] => {
    if (token.kind === 'text') return readText(token.text)
    if (!isRendered(token, rules, balancedTags)) return toLines(token.source)
    if (token.kind === 'comment') return []
    if (token.name === 'br') return [{ type: 'break' }]
    if (token.name === 'wbr') return []
    if (token.name === 'img') return [{ type: 'image', url: '', alt: token.attributes.alt ?? '' }]
    return [token]
  })
}

function readBlock(html: string, rules: MarkdownRules, balancedTags: ReadonlySet<string>): MdastNode[] {
  const isUnderstood = tokenizeHtml(html).every((token) => isRendered(token, rules, balancedTags))
  const readText = rules.typedLines || !rules.html ? toLines : (text: string) => [{ type: 'text', value: text }]
  const readHtmlText = (text: string) => readText(decodeString(text))
  const parts = isUnderstood && rules.html ? readTokens(html, rules, balancedTags, readHtmlText) : toSourceNodes(html)
  const result: MdastNode[] = []
  let inlineParts: (MdastNode | TagToken)[] = []
  const flush = (tag?: string) => {
    const children = trimBreaks(joinFormats(inlineParts))
    inlineParts = []
    if (children.length === 0) return
    if (tag && headingTags.includes(tag)) result.push({ type: 'heading', depth: Number(tag[1]), children })
    else if (tag === 'summary') result.push({ type: 'paragraph', children: [{ type: 'strong', children }] })
    else result.push({ type: 'paragraph', children })
  }
  for (const part of parts) {
    if (!('kind' in part) || !blockTags.includes(part.name)) inlineParts.push(part)
    else flush(part.closes ? part.name : undefined)
  }
  flush()
  return result
}

const toSourceNodes = (html: string): MdastNode[] =>
  html.split(/<br *\/?>/i).flatMap((part, index) => [...(index > 0 ? [{ type: 'break' }] : []), ...toLines(part)])

/** Nests the content between the two tags of a format, and removes other tags. */
function joinFormats(parts: (MdastNode | TagToken)[]): MdastNode[] {
  const root: MdastNode = { type: 'root', children: [] }
  const openTags: { name: string; node: MdastNode }[] = [{ name: '', node: root }]
  for (const part of parts) {
    const parent = openTags.at(-1)?.node ?? root
    if (!('kind' in part)) parent.children?.push(part)
    else if (!part.closes) {
      const node = toFormat(part)
      parent.children?.push(node)
      if (openTags.length < maxFormatDepth) openTags.push({ name: part.name, node })
    } else {
      const index = openTags.findLastIndex(({ name }) => name === part.name)
      if (index > 0) openTags.length = index
    }
  }
  return (root.children ?? []).flatMap(unwrap)
}
const maxFormatDepth = 50

function unwrap(node: MdastNode): MdastNode[] {
  if (!node.children) return [node]
  const children = node.children.flatMap(unwrap)
  const isOuterLink = node.type === 'link' && children.some((child) => containsLink(child))
  return node.type === 'unwrapped' || isOuterLink ? children : [{ ...node, children }]
}

const containsLink = ({ type, children = [] }: MdastNode): boolean =>
  ['link', 'linkReference', 'footnoteReference'].includes(type) || children.some(containsLink)

function toFormat({ name, attributes }: TagToken): MdastNode {
  if (name !== 'a') return { ...(formats[name] ?? { type: 'unwrapped' }), children: [] }
  if (attributes.href !== undefined) return { type: 'link', url: attributes.href, children: [] }
  const id = attributes.id ?? attributes.name ?? ''
  return { type: 'formatted', data: { hName: 'a', hProperties: id === '' ? {} : { id } }, children: [] }
}

const isBlankNode = ({ type, value = '' }: MdastNode) => type === 'break' || (type === 'text' && value.trim() === '')

function trimBreaks(nodes: MdastNode[]): MdastNode[] {
  const first = nodes.findIndex((node) => !isBlankNode(node))
  return first < 0 ? [] : nodes.slice(first, nodes.findLastIndex((node) => !isBlankNode(node)) + 1)
}

/** Line ends of all systems, and of word processors on the clipboard. */
const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

const toLines = (text: string): MdastNode[] =>
  text
    .split(lineEnd)
    .flatMap((part, index) => [
      ...(index > 0 ? [{ type: 'break' }] : []),
      ...(part === '' ? [] : [{ type: 'text', value: part }]),
    ])
