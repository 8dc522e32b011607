import { getFenceAfterLine } from '#contract/code-fence.ts'
import { isTooMuchMarkup } from '#contract/too-much-markup.ts'

/** Splits at blank lines, so that finished blocks aren't parsed again. Open fences and loose lists stay whole. */
export function splitMarkdownBlocks(text: string): string[] {
  const blocks: string[] = []
  let block: string[] = []
  let firstLine: string | undefined
  let fence: string | undefined
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    fence = getFenceAfterLine(line, fence)
    block.push(line)
    if (line.trim() !== '') firstLine ??= line
    const nextLine = lines[index + 1]
    const endsBlock =
      !fence &&
      line.trim() === '' &&
      nextLine !== undefined &&
      nextLine.trim() !== '' &&
      !continuesList(nextLine, firstLine)
    if (endsBlock && firstLine !== undefined) {
      blocks.push(block.join('\n'))
      block = []
      firstLine = undefined
    }
  }
  if (block.length > 0) blocks.push(block.join('\n'))
  return blocks
}

/** Shorter blocks are merged, since a parser per block costs more than parsing a line. */
const minBlockLength = 200

/** Merges short blocks with the next ones, stably while the text grows. Blocks with too much markup stay alone. */
export function mergeShortBlocks(blocks: readonly string[]): string[] {
  const mergedBlocks: string[] = []
  let canGrow = false
  for (const block of blocks) {
    const canMerge: boolean = (canGrow || block.length < minBlockLength) && !isTooMuchMarkup(block)
    if (canGrow && canMerge) mergedBlocks.push(`${mergedBlocks.pop()}\n${block}`)
    else mergedBlocks.push(block)
    canGrow = canMerge && mergedBlocks.at(-1)!.length < minBlockLength
  }
  return mergedBlocks
}

function continuesList(nextLine: string, firstLine = ''): boolean {
  const listItemPattern = /^\s{0,3}([-*+]|\d+[.)])\s/
  return listItemPattern.test(firstLine) && (listItemPattern.test(nextLine) || /^\s+\S/.test(nextLine))
}

const maxFrontMatterLength = 20_000
const frontMatterStart = /^\uFEFF?---[ \t]*(?:\r\n|\n|\r)/
const frontMatterEnd = /^(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|$)/gm
const yamlKeyPattern = /^(?:[ \t]*(?:#[^\n\r]*)?[\n\r])*["']?[\p{L}_][^:\n\r]{0,200}:(?:[ \t]|[\n\r])/u

/** @returns YAML at the start of a document, without its marks, and the text after it */
export function splitFrontMatter(text: string): [frontMatter: string, body: string] {
  const start = frontMatterStart.exec(text)?.[0].length
  if (start === undefined) return ['', text]
  const candidate = text.slice(start, start + maxFrontMatterLength)
  frontMatterEnd.lastIndex = 0
  const end = frontMatterEnd.exec(candidate)
  if (!end || !yamlKeyPattern.test(candidate.slice(0, end.index))) return ['', text]
  return [candidate.slice(0, end.index), text.slice(start + end.index + end[0].length)]
}
