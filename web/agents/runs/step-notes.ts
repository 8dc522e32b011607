import type { RunSpan } from '#contract/agents/runs.ts'
import type { BuiltInTool, ToolCall } from '#contract/agents/tools.ts'

const runAgentTool: BuiltInTool = 'run_agent'

/** Short results by span id: tool results and memory counts. Agent calls are left out, since they have steps of their own. */
export function getStepNotes(spans: RunSpan[], tools: ToolCall[]): Map<string, string> {
  const notes = new Map<string, string>()
  const remainingCalls = tools.filter(({ result }) => result !== null)
  for (const span of spans.toSorted((a, b) => a.started_ms - b.started_ms)) {
    if (span.kind === 'memory' && span.memory.length > 0)
      notes.set(span.id, span.memory.length === 1 ? '1 item' : `${span.memory.length} items`)
    if (span.kind !== 'tool') continue
    const spanInput = JSON.stringify(span.input)
    const index = remainingCalls.findIndex(
      ({ name, arguments: callArguments }) => name === span.name && JSON.stringify(callArguments) === spanInput,
    )
    const [call] = index < 0 ? [] : remainingCalls.splice(index, 1)
    if (call?.result && call.name !== runAgentTool) notes.set(span.id, call.result)
  }
  return notes
}
