import { getFenceAfterLine } from '#contract/code-fence.ts'

interface Segment {
  text: string
  isCode: boolean
}

/** Fenced blocks and inline code, and the text between them, in linear time. */
function splitCode(text: string): Segment[] {
  const segments: Segment[] = []
  const add = (part: string, isCode: boolean) => {
    const last = segments.at(-1)
    if (last?.isCode === isCode) last.text += part
    else if (part !== '') segments.push({ text: part, isCode })
  }
  let fence: string | undefined
  for (const line of text.split(/(?<=\n)/)) {
    const previous = fence
    fence = getFenceAfterLine(line.replace(/^[ \t]*[-*+][ \t]+(?=[`~]{3})/, '').trimEnd(), previous)
    if (fence !== undefined || previous !== undefined) add(line, true)
    else for (const { text: part, isCode } of splitInlineCode(line)) add(part, isCode)
  }
  return segments
}

function splitInlineCode(line: string): Segment[] {
  if (!line.includes('`')) return [{ text: line, isCode: false }]
  const runs = [...line.matchAll(/`+/g)].map(({ 0: ticks, index }) => ({ length: ticks.length, index }))
  const nextOfLength: (number | undefined)[] = []
  const latest = new Map<number, number>()
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const { length } = runs[at] as { length: number }
    nextOfLength[at] = latest.get(length)
    latest.set(length, at)
  }
  const segments: Segment[] = []
  let from = 0
  for (let at = 0; at < runs.length; at += 1) {
    const close = nextOfLength[at]
    if (close === undefined) continue
    const { index } = runs[at] as { index: number }
    const end = runs[close] as { index: number; length: number }
    segments.push({ text: line.slice(from, index), isCode: false })
    from = end.index + end.length
    segments.push({ text: line.slice(index, from), isCode: true })
    at = close
  }
  return [...segments, { text: line.slice(from), isCode: false }]
}

/** Applies `change` to everything except code. */
export function mapProse(text: string, change: (prose: string) => string): string {
  return splitCode(text)
    .map((segment) => (segment.isCode ? segment.text : change(segment.text)))
    .join('')
}

/** Removes Obsidian's private `%%comments%%`. An unclosed one is text. */
export function removeComments(text: string): string {
  if (!text.includes('%%')) return text
  let remaining = ''
  let hidden: string | undefined
  for (const { text: part, isCode } of splitCode(text))
    for (const [index, piece] of (isCode ? [part] : part.split('%%')).entries()) {
      if (index > 0) hidden = hidden === undefined ? '%%' : undefined
      if (hidden === undefined) remaining += piece
      else hidden += piece
    }
  return remaining + (hidden ?? '')
}
