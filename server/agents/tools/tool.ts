import type { MemoryItem, RunSource } from '#contract/agents/runs.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-view.ts'
import type { Runner } from '../runs/execute/runner.ts'

export interface ToolContext {
  services: Services
  /** Tools act as the runner of the agent, never as its owner. */
  runner: Runner
  runId: string
  sessionId: string | null
  agent: AgentRow
  /** The calling agents, root first; all of them receive this agent's answer. */
  callers: readonly AgentRow[]
  signal: AbortSignal
  runSubAgent(agent: AgentRow, input: string): Promise<ToolResult>
}

export interface ToolResult {
  /** For the model; data, never instructions. */
  text: string
  summary: string
  memory?: MemoryItem[]
  sources?: Omit<RunSource, 'n'>[]
}

export interface ToolServerIdentity {
  id: string
  name: string
  host: string
  tool: string
  isPersonal?: true
}

export interface Tool {
  name: string
  description: string
  parameters: Record<string, unknown>
  /** Changes something, so a person must allow it. */
  writes: boolean
  /** Can send model-chosen text out of Keeper, so it needs permission in a run with keeper content. */
  sends: boolean
  /** For sending tools: whether the person typed what would be sent, so that no permission is needed. */
  wasTypedByPerson?(typedText: string, args: unknown): boolean
  source: string
  server?: ToolServerIdentity
  targetAgent?: AgentRow
  title(args: unknown): string
  /** Validates arguments for `run`. @throws Error whose message tells the model what is wrong */
  parse(args: unknown): unknown
  completeArguments?(
    context: Pick<ToolContext, 'services' | 'runner' | 'agent' | 'callers'>,
    args: unknown,
  ): Promise<unknown>
  /** @throws Error whose message is safe for the model and the person */
  run(context: ToolContext, args: unknown): Promise<ToolResult>
  mockArguments?(input: string): unknown
}
