import type { ToolCall } from '#contract/agents/tools.ts'
import { ToolCallCard } from './tool-call-card.tsx'

export interface ToolCallsProps {
  tools: ToolCall[]
  runId?: string | undefined
  agentSlug?: string | undefined
  className?: string
}

export function ToolCalls({ tools, runId, agentSlug, className }: ToolCallsProps) {
  if (tools.length === 0) return null
  return (
    <ul aria-label="Tool calls" className={className}>
      {tools.map((tool) => (
        <li key={tool.id}>
          <ToolCallCard tool={tool} runId={runId} agentSlug={agentSlug} />
        </li>
      ))}
    </ul>
  )
}
