import type { RunSpan } from '#contract/agents/runs.ts'
import type { ToolCall } from '#contract/agents/tools.ts'

/**
 * What came of a step, short enough to stand beside its bar, by the step's id: of a tool what its call says, of memory
 * how much was put in. A call that let an agent answer has that agent's steps below it and needs no words.
 */
export function stepNotes(spans: RunSpan[], tools: ToolCall[]): Map<string, string> {
  const notes = new Map<string, string>()
  const left = tools.filter(({ result }) => result !== null)
  const parents = new Set(spans.map(({ parent_id }) => parent_id))
  for (const span of spans.toSorted((a, b) => a.started_ms - b.started_ms)) {
    if (span.kind === 'memory' && span.memory.length > 0)
      notes.set(span.id, span.memory.length === 1 ? '1 item' : `${span.memory.length} items`)
    if (span.kind !== 'tool') continue
    const asked = JSON.stringify(span.input)
    const at = left.findIndex(({ name, arguments: given }) => name === span.name && JSON.stringify(given) === asked)
    const [call] = at < 0 ? [] : left.splice(at, 1)
    if (call?.result && !parents.has(span.id)) notes.set(span.id, call.result)
  }
  return notes
}
