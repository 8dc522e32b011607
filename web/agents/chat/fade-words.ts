import type { HastNode } from './hast-node.ts'

/** Each word where the block grows, in its last paragraph, item or row, fades in once; behind the last one stands the ribbon caret. */
export function fadeWords() {
  return (tree: HastNode, { value }: { value: unknown }) => {
    const last = lastWritten(tree)
    if (last && endOf(last) >= String(value).trimEnd().length) wrapWords(last)
    lastHolder(last ?? tree).children?.push(caret())
  }
}

/**
 * The outermost element where the text ends. It need not be the last of the tree: the addresses of links stand nowhere, and
 * footnotes behind everything.
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

/** Code keeps its spaces and its one text. */
const keptWhole = ['code', 'pre']
/** These hold no words of their own, and all that they hold but the last has been there for a while. */
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

/** The innermost last element that holds words, where the next one will appear. */
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
