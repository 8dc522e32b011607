import type { RunSpan } from '#contract/agents/runs.ts'
import { type ApprovalReason, type ToolCall, toolLimits } from '#contract/agents/tools.ts'
import { truncate } from '#contract/truncate.ts'
import { Problem } from '#server/http/problem.ts'
import { removeInvisible } from '#server/models/data-in-prompts.ts'
import { ModelFailure, type ModelMessage, type ModelToolCall } from '#server/models/run-model.ts'
import type { AgentRow } from '../../agent-view.ts'
import { formatResultForModel, truncateResult } from '../../tools/result-for-model.ts'
import type { Tool, ToolContext, ToolResult, ToolServerIdentity } from '../../tools/tool.ts'
import { isTrustedServer } from '../../tools/tool-servers.ts'
import { type ConcurrencyLimit, limitConcurrency } from './concurrency-limit.ts'
import { type AgentRunContext, RunFailure } from './run-context.ts'
import { toAgentSpan } from './run-trace.ts'

const permissionTimeoutMs = 10 * 60_000
const stopGraceMs = 1000

/** `isAgentStep`: `step` represents the agent itself; otherwise the agent's step goes below it. */
type RunSubAgent = (agent: AgentRow, input: string, step: RunSpan, isAgentStep: boolean) => Promise<ToolResult>
type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

/** Failed calls become results too. @throws ModelFailure 'stopped', Problem `over-budget`, which end the run */
export async function callTools(
  agentRun: AgentRunContext,
  calls: readonly ModelToolCall[],
  runSubAgent: RunSubAgent,
): Promise<ToolMessage[]> {
  const limit = limitConcurrency(toolLimits.concurrentCalls)
  const settled = await Promise.allSettled(
    calls.map((call, index) => new ToolCallExecution(agentRun, call, index).execute(limit, runSubAgent)),
  )
  const rejected = settled.find((outcome) => outcome.status === 'rejected')
  if (rejected) throw rejected.reason
  return settled.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}

class ToolCallExecution {
  readonly #agentRun: AgentRunContext
  readonly #call: ModelToolCall
  readonly #index: number
  readonly #tool: Tool | undefined
  readonly #span: RunSpan
  #args: unknown
  readonly #problem: string | undefined
  #visibleCall: ToolCall

