import type { ModelSettings } from '#contract/agents/model-settings.ts'
import type { Write } from '#server/db/database.ts'
import type { ChosenKey } from '#server/keys/choose-key.ts'
import type { ModelRequest } from '#server/models/run-model.ts'
import type { Services } from '#server/services.ts'
import type { AgentRow } from '../agent-row.ts'
import type { Turn } from '../chat/turns.ts'
import { chooseRunKey } from '../model-lists/choose-run-key.ts'
import { toolsFor } from '../tools/tools-for.ts'
import { holdBudget, nothingHeld } from '../usage/hold-budget.ts'
import { plannedCall } from './ask-model.ts'
import { contextFor, nothingPutIn } from './context-for.ts'
import { fitHistory, noteOfShortened } from './fit-history.ts'
import { RunFailure, type RunPlan } from './run-plan.ts'
import { systemPrompt } from './run-prompt.ts'
import type { LiveRun } from './run-registry.ts'
import type { Runner } from './runner.ts'
import type { RunWanted } from './start-run.ts'

interface Beginning {
  runner: Runner
  agent: AgentRow
  run: LiveRun
  turn: Turn
  settings: ModelSettings
  wanted: RunWanted
}

export interface PreparedRun
  extends Pick<RunPlan, 'key' | 'tools' | 'context' | 'system' | 'messages' | 'past' | 'notes' | 'hold' | 'refusal'> {
  /** Writes that belong to its beginning: what is read is noted before any model reads it, or the run does not begin. */
  along: Write[]
}

/** What a model will be asked, and the money for it: who has no budget left has no run either. */
export async function prepareRun(services: Services, beginning: Beginning): Promise<PreparedRun> {
  const { runner, agent, run, turn, settings, wanted } = beginning
  if (agent.status !== 'ready') return refusedRun(beginning)
  const [key, { tools, notes }, context] = await Promise.all([
    chooseRunKey(
      services,
      { personId: run.personId, agent },
      { provider: agent.model_provider, model: settings.model },
    ),
    toolsFor(services, { runner, agent, root: agent, own: wanted.ownTools }),
    wanted.context ?? contextFor(services, { agent, askedBy: [], runner, run, input: turn.input }),
  ])
  const system = await systemPrompt(services, runner, { agent, context, tools })
  const asked: ModelRequest['messages'] = [{ role: 'user', content: turn.input }]
  const rest = { system, messages: asked, tools }
  const history = fitHistory(turn.history, {
    provider: agent.model_provider,
    settings,
    rest,
    baseUrl: key.baseUrl,
  })
  const messages = [...history, ...asked]
  const hold = await holdBudget(
    services,
    plannedCall({ run, root: agent, agent, settings, key }, { system, messages, tools }),
  )
  const reads = runner.person
    ? services.keeperMemory.noteReads(
        services,
        { person: runner.person, runId: run.id, agent, purpose: `Context of ${agent.name}` },
        context.ofKeepers,
      )
    : []
  return {
    ...{ key, tools, context, system, messages, hold },
    past: history.length,
    notes: [...notes, ...noteOfShortened(turn.history.length, history.length)],
    refusal: undefined,
    along: [...reads, ...(wanted.along?.(run.id) ?? [])],
  }
}

const noKey: ChosenKey = { source: 'none', key: null, baseUrl: null, payer: null }

/** It becomes a run that failed: nobody is asked, nothing is read for it, and nobody pays. */
function refusedRun({ agent, turn }: Beginning): PreparedRun {
  return {
    key: noKey,
    tools: [],
    context: nothingPutIn,
    system: '',
    messages: [{ role: 'user', content: turn.input }],
    past: 0,
    notes: [],
    hold: nothingHeld,
    refusal: new RunFailure(
      'agent-not-ready',
      `${agent.name} is not ready. Set its status to ready before running it.`,
    ),
    along: [],
  }
}
