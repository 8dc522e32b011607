import type { MemoryItem, RunSource } from '#contract/agents/runs.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import type { Runner } from '../runs/runner.ts'

/** Who calls a tool, from within which run. */
export interface ToolContext {
  services: Services
  /** Tools act as the runner of the agent, never as its owner. */
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
  /** For the model; data, never instructions. */
  text: string
  /** One line for people: "3 cards". */
  summary: string
  /** What of a keeper was read. */
  memory?: MemoryItem[]
  sources?: Omit<RunSource, 'n'>[]
}

export interface ToolServerIdentity {
  /** Of its name and address together: another address under the same name is another server. */
  id: string
  name: string
  host: string
  /** The server's own name for the tool. */
  tool: string
  /** A person added it for their own agents: what it returns is that person's. */
  isPersonal?: true
}

/** Something a model may call. Its arguments are checked before it runs. */
export interface Tool {
  name: string
  /** For the model: what it does and when to use it. */
  description: string
  /** JSON Schema of the arguments. */
  parameters: Record<string, unknown>
  /** It changes something: a person is asked first. */
  writes: boolean
  /** It can send what its model chose out of Keeper: a person is asked first if the run was given anything of a keeper. */
  sends: boolean
  /** Of a tool that sends: whether the person typed what this call would send, so that there is nothing to ask. */
  wasTyped?(typed: string, args: unknown): boolean
  /** `keeper`, or the name of the MCP server it comes from. */
  source: string
  /** The MCP server that receives the arguments. */
  server?: ToolServerIdentity
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
  /** @throws Error whose message can be sent to the model and shown to the person. */
  run(context: ToolContext, args: unknown): Promise<ToolResult>
  /** What the mock model calls it with; without it the mock never calls it. */
  mockArguments?(input: string): unknown
}