  constructor(agentRun: AgentRunContext, call: ModelToolCall, index: number) {
    this.#agentRun = agentRun
    this.#call = call
    this.#index = index
    this.#tool = agentRun.tools.find(({ name }) => name === call.name)
    const name = call.name.slice(0, 100) || 'nameless'
    const targetAgent = this.#tool?.targetAgent
    this.#span = agentRun.trace.startSpan(agentRun.span, {
      ...(targetAgent ? toAgentSpan(targetAgent) : { kind: 'tool', name }),
      input: call.arguments,
    })
    this.#problem = this.#findCallProblem()
    let title = `Call ${name}`
    try {
      if (!this.#problem) this.#args = this.#tool?.parse(call.arguments)
      if (!this.#problem) title = this.#tool?.title(this.#args) ?? title
    } catch (error) {
      this.#problem = `These arguments can't be used: ${this.#toErrorText(error)}`
    }
    this.#visibleCall = {
      id: this.#span.id,
      name,
      title,
      state: 'running',
      agent_slug: agentRun.agent.slug,
      arguments: call.arguments,
      result: null,
      ...(this.#tool?.server && { server: toVisibleServer(this.#tool.server) }),
    }
    agentRun.run.publishTool(this.#visibleCall)
  }

  async execute(limit: ConcurrencyLimit, runSubAgent: RunSubAgent): Promise<ToolMessage> {
    const tool = this.#tool
    if (this.#problem || !tool) return this.#fail(this.#problem ?? '')
    const reason = await this.#findPermissionReason(tool)
    if (reason) {
      try {
        await this.#completeArguments(tool)
      } catch (error) {
        return this.#fail(this.#toErrorText(error), getErrorCode(error))
      }
      const refusal = await this.#askPerson(reason)
      if (refusal) return this.#endCall('refused', 'Not done.', refusal)
    }
    return limit(() => this.#run(tool, runSubAgent))
  }

  async #run(tool: Tool, runSubAgent: RunSubAgent): Promise<ToolMessage> {
    const { services, run, runner, agent, callers } = this.#agentRun
    this.#assertNotStopped()
    if (this.#visibleCall.state === 'asks') this.#publishChange({ state: 'running' })
    try {
      const context: ToolContext = {
        services,
        runner,
        runId: run.id,
        sessionId: run.sessionId,
        agent,
        callers,
        signal: run.abort.signal,
        runSubAgent: (other: AgentRow, input: string) =>
          runSubAgent(other, input, this.#span, tool.targetAgent !== undefined),
      }
      const result = await rejectWhenStopped(run.abort.signal, tool.run(context, this.#args))
      this.#assertNotStopped()
      const numberedSources = (result.sources ?? []).map((source) => ({
        n: run.addSource(source),
        title: source.title,
      }))
      this.#publishChange({ state: 'done', result: result.summary })
      this.#endSpan({ output: truncateResult(result.text), ...(result.memory && { memory: result.memory }) })
      return this.#createMessage(formatResultForModel(tool, result.text, numberedSources), false)
    } catch (error) {
      if (shouldEndRun(error, run.abort.signal)) {
        this.#publishChange({ state: 'failed', result: 'Not finished.' })
        this.#endSpan({ failure: getErrorCode(error) })
        throw error
      }
      return this.#fail(this.#toErrorText(error), getErrorCode(error))
    }
  }

  #findCallProblem(): string | undefined {
    const { tools } = this.#agentRun
    const { callsPerTurn } = toolLimits
    if (this.#index >= callsPerTurn)
      return `Not done: at most ${callsPerTurn} calls at a time. Call again for the rest.`
    if (!this.#tool) {
      const toolList =
        tools.length > 0 ? `The tools are ${tools.map(({ name }) => name).join(', ')}.` : 'You have no tools.'
      return `There is no tool with this name. ${toolList}`
    }
    return this.#call.unreadable
  }

  /** Why a person must allow a call; `null` if no permission is needed. A failed lookup counts as a reason to ask. */
  async #findPermissionReason(tool: Tool): Promise<ApprovalReason | null> {
    const { services, input } = this.#agentRun
    const { server } = tool
    if (tool.writes) return 'writes'
    if (!tool.sends || tool.wasTypedByPerson?.(input, this.#args)) return null
    if (server && (await isTrustedServer(services, server.id).catch(() => false))) return null
    return (await hasKeeperContent(this.#agentRun, server?.name).catch(() => true)) ? 'sends' : null
  }

  /** Completes the arguments first, so that the person sees everything they allow. */
  async #completeArguments(tool: Tool): Promise<void> {
    if (!tool.completeArguments) return
    this.#args = await tool.completeArguments(this.#agentRun, this.#args)
    this.#visibleCall = { ...this.#visibleCall, title: tool.title(this.#args) }
  }

  /** Returns the refusal for the model, or undefined when the person agreed. */
  async #askPerson(reason: ApprovalReason): Promise<string | undefined> {
    const { run, runner, trace, services, stream } = this.#agentRun
    // Visitors can't decide about a person's content, and programs must not.
    if (!stream || !runner.person || runner.person.connection) {
      const { note, answer } = refusals[reason]
      trace.addNote(`${this.#visibleCall.name} was not called: ${note}, and no one was there to allow it.`)
      return `${answer}, and no one is there to allow it. It was not called.`
    }
    this.#publishChange({ state: 'asks', asks_because: reason })
    const waitSpan = trace.startSpan(this.#span, { kind: 'wait', name: 'wait for permission' })
    const permission = await run.waitForPermission(this.#visibleCall.id, services.now().getTime() + permissionTimeoutMs)
    trace.endSpan(waitSpan, { output: permission })
    if (permission === 'no') return 'The person said no to this. It was not done. Do not try it again unasked.'
    if (permission === 'late') {
      trace.addNote(
        `${this.#visibleCall.name} was not called: no one answered the permission request within ten minutes.`,
      )
      return 'The person did not answer. It was not done.'
    }
    if (permission === 'stopped') this.#assertNotStopped()
    return undefined
  }

  #assertNotStopped(): void {
    if (!this.#agentRun.run.abort.signal.aborted) return
    this.#publishChange({ state: 'failed', result: 'Stopped.' })
    this.#endSpan({ failure: 'stopped' })
    throw createStoppedFailure()
  }

  #fail(text: string, failure = 'failed'): ToolMessage {
    const message = truncateResult(text)
    return this.#endCall('failed', message, message, failure)
  }

  #endCall(state: 'failed' | 'refused', result: string, message: string, failure: string = state): ToolMessage {
    this.#publishChange({ state, result })
    this.#endSpan({ failure, output: message })
    return this.#createMessage(message, true)
  }

  #publishChange(change: Partial<ToolCall>): void {
    this.#visibleCall = { ...this.#visibleCall, ...change }
    this.#agentRun.run.publishTool(this.#visibleCall)
  }

  #endSpan(outcome: Parameters<AgentRunContext['trace']['endSpan']>[1]): void {
    this.#agentRun.trace.endSpan(this.#span, outcome)
  }

  #createMessage(content: string, failed: boolean): ToolMessage {
    return { role: 'tool', content, callId: this.#call.id, name: this.#call.name, failed }
  }

  #toErrorText(error: unknown): string {
    const isReadable = error instanceof Problem || error instanceof ModelFailure || error instanceof RunFailure
    if (isReadable || (error instanceof Error && error.constructor === Error)) return error.message
    const { services, run } = this.#agentRun
    services.log.error({ err: error, runId: run.id, tool: this.#call.name.slice(0, 100) }, 'a tool failed unexpectedly')
    return 'Something failed on the server.'
  }
}

function toVisibleServer({ name, host, tool, isPersonal }: ToolServerIdentity): NonNullable<ToolCall['server']> {
  return { name, host, tool: truncate(removeInvisible(tool), 200), ...(isPersonal && { personal: true }) }
}

const refusals: Record<ApprovalReason, { note: string; answer: string }> = {
  writes: { note: 'it writes', answer: 'A person has to allow this tool before it writes' },
  sends: {
    note: 'it can send text out of Keeper, and the run had keeper content',
    answer: 'This tool can send text out of Keeper, and this run had keeper content, so a person has to allow it first',
  },
}

function createStoppedFailure(): ModelFailure {
  return new ModelFailure({ code: 'stopped', message: 'The run was stopped.', retryable: false })
}

function rejectWhenStopped<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const onAbort = () => {
      timer = setTimeout(() => reject(createStoppedFailure()), stopGraceMs)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort)
      clearTimeout(timer)
    })
  })
}

function shouldEndRun(error: unknown, signal: AbortSignal): boolean {
  if (error instanceof Problem) return error.kind === 'over-budget'
  return error instanceof ModelFailure && error.code === 'stopped' && signal.aborted
}

function getErrorCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : 'failed'
}

