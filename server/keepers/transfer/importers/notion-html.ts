import type { Element, Nodes } from 'hast'
import { htmlToMarkdown, nodesToMarkdown } from './html-to-markdown.ts'
import { type HtmlNode, parseHtml } from './html-tree.ts'

/** Reads a page of Notion's HTML export: its title, properties table and body. */
export function readNotionHtml(html: string): { title: string; properties: Map<string, unknown>; body: string } {
  const root = parseHtml(html)
  if (!root) return { title: '', properties: new Map(), body: htmlToMarkdown(html) }
  const properties = new Map<string, unknown>()
  for (const row of findAll(root, 'property-row')) {
    const [name, value] = row.children.filter((child) => child.type === 'element')
    const key = name ? getText(name).trim() : ''
    if (value && key !== '') properties.set(key, readValue(value))
  }
  const [body] = findAll(root, 'page-body')
  const [title] = findAll(root, 'page-title')
  return {
    title: title ? getText(title).trim() : '',
    properties,
    body: body
      ? nodesToMarkdown(
          mergeLists(body.children.flatMap(simplify)).map(keepRelativeAddresses) as HtmlNode[],
        ).replaceAll(relativeBase, '')
      : '',
  }
}

function hasClass(node: Nodes, name: string): boolean {
  const { className } = node.type === 'element' ? node.properties : {}
  return Array.isArray(className) && className.includes(name)
}

/** In document order; elements within a match aren't searched. */
function findAll(root: Nodes, className: string): Element[] {
  const matches: Element[] = []
  const rest: Nodes[] = [root]
  for (let node = rest.pop(); node; node = rest.pop())
    if (node.type === 'element' && hasClass(node, className)) matches.push(node)
    else if ('children' in node) rest.push(...node.children.toReversed())
  return matches
}

function getText(root: Nodes): string {
  let text = ''
  const rest: Nodes[] = [root]
  for (let node = rest.pop(); node; node = rest.pop())
    if (node.type === 'text') text += node.value
    else if ('children' in node) rest.push(...node.children.toReversed())
  return text
}

function readValue(cell: Element): unknown {
  const selected = findAll(cell, 'selected-value').map((value) => getText(value).trim())
  if (selected.length > 0) return selected
  if (findAll(cell, 'checkbox-on').length > 0) return 'Yes'
  if (findAll(cell, 'checkbox-off').length > 0) return 'No'
  return getText(cell).trim().replace(/^@/, '')
}

/** Converts check boxes and formulas to Markdown, and removes the table of contents. */
function simplify(node: Nodes): Nodes[] {
  if (node.type !== 'element') return [node]
  if (hasClass(node, 'table_of_contents') || (node.tagName === 'img' && hasClass(node, 'icon'))) return []
  if (hasClass(node, 'checkbox'))
    return [
      {
        ...node,
        tagName: 'input',
        properties: { type: 'checkbox', checked: hasClass(node, 'checkbox-on') },
        children: [],
      },
    ]
  if (hasClass(node, 'katex')) {
    const formula = findTag(node, 'annotation')
    return formula ? [{ type: 'text', value: `$${getText(formula)}$` }] : []
  }
  return [{ ...node, children: mergeLists(node.children.flatMap(simplify)) as Element['children'] }]
}

/** Notion writes a separate list for each item. */
function mergeLists(nodes: Nodes[]): Nodes[] {
  const merged: Nodes[] = []
  for (const node of nodes) {
    const last = merged.at(-1)
    const continues =
      node.type === 'element' &&
      last?.type === 'element' &&
      /^[ou]l$/.test(node.tagName) &&
      node.tagName === last.tagName &&
      String(node.properties.className) === String(last.properties.className)
    if (continues) merged[merged.length - 1] = { ...last, children: [...last.children, ...node.children] }
    else merged.push(node)
  }
  return merged
}

function findTag(root: Nodes, tagName: string): Nodes | undefined {
  const rest: Nodes[] = [root]
  for (let node = rest.pop(); node; node = rest.pop()) {
    if (node.type === 'element' && node.tagName === tagName) return node
    if ('children' in node) rest.push(...node.children)
  }
  return undefined
}

/** Placeholder for the page's folder, because only web addresses are converted to Markdown links. */
const relativeBase = 'https://relative.invalid/'

function keepRelativeAddresses<T extends Nodes>(node: T): T {
  if (!('children' in node)) return node
  const copy = { ...node, children: node.children.map(keepRelativeAddresses) } as T
  if (copy.type !== 'element') return copy
  for (const name of ['href', 'src']) {
    const address = copy.properties[name]
    if (typeof address === 'string' && !/^(?:[a-z][\w+.-]*:|\/|#)/i.test(address))
      copy.properties = { ...copy.properties, [name]: relativeBase + address }
  }
  return copy
}
