import { type ToolCall, toolLimits } from '#contract/agents/tools.ts'
import { truncate } from '#contract/truncate.ts'
import { type FinishReason, ModelFailure, type ModelToolCall } from '#server/models/run-model.ts'
import { findAgentFor } from '../../agent-access.ts'
import type { AgentRow } from '../../agent-view.ts'
import { chooseRunKey } from '../../model-lists/choose-run-key.ts'
import { getRunTools } from '../../tools/run-tools.ts'
import type { ToolResult } from '../../tools/tool.ts'
import { getVisitorSettings } from '../visitor-limits.ts'
import { callModel, switchToFallback } from './call-model.ts'
import { callTools } from './call-tools.ts'
import { buildContext, buildSystemPrompt } from './prompt-context.ts'
import { type AgentRunContext, RunFailure } from './run-context.ts'
import { toAgentSpan } from './run-trace.ts'
import { TextBuffer } from './text-buffer.ts'

const hiddenSystemPrompt = 'Kept private by its owner.'

/** @throws ModelFailure, Problem `over-budget`, RunFailure `tool-loop` */
export async function answerWithTools(agentRun: AgentRunContext): Promise<FinishReason> {
  for (let turn = 1; ; turn += 1) {
    limitTotalTurns(agentRun)
    if (turn > 1) await refuseWithdrawn(agentRun)
    const { text, calls, reason, providerTurn } = await callModelWithFallback(agentRun, turn)
    if (calls.length === 0) return reason
    if (turn === toolLimits.turns) {
      refuseCalls(agentRun, calls)
      throw new RunFailure(
        'tool-loop',
        `${agentRun.agent.name} called tools in ${turn} answers in a row without finishing.`,
      )
    }
    agentRun.ledger.write()
    agentRun.messages.push({ role: 'assistant', content: text, toolCalls: calls, turn: providerTurn })
    const results = await callTools(agentRun, calls, (agent, input, step, isAgentStep) =>
      runSubAgent(agentRun, agent, input, { step, isAgentStep }),
    )
    const lastResult = results.at(-1)
    if (turn === toolLimits.turns - 1 && lastResult)
      lastResult.content += '\n\n(From Keeper: call no more tools. Answer now with what you have.)'
    agentRun.messages.push(...results)
  }
}

async function callModelWithFallback(agentRun: AgentRunContext, turn: number): ReturnType<typeof callModel> {
  try {
    return await callModel(agentRun, turn)
  } catch (error) {
    if (await switchToFallback(agentRun, error)) {
      await agentRun.ledger.flush()
      return callModelWithFallback(agentRun, turn)
    }
    const isTooLong = error instanceof ModelFailure && error.code === 'context-too-long'
    if (!isTooLong || agentRun.pastMessageCount === 0) throw error
    // Drops the older half as pairs of question and answer.
    agentRun.messages.splice(0, 2 * Math.ceil(agentRun.pastMessageCount / 4))
    agentRun.pastMessageCount = 0
    agentRun.trace.addNote('The chat was too long for the provider, so Keeper sent it again without its older half.')
    await agentRun.ledger.flush()
    return callModel(agentRun, turn)
  }
}

/** Ends a run whose messages repeat texts of documents that were withdrawn since. */
async function refuseWithdrawn({ services, run, runner }: AgentRunContext): Promise<void> {
  if (!runner.person) return
  const withdrawn = await services.keeperMemory.documents.findWithdrawn(services, runner.person.id, run.sources)
  if (withdrawn.length > 0)
    throw new RunFailure(
      'document-withdrawn',
      'A document that this answer used was deleted or can no longer be quoted, so the answer ends here. Ask again.',
    )
}

/** Limits the whole run, because agents that call agents multiply their turns. */
function limitTotalTurns({ trace }: AgentRunContext): void {
  if (trace.turnCount === toolLimits.totalTurns)
    throw new RunFailure(
      'tool-loop',
      `The agents in this run gave ${toolLimits.totalTurns} answers in total without finishing.`,
    )
  trace.turnCount += 1
}

