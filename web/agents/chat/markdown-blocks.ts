import { fenceAfter } from '#contract/code-fence.ts'
import { isTooMuchMarkup } from './too-much-markup.ts'

/**
 * Cuts growing Markdown where a blank line ends a block, so that finished blocks need not be read again with every
 * word. A fence that is still open keeps everything after it together; so does a list, whose items may be apart.
 */
export function markdownBlocks(text: string): string[] {
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
    const ends = !fence && line.trim() === '' && next !== undefined && next.trim() !== '' && !continues(next, first)
    if (ends && first !== undefined) {
      blocks.push(block.join('\n'))
      block = []
      first = undefined
    }
  }
  if (block.length > 0) blocks.push(block.join('\n'))
  return blocks
}

/** Shorter ones are read together: each block has a reader of its own, which takes longer to make than a line to read. */
const shortestBlock = 200

/**
 * The blocks with short ones joined to what follows, from the start, so that what is joined stays so while the text grows.
 * What has too much markup to be read stays by itself.
 */
export function readTogether(blocks: readonly string[]): string[] {
  const joined: string[] = []
  let mayGrow = false
  for (const block of blocks) {
    const mayBeJoined: boolean = (mayGrow || block.length < shortestBlock) && !isTooMuchMarkup(block)
    if (mayGrow && mayBeJoined) joined.push(`${joined.pop()}\n${block}`)
    else joined.push(block)
    mayGrow = mayBeJoined && joined.at(-1)!.length < shortestBlock
  }
  return joined
}

/** Whether a line goes on with the list that a block begins with. */
function continues(next: string, first = ''): boolean {
  const isList = /^\s{0,3}([-*+]|\d+[.)])\s/
  return isList.test(first) && (isList.test(next) || /^\s+\S/.test(next))
}
