import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Unlink } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Agent } from '#contract/agents/agents.ts'
import { type KeeperType, keeperTypes } from '#contract/keepers/keeper-types.ts'
import { sampleAgents } from '#contract/samples/sample-agents.ts'
import { sampleKeeperType, sampleTemplates } from '#contract/samples/sample-keeper-type.ts'
import { useAgentList } from '#web/agents/agent-queries.ts'
import { AgentSeal } from '#web/agents/agent-seal.tsx'
import { call } from '#web/api/api.ts'
import { getPatternLabel } from '#web/keepers/keeper-labels.ts'
import { TypeTemplates } from '#web/keepers/types/type-templates.tsx'
import { agentsOfTypeQuery, keeperTypesKey } from '#web/queries/keeper-types-query.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { KeeperTypeById, KeeperTypeSettings } from './config-keeper-type.tsx'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameFailure, FrameQuery, getFrameEntityId, getFrameKey, NothingChosen } from './frame-query.tsx'

interface WithKeeperTypeProps extends FrameBodyProps {
  children: (type: KeeperType, isSample: boolean) => ReactNode
}

function WithKeeperType({ children, ...props }: WithKeeperTypeProps) {
  const { context, openSettings } = props
  const id = getFrameEntityId('keeper-type', props)
  if (context.mode === 'sample') return children(sampleKeeperType, true)
  if (!id) return <NothingChosen entityName="keeper type" onChooseAnother={openSettings} />
  return (
    <KeeperTypeById id={id} onChooseAnother={openSettings}>
      {(type) => children(type, false)}
    </KeeperTypeById>
  )
}

export function KeeperTypeIdentityFrame(props: FrameBodyProps) {
  return (
    <WithKeeperType {...props}>
      {(type, isSample) => (
        <div className="flex flex-col gap-3 px-3.5 py-3">
          {isSample ? (
            <>
              <p dir="auto" className="font-serif text-[1.25rem] leading-[1.625rem] font-medium wrap-anywhere">
                {type.name}
              </p>
              <p>
                <Badge tone="outlined">{getPatternLabel(type.memoryPattern)}</Badge>
              </p>
              <p className="text-ui text-muted-foreground">{type.description}</p>
            </>
          ) : (
            <KeeperTypeSettings type={type} frameKey={getFrameKey(props.context.boardId, props.frame.id)} />
          )}
        </div>
      )}
    </WithKeeperType>
  )
}

export function KeeperTypeTemplatesFrame(props: FrameBodyProps) {
  return (
    <WithKeeperType {...props}>
      {(type, isSample) => (
        <div className="px-3.5 py-3">
          {isSample ? (
            <ul aria-label="Engagement templates">
              {sampleTemplates.map(({ id, label, type: kind }) => (
                <li key={id} className="flex items-center gap-2 border-t border-hairline py-2 first:border-t-0">
                  <span dir="auto" className="min-w-0 grow font-serif text-lead wrap-anywhere">
                    {label}
                  </span>
                  <Badge tone="outlined">{kind}</Badge>
                </li>
              ))}
            </ul>
          ) : (
            <TypeTemplates type={type} />
          )}
        </div>
      )}
    </WithKeeperType>
  )
}

/** Lists and assigns agents that know keepers of a type. */
export function KeeperTypeAgentsFrame(props: FrameBodyProps) {
  return (
    <WithKeeperType {...props}>
      {(type, isSample) =>
        isSample ? (
          <div className="px-3.5 py-3">
            <AgentRows agents={sampleAgents.slice(0, 1)} />
          </div>
        ) : (
          <AssignedAgents key={type.id} type={type} />
        )
      }
    </WithKeeperType>
  )
}

function AssignedAgents({ type }: { type: KeeperType }) {
  const queryClient = useQueryClient()
  const query = useQuery(agentsOfTypeQuery(type.id))
  const agentList = useAgentList().data
  const change = useMutation({
    mutationFn: ({ verb, agentId }: { verb: 'assign' | 'unassign'; agentId: string }) =>
      call(keeperTypes[verb], { params: { agentId, keeperTypeId: type.id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keeperTypesKey }),
  })

  return (
    <FrameQuery query={query} entityName="keeper type">
      {(assigned) => {
        const assignableAgents = (agentList?.source === 'server' ? agentList.agents : []).filter(
          ({ id, may }) => may.edit && assigned.every((agent) => agent.id !== id),
        )
        return (
          <div className="flex flex-col gap-2.5 px-3.5 py-3">
            {assigned.length === 0 && (
              <p className="text-ui text-muted-foreground">{`No agents can read ${type.name} keepers yet.`}</p>
            )}
            <AgentRows
              agents={assigned}
              onRemove={({ id }) => !change.isPending && change.mutate({ verb: 'unassign', agentId: id })}
            />
            {assignableAgents.length > 0 && (
              <SelectField
                label="Assign an agent"
                value=""
                disabled={change.isPending}
                options={[
                  { value: '', label: 'Choose an agent' },
                  ...assignableAgents.map(({ id, name }) => ({ value: id, label: name })),
                ]}
                onChange={({ currentTarget: { value } }) =>
                  value !== '' && change.mutate({ verb: 'assign', agentId: value })
                }
              />
            )}
            <FrameFailure reason={change.error} />
          </div>
        )
      }}
    </FrameQuery>
  )
}

function AgentRows({ agents, onRemove }: { agents: readonly Agent[]; onRemove?: (agent: Agent) => void }) {
  return (
    <ul aria-label="Assigned agents">
      {agents.map((agent) => (
        <li key={agent.id} className="flex items-center gap-2.5 border-t border-hairline py-2 first:border-t-0">
          <AgentSeal agent={agent} size={28} />
          <div className="min-w-0 grow">
            {onRemove ? (
              <Link
                dir="auto"
                to={`/studio/agent-board?agentId=${encodeURIComponent(agent.id)}`}
                className="block truncate rounded-xs text-ui font-label hover:underline"
              >
                {agent.name}
              </Link>
            ) : (
              <span dir="auto" className="block truncate text-ui font-label">
                {agent.name}
              </span>
            )}
            <p dir="auto" className="truncate text-small text-muted-foreground">
              {agent.purpose}
            </p>
          </div>
          {onRemove && agent.may.edit && (
            <IconButton label={`Remove ${agent.name}`} size="small" onClick={() => onRemove(agent)}>
              <Unlink aria-hidden size={15} />
            </IconButton>
          )}
        </li>
      ))}
    </ul>
  )
}
