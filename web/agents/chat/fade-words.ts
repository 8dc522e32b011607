import type { HastNode } from './hast-node.ts'

/** Fades in each word of the last growing block once, followed by the caret. */
export function fadeWords() {
  return (tree: HastNode, { value }: { value: unknown }) => {
    const last = lastWritten(tree)
    if (last && endOf(last) >= String(value).trimEnd().length) wrapWords(last)
    lastHolder(last ?? tree).children?.push(caret())
  }
}

/**
 * The outermost element where the text ends. Link definitions have no element and footnotes come last in the tree, so it may not be
 * the last one.
 */
function lastWritten(node: HastNode): HastNode | undefined {
  let last: HastNode | undefined
  for (const child of node.children ?? []) {
    if (child.type !== 'element') continue
    const written = child.position ? child : lastWritten(child)
    if (written && (!last || endOf(written) >= endOf(last))) last = written
  }
  return last
}

const endOf = ({ position }: HastNode): number => position?.end.offset ?? 0

const keptWhole = ['code', 'pre']
/** Containers without text of their own; only their last child grows. */
const growsAtItsEnd = ['table', 'tbody', 'ul', 'ol']
const holdsNoWords = ['thead', 'tr']

function wrapWords(node: HastNode): void {
  if (!node.children || keptWhole.includes(node.tagName ?? '')) return
  if (growsAtItsEnd.includes(node.tagName ?? '')) {
    const last = node.children.findLast((child) => child.type === 'element')
    if (last) wrapWords(last)
    return
  }
  node.children = node.children.flatMap((child) => {
    if (child.type !== 'text') {
      wrapWords(child)
      return child
    }
    if (holdsNoWords.includes(node.tagName ?? '')) return child
    return (child.value ?? '').split(/(?<=\s)(?=\S)/).map(word)
  })
}

function word(value: string): HastNode {
  return {
    type: 'element',
    tagName: 'span',
    properties: { className: ['animate-word'] },
    children: [{ type: 'text', value }],
  }
}

/** The innermost last element with text, where the next word appears. */
function lastHolder(node: HastNode): HastNode {
  const last = node.children?.findLast((child) => child.type === 'element')
  const isInner = last && !['span', 'a', 'input', 'br', 'hr', 'img'].includes(last.tagName ?? '') && !isFormula(last)
  return isInner ? lastHolder(last) : node
}

const isFormula = ({ properties }: HastNode) => String(properties?.className) === 'language-formula'

function caret(): HastNode {
  return {
    type: 'element',
    tagName: 'span',
    properties: {
      ariaHidden: 'true',
      className: [
        'ms-0.5',
        'inline-block',
        'h-[1em]',
        'w-[0.45em]',
        'translate-y-[0.15em]',
        'rounded-[1px]',
        'bg-ribbon',
        'forced-colors:bg-[CanvasText]',
      ],
    },
    children: [],
  }
}
