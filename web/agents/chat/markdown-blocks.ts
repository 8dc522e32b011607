import { fenceAfter } from '#contract/code-fence.ts'
import { isTooMuchMarkup } from './too-much-markup.ts'

/** Splits at blank lines, so that finished blocks aren't parsed again. Open fences and loose lists stay whole. */
export function splitMarkdownBlocks(text: string): string[] {
  const blocks: string[] = []
  let block: string[] = []
  let first: string | undefined
  let fence: string | undefined
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    fence = fenceAfter(line, fence)
    block.push(line)
    if (line.trim() !== '') first ??= line
    const next = lines[index + 1]
    const endsBlock =
      !fence && line.trim() === '' && next !== undefined && next.trim() !== '' && !continuesList(next, first)
    if (endsBlock && first !== undefined) {
      blocks.push(block.join('\n'))
      block = []
      first = undefined
    }
  }
  if (block.length > 0) blocks.push(block.join('\n'))
  return blocks
}

/** Shorter blocks are merged, since a parser per block costs more than parsing a line. */
const minBlockLength = 200

/** Merges short blocks with the next ones, stably while the text grows. Blocks with too much markup stay alone. */
export function mergeShortBlocks(blocks: readonly string[]): string[] {
  const joined: string[] = []
  let mayGrow = false
  for (const block of blocks) {
    const mayBeJoined: boolean = (mayGrow || block.length < minBlockLength) && !isTooMuchMarkup(block)
    if (mayGrow && mayBeJoined) joined.push(`${joined.pop()}\n${block}`)
    else joined.push(block)
    mayGrow = mayBeJoined && joined.at(-1)!.length < minBlockLength
  }
  return joined
}

function continuesList(next: string, first = ''): boolean {
  const isList = /^\s{0,3}([-*+]|\d+[.)])\s/
  return isList.test(first) && (isList.test(next) || /^\s+\S/.test(next))
}
