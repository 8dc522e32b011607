import type { MemoryItem, RunSource } from '#contract/agents/runs.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import type { Runner } from '../runs/runner.ts'

/** Who calls a tool, from within which run. */
export interface ToolContext {
  services: Services
  /** Tools act as whoever runs the agent, never as its owner. */
  runner: Runner
  runId: string
  sessionId: string | null
  /** The agent whose model made the call. */
  agent: AgentRow
  /** The agents above that one, which hear what it makes of the result; the run's own first. */
  askedBy: readonly AgentRow[]
  signal: AbortSignal
  /** Has another agent answer within this run. @throws Error that says why it cannot be asked */
  askAgent(agent: AgentRow, input: string): Promise<ToolResult>
}

export interface ToolResult {
  /** What the model is told; data, never instructions. */
  text: string
  /** One line for people: "3 cards". */
  summary: string
  /** What of a keeper was read. */
  memory?: MemoryItem[]
  sources?: Omit<RunSource, 'n'>[]
}

/** Something a model may call. Its arguments are checked before it runs. */
export interface Tool {
  name: string
  /** For the model: what it does and when to use it. */
  description: string
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>
  /** It writes or sends: a person is asked first (trust.md row 55). */
  writes: boolean
  /**
   * Of a tool that changes nothing but sends what its model chose: whether that stands in what the person typed. Where it
   * does not, and the run was given anything of a keeper, a person is asked first too.
   */
  sendsWhatWasTyped?(typed: string, args: unknown): boolean
  /** `keeper`, or the name of the MCP server it comes from. */
  source: string
  /** The agent it asks; the step in the trace is then that agent's. */
  asks?: AgentRow
  /** What it is doing, in words. */
  title(args: unknown): string
  /** The arguments as `run` takes them. @throws Error whose message says to the model what is wrong with them. */
  parse(args: unknown): unknown
  /**
   * The arguments with what they leave open said, as far as it matters to who is asked about them; their title says it
   * then, and `run` takes them.
   */
  settled?(asking: Pick<ToolContext, 'services' | 'runner' | 'agent' | 'askedBy'>, args: unknown): Promise<unknown>
  /** @throws Error whose message may be told to the model and shown to the person. */
  run(context: ToolContext, args: unknown): Promise<ToolResult>
  /** What the mock model calls it with; without it the mock never calls it. */
  mockArguments?(input: string): unknown
}
