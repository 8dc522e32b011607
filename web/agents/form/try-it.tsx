import { agents } from '#contract/agents/agents.ts'
import { isSampleAgent } from '#contract/samples/sample-agents.ts'
import { stream } from '#web/api/api.ts'
import { Card } from '#web/ui/panels/card.tsx'
import type { RunStart } from '../runs/follow-run.ts'
import { RunBox } from '../runs/run-box.tsx'
import { useRun } from '../runs/run-store.ts'
import { type AgentEditing, useAgentEditing } from './agent-editor.tsx'
import { type AgentField, toAgentBody, toFormValues } from './agent-form-values.ts'
import { fieldNames } from './check-agent-form.ts'

/** Runs the agent in the form, saved or not. */
export function TryIt() {
  const editing = useAgentEditing()
  const run = useRun()
  const { getRunStart, note } = editing.agent ? tryChanges(editing) : tryNewAgent(editing)
  return (
    <Card padded={false} className="px-4 py-3.5">
      <h2 className="font-sans text-ui leading-5 font-semibold tracking-normal">Try it</h2>
      <RunBox agent={editing.agent} run={run} note={note} getRunStart={getRunStart} />
    </Card>
  )
}

interface Trial {
  /** Null while nothing can run; undefined runs the saved agent. */
  getRunStart?: ((input: string) => RunStart) | null
  note?: string | undefined
}

function tryNewAgent({ values, problems }: AgentEditing): Trial {
  if (values.name.trim() === '' || values.purpose.trim() === '')
    return { getRunStart: null, note: 'needs a name and a purpose' }
  const invalidFields = (Object.keys(problems) as AgentField[]).filter((field) => field !== 'slug')
  if (invalidFields.length > 0)
    return { getRunStart: null, note: `check ${invalidFields.map((field) => fieldNames[field]).join(', ')} first` }
  const agent = toAgentBody({ ...values, slug: '' })
  return {
    getRunStart: (input) => ({
      streamRun: (signal, handleEvent) => stream(agents.tryOut, { body: { agent, input }, signal }, handleEvent),
    }),
    note: 'runs without saving',
  }
}

/** A run can override the purpose and the model of a saved agent. */
function tryChanges({ agent, values, problems, isDirty, readOnly }: AgentEditing): Trial {
  if (!agent || readOnly || !isDirty || isSampleAgent(agent)) return {}
  const saved = toAgentBody(toFormValues(agent))
  const { purpose, model_provider, model_settings } = toAgentBody(values)
  const overrides = { purpose, model_provider, model_settings }
  const hasOtherPurpose = purpose !== saved.purpose
  const hasOtherModel =
    JSON.stringify([model_provider, model_settings]) !== JSON.stringify([saved.model_provider, saved.model_settings])
  if ((!hasOtherPurpose && !hasOtherModel) || Object.keys(problems).length > 0)
    return { note: 'runs the saved version' }
  const changedText = [hasOtherPurpose && 'purpose', hasOtherModel && 'model'].filter(Boolean).join(' and ')
  return {
    getRunStart: (input) => ({ agentId: agent.id, input, overrides }),
    note: `runs with your unsaved ${changedText}`,
  }
}
