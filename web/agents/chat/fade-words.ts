import type { HastNode } from './markdown-nodes.ts'

export function fadeLastWords() {
  return (tree: HastNode, { value }: { value: unknown }) => {
    const last = findLastWritten(tree)
    if (last && getEndOffset(last) >= String(value).trimEnd().length) wrapWordsIn(last)
    findLastTextHolder(last ?? tree).children?.push(createCaret())
  }
}

/** The outermost element where the text ends; not always the last, because footnotes come last in the tree. */
function findLastWritten(node: HastNode): HastNode | undefined {
  let last: HastNode | undefined
  for (const child of node.children ?? []) {
    if (child.type !== 'element') continue
    const lastInChild = child.position ? child : findLastWritten(child)
    if (lastInChild && (!last || getEndOffset(lastInChild) >= getEndOffset(last))) last = lastInChild
  }
  return last
}

const getEndOffset = ({ position }: HastNode): number => position?.end.offset ?? 0

const unsplitTags = ['code', 'pre']
/** Containers without direct text; only their last child grows. */
const growingTags = ['table', 'tbody', 'ul', 'ol']
const textlessTags = ['thead', 'tr']

function wrapWordsIn(node: HastNode): void {
  if (!node.children || unsplitTags.includes(node.tagName ?? '')) return
  if (growingTags.includes(node.tagName ?? '')) {
    const last = node.children.findLast((child) => child.type === 'element')
    if (last) wrapWordsIn(last)
    return
  }
  node.children = node.children.flatMap((child) => {
    if (child.type !== 'text') {
      wrapWordsIn(child)
      return child
    }
    if (textlessTags.includes(node.tagName ?? '')) return child
    return (child.value ?? '').split(/(?<=\s)(?=\S)/).map(createWordSpan)
  })
}

function createWordSpan(value: string): HastNode {
  return {
    type: 'element',
    tagName: 'span',
    properties: { className: ['animate-word'] },
    children: [{ type: 'text', value }],
  }
}

function findLastTextHolder(node: HastNode): HastNode {
  const last = node.children?.findLast((child) => child.type === 'element')
  const hasText =
    last && !['span', 'a', 'input', 'br', 'hr', 'img'].includes(last.tagName ?? '') && !isFormulaNode(last)
  return hasText ? findLastTextHolder(last) : node
}

const isFormulaNode = ({ properties }: HastNode) => String(properties?.className) === 'language-formula'

function createCaret(): HastNode {
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
