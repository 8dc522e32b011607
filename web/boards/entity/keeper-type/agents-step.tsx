import type { Agent } from '#contract/agents/agents.ts'
import { getFrameLibrary } from '#contract/boards/frame-types.ts'
import { useAgentList } from '#web/agents/agent-queries.ts'
import { AgentSeal } from '#web/agents/agent-seal.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { AddFrameMenu } from '../add-frame-menu.tsx'
import { FrameList } from '../frame-list.tsx'
import type { StepProps } from './type-wizard.tsx'

interface AgentsStepProps extends StepProps {
  typeId: string
  /** Saved on the server. */
  assigned: readonly Agent[]
  sample: boolean
}

export function AgentsStep({ sample, typeId, ...step }: AgentsStepProps) {
  return (
    <div className="grid gap-7">
      <section aria-labelledby="type-agents">
        <h3 id="type-agents" className="font-sans text-ui font-semibold tracking-normal">
          Default agent
        </h3>
        <p className="mb-2 text-small text-muted-foreground">
          Agents that can use the memory of keepers of this type in their answers.
        </p>
        {sample ? <AgentCheckboxes {...step} availableAgents={step.assigned} /> : <AgentChooser {...step} />}
      </section>
      <section aria-labelledby="type-frames">
        <div className="mb-2 flex flex-wrap items-center gap-3">
          <h3 id="type-frames" className="flex-1 font-sans text-ui font-semibold tracking-normal">
            Frames
          </h3>
          {!step.readOnly && (
            <AddFrameMenu
              types={getFrameLibrary('keeper-type')}
              getFrameDefaults={() => ({ entityType: 'keeper-type', entityId: typeId })}
            />
          )}
        </div>
        <FrameList readOnly={step.readOnly} />
      </section>
    </div>
  )
}

/** Only agents with edit rights can be assigned. */
function AgentChooser(step: Omit<AgentsStepProps, 'sample' | 'typeId'>) {
  const { data } = useAgentList()
  const assignableAgents = (data?.from === 'server' ? data.agents : []).filter(
    ({ id, may }) => may.edit && step.assigned.every((agent) => agent.id !== id),
  )
  return (
    <AgentCheckboxes
      {...step}
      availableAgents={step.readOnly ? step.assigned : [...step.assigned, ...assignableAgents]}
    />
  )
}

function AgentCheckboxes({
  draft,
  onDraft,
  readOnly,
  availableAgents,
}: StepProps & { availableAgents: readonly Agent[] }) {
  const { agentIds } = draft
  if (availableAgents.length === 0) {
    return (
      <p className="flex flex-wrap items-center gap-3 text-ui text-muted-foreground">
        {readOnly ? 'No agents assigned.' : 'You have no agents to assign.'}
        {!readOnly && (
          <LinkButton size="small" to="/studio/agents">
            Manage Agents
          </LinkButton>
        )}
      </p>
    )
  }
  return (
    <ul aria-label="Agents" className="grid gap-2">
      {availableAgents.map((agent) => (
        <li key={agent.id} className="flex items-center gap-2.5">
          <AgentSeal agent={agent} size={28} />
          <Checkbox
            label={agent.name}
            help={agent.may.edit || readOnly ? agent.purpose : 'Only people who can edit this agent can assign it.'}
            checked={agentIds.includes(agent.id)}
            disabled={readOnly || !agent.may.edit}
            onCheckedChange={(on) =>
              onDraft({
                ...draft,
                agentIds: on ? [...agentIds, agent.id] : agentIds.filter((id) => id !== agent.id),
              })
            }
            className="min-w-0 flex-1"
          />
        </li>
      ))}
    </ul>
  )
}
