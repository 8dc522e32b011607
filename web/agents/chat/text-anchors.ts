import type { HastNode } from './markdown-nodes.ts'

const headingPattern = /^h[1-6]$/

/**
 * Connects links within a text to its headings, footnotes and named anchors. The ids are unique on the page and don't
 * contain words of the text. Runs after sanitizing.
 */
export function addTextAnchors({ prefix }: { prefix: string }) {
  return (tree: HastNode) => {
    const links: HastNode[] = []
    const describedElements: HastNode[] = []
    const headings: HastNode[] = []
    const targets = new Map<string, HastNode>()
    const addTarget = (element: HastNode, name: string) => {
      const freeName = findFreeName(name, targets)
      if (freeName !== '') targets.set(freeName, element)
    }
    visitElements(tree, (element) => {
      const { tagName = '', properties = {} } = element
      if (tagName === 'a' && String(properties.href ?? '').startsWith('#')) links.push(element)
      if (properties.ariaDescribedBy) describedElements.push(element)
      if (properties.id !== undefined) addTarget(element, String(properties.id))
      else if (headingPattern.test(tagName)) headings.push(element)
      delete properties.id
    })
    for (const heading of headings) addTarget(heading, toSlug(getText(heading)))
    const targetsByLetters = new Map(
      [...targets].map(([name, target]) => [toLetters(name), target] as const).toReversed(),
    )

    let idCount = 0
    const getId = ({ properties = {} }: HastNode) => {
      properties.id ??= `${prefix}${++idCount}`
      return String(properties.id)
    }
    for (const { properties = {} } of links) {
      const name = String(properties.href).slice(1)
      const target = targets.get(name) ?? targets.get(decodeName(name)) ?? targetsByLetters.get(toLetters(name))
      properties.href = target && `#${getId(target)}`
      if (target?.properties && target.tagName !== 'a') target.properties.tabIndex = -1
    }
    for (const { properties = {} } of describedElements) {
      const target = targets.get(String(properties.ariaDescribedBy))
      properties.ariaDescribedBy = target && [getId(target)]
    }
  }
}

function visitElements(node: HastNode, visit: (element: HastNode) => void): void {
  if (node.type === 'element') visit(node)
  for (const child of node.children ?? []) visitElements(child, visit)
}

const getText = (node: HastNode): string => node.value ?? node.children?.map(getText).join('') ?? ''

/** Uses GitHub's format: "The end" becomes `#the-end`. */
const toSlug = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

/** Compares by letters only, since other apps keep punctuation, join hyphens or drop accents in their links. */
const toLetters = (name: string) =>
  decodeName(name)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

function findFreeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  if (name !== '' && !taken.has(name)) return name
  for (let count = 1; name !== '' && count <= maxSameNames; count++)
    if (!taken.has(`${name}-${count}`)) return `${name}-${count}`
  return ''
}
/** Limited, because each name is compared with all previous ones. */
const maxSameNames = 100

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
