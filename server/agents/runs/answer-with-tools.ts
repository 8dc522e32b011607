import { type ToolCall, toolLimits } from '#contract/agents/tools.ts'
import { truncate } from '#contract/truncate.ts'
import { type FinishReason, ModelFailure, type ModelToolCall } from '#server/models/run-model.ts'
import { findAgentFor } from '../agent-access.ts'
import type { AgentRow } from '../agent-row.ts'
import { chooseRunKey } from '../model-lists/choose-run-key.ts'
import type { ToolResult } from '../tools/tool.ts'
import { toolsFor } from '../tools/tools-for.ts'
import { askModel, switchToFallback } from './ask-model.ts'
import { callTools } from './call-tools.ts'
import { GrowingText } from './growing-text.ts'
import { contextFor, systemPrompt } from './prompt-context.ts'
import { type AgentAtWork, RunFailure } from './run-context.ts'
import { agentStep } from './run-trace.ts'
import { visitorSettings } from './visitor-limits.ts'

const keptPrivate = 'Kept private by its owner.'

/**
 * Calls the agent's model and its tools until it calls no more tools.
 * @throws ModelFailure, Problem `over-budget`, RunFailure `tool-loop`
 */
export async function answerWithTools(work: AgentAtWork): Promise<FinishReason> {
  for (let turn = 1; ; turn += 1) {
    refuseEndless(work)
    const { text, calls, reason, turn: kept } = await askWithinReach(work, turn)
    if (calls.length === 0) return reason
    if (turn === toolLimits.turns) {
      refuseCalls(work, calls)
      throw new RunFailure(
        'tool-loop',
        `${work.agent.name} called tools in ${turn} answers in a row without finishing.`,
      )
    }
    work.ledger.write()
    work.messages.push({ role: 'assistant', content: text, toolCalls: calls, turn: kept })
    const results = await callTools(work, calls, (agent, input, step, isItsOwn) =>
      askAgent(work, agent, input, { step, isItsOwn }),
    )
    const last = results.at(-1)
    if (turn === toolLimits.turns - 1 && last)
      last.content += '\n\n(From Keeper: call no more tools. Answer now with what you have.)'
    work.messages.push(...results)
  }
}

/** Falls back to the second model if the first is unavailable, and drops the older half of a chat that is too long. */
async function askWithinReach(work: AgentAtWork, turn: number): ReturnType<typeof askModel> {
  try {
    return await askModel(work, turn)
  } catch (error) {
    if (await switchToFallback(work, error)) {
      await work.ledger.written()
      return askWithinReach(work, turn)
    }
    const isTooLong = error instanceof ModelFailure && error.code === 'context-too-long'
    if (!isTooLong || work.past === 0) throw error
    // Keeps questions and answers paired.
    work.messages.splice(0, 2 * Math.ceil(work.past / 4))
    work.past = 0
    work.trace.remark('The provider found the chat too long, so it was sent again without its older half.')
    await work.ledger.written()
    return askModel(work, turn)
  }
}

/** Limits the whole run, because agents that call agents multiply their turns. */
function refuseEndless({ trace }: AgentAtWork): void {
  if (trace.turns === toolLimits.turnsOfAll)
    throw new RunFailure(
      'tool-loop',
      `The agents in this run gave ${toolLimits.turnsOfAll} answers in total without finishing.`,
    )
  trace.turns += 1
}

function refuseCalls({ run, agent }: AgentAtWork, calls: ModelToolCall[]): void {
  for (const { name, arguments: given } of calls.slice(0, toolLimits.callsPerTurn)) {
    const call: ToolCall = {
      id: `${run.id}-${run.tools.length}`,
      name,
      title: `Call ${name}`,
      state: 'refused',
      agent_slug: agent.slug,
      arguments: given,
      result: 'Too many turns.',
    }
    run.tellTool(call)
  }
}

/**
 * Runs another agent within the caller's run. The key is chosen as for any run of the same person.
 * @throws Error whose message tells the calling model why the agent can't answer; failures that end the run pass through
 */
async function askAgent(
  work: AgentAtWork,
  agent: AgentRow,
  input: string,
  { step, isItsOwn }: { step: AgentAtWork['span']; isItsOwn: boolean },
): Promise<ToolResult> {
  const { services, trace, runner, root } = work
  const askedBy = [...work.askedBy, work.agent]
  if (askedBy.some(({ id }) => id === agent.id))
    throw new Error(`${agent.name} is already working on this and can't be asked again.`)
  if (askedBy.length > toolLimits.depth)
    throw new Error(`${agent.name} wasn't called: agents can call agents at most ${toolLimits.depth} levels deep.`)
  if (agent.status !== 'ready') throw new Error(`${agent.name} is not ready.`)
  if (agent.model_provider === 'elevenlabs') throw new Error(`${agent.name} only reads text aloud and can't answer.`)
  const personId = runner.person?.id ?? null
  const [key, { tools, notes }, context, seen] = await Promise.all([
    // Chosen for the root agent, so that no key is spent through someone else's agent.
    chooseRunKey(
      services,
      { personId, agent: root },
      { provider: agent.model_provider, model: agent.model_settings.model },
    ),
    toolsFor(services, { runner, agent, root, askedBy }),
    contextFor(services, { agent, askedBy, runner, run: work.run, input }),
    runner.person ? findAgentFor(services, runner.person, agent.id) : undefined,
  ])
  if (runner.person) {
    const reading = { person: runner.person, runId: work.run.id, agent, purpose: `Context of ${agent.name}` }
    work.ledger.add(services.keeperMemory.noteReads(services, reading, context.ofKeepers))
  }
  for (const note of notes) trace.remark(`${agent.name}: ${note}`)
  const system = await systemPrompt(services, runner, { agent, context, tools })
  const span = isItsOwn ? step : trace.begin(step, { ...agentStep(agent), input })
  trace.putIn(span, context, agent.context_scope)
  const below: AgentAtWork = {
    ...work,
    agent,
    settings: runner.person ? agent.model_settings : visitorSettings(agent),
    key,
    tools,
    mustCall: undefined,
    mockAnswer: undefined,
    context,
    system,
    shownSystem: seen ? system : keptPrivate,
    messages: [{ role: 'user', content: input }],
    past: 0,
    hold: null,
    askedBy,
    span,
    said: new GrowingText(),
    hear: (delta) => work.run.tellSpanText(span, delta),
    think: () => undefined,
  }
  try {
    await answerWithTools(below)
    trace.end(span, { output: `${below.said}`, usage: trace.usageOf(span) })
  } catch (error) {
    const failure = (error as { code?: unknown }).code
    trace.end(span, {
      failure: typeof failure === 'string' ? failure : 'internal',
      output: `${below.said}` || null,
      usage: trace.usageOf(span),
    })
    throw error
  } finally {
    work.ledger.write()
  }
  const text = `${below.said}` || 'It gave an empty answer.'
  return { text, summary: firstWords(text) }
}

function firstWords(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 140 ? `${truncate(line, 139)}…` : line
}