function refuseCalls({ run, agent }: AgentRunContext, calls: ModelToolCall[]): void {
  for (const { name, arguments: args } of calls.slice(0, toolLimits.callsPerTurn)) {
    const call: ToolCall = {
      id: `${run.id}-${run.tools.length}`,
      name,
      title: `Call ${name}`,
      state: 'refused',
      agent_slug: agent.slug,
      arguments: args,
      result: 'Too many turns.',
    }
    run.publishTool(call)
  }
}

/** @throws Error whose message tells the calling model why the agent can't answer; failures that end the run pass through */
async function runSubAgent(
  agentRun: AgentRunContext,
  agent: AgentRow,
  input: string,
  { step, isAgentStep }: { step: AgentRunContext['span']; isAgentStep: boolean },
): Promise<ToolResult> {
  const { services, trace, runner, rootAgent } = agentRun
  const callers = [...agentRun.callers, agentRun.agent]
  if (callers.some(({ id }) => id === agent.id))
    throw new Error(`${agent.name} is already working on this and can’t be asked again.`)
  if (callers.length > toolLimits.depth)
    throw new Error(`${agent.name} wasn’t called: agents can call agents at most ${toolLimits.depth} levels deep.`)
  if (agent.status !== 'ready') throw new Error(`${agent.name} is not ready.`)
  if (agent.model_provider === 'elevenlabs') throw new Error(`${agent.name} only reads text aloud and can’t answer.`)
  const personId = runner.person?.id ?? null
  const [key, { tools, notes }, context, visibleAgent] = await Promise.all([
    // Chosen for the root agent, so that no key is spent through someone else's agent.
    chooseRunKey(
      services,
      { personId, agent: rootAgent },
      { provider: agent.model_provider, model: agent.model_settings.model },
    ),
    getRunTools(services, { runner, agent, rootAgent, callers }),
    buildContext(services, { agent, callers, runner, run: agentRun.run, input }),
    runner.person ? findAgentFor(services, runner.person, agent.id) : undefined,
  ])
  if (runner.person) {
    const reading = { person: runner.person, runId: agentRun.run.id, agent, purpose: `Context of ${agent.name}` }
    agentRun.ledger.add(services.keeperMemory.createMemoryReadInserts(services, reading, context.keeperItems))
  }
  for (const note of notes) trace.addNote(`${agent.name}: ${note}`)
  const system = await buildSystemPrompt(services, runner, { agent, context, tools })
  const span = isAgentStep ? step : trace.startSpan(step, { ...toAgentSpan(agent), input })
  trace.recordContext(span, context, agent.context_scope)
  const subContext: AgentRunContext = {
    ...agentRun,
    agent,
    settings: runner.person ? agent.model_settings : getVisitorSettings(agent),
    key,
    tools,
    mustCall: undefined,
    mockAnswer: undefined,
    context,
    system,
    tracedSystem: visibleAgent ? system : hiddenSystemPrompt,
    messages: [{ role: 'user', content: input }],
    pastMessageCount: 0,
    reservation: null,
    callers,
    span,
    output: new TextBuffer(),
    onText: (delta) => agentRun.run.publishSpanText(span, delta),
    onReasoning: () => undefined,
  }
  try {
    await answerWithTools(subContext)
    trace.endSpan(span, { output: `${subContext.output}`, usage: trace.getUsage(span) })
  } catch (error) {
    const { code } = error as { code?: unknown }
    trace.endSpan(span, {
      failure: typeof code === 'string' ? code : 'internal',
      output: `${subContext.output}` || null,
      usage: trace.getUsage(span),
    })
    throw error
  } finally {
    agentRun.ledger.write()
  }
  const text = `${subContext.output}` || 'It gave an empty answer.'
  return { text, summary: summarize(text) }
}

const maxSummaryLength = 140

function summarize(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxSummaryLength ? `${truncate(line, maxSummaryLength - 1)}…` : line
}