/** Whether the run or its chat received keeper content; true if unknown. Results of personal tool servers other than `server` count too. */
async function hasKeeperContent(
  { services, run }: Pick<AgentRunContext, 'services' | 'run'>,
  server?: string,
): Promise<boolean> {
  const isKeeperTool = ({ name, server: toolServer }: Pick<ToolCall, 'name' | 'server'>) =>
    (toolServer?.personal && toolServer.name !== server) ||
    // The second of two tools with the same name has a numeric suffix.
    services.keeperMemory.tools.some((tool) => tool.name === name.replace(/_\d+$/, ''))
  const hasKeeperItems = run.spans.some(({ memory }) => memory.some(({ entity }) => entity !== 'context'))
  if (hasKeeperItems || run.tools.some(isKeeperTool)) return true
  if (run.sessionId === null) return false
  const agentMessages = await services.db
    .selectFrom('messages')
    .leftJoin('runs', 'runs.id', 'messages.run_id')
    .select(['messages.run_id', 'runs.sources', 'runs.tools'])
    .where('messages.session_id', '=', run.sessionId)
    .where('messages.sender', '=', 'agent')
    .execute()
  // Interrupted or deleted runs have no record of their sources.
  return agentMessages.some(
    ({ run_id, sources, tools }) =>
      run_id !== run.id && (sources === null || sources.length > 0 || (tools ?? []).some(isKeeperTool)),
  )
}
