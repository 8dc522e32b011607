import type { HastNode } from './hast-node.ts'

/** Each word of the block that grows fades in once, and behind the last one stands the ribbon caret. */
export function fadeWords() {
  return (tree: HastNode) => {
    wrapWords(tree)
    lastHolder(tree).children?.push(caret())
  }
}

/** Code keeps its spaces and its one text; tables and lists hold words only inside their cells and items. */
const keptWhole = ['code', 'pre']
const holdsNoWords = ['table', 'thead', 'tbody', 'tr', 'ul', 'ol']

function wrapWords(node: HastNode): void {
  if (!node.children || keptWhole.includes(node.tagName ?? '')) return
  node.children = node.children.flatMap((child) => {
    if (child.type !== 'text') {
      wrapWords(child)
      return child
    }
    if (node.type === 'root' || holdsNoWords.includes(node.tagName ?? '')) return child
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
  const isInner = last && last.tagName !== 'span' && !['a', 'input', 'br', 'hr', 'img'].includes(last.tagName ?? '')
  return isInner ? lastHolder(last) : node
}

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
