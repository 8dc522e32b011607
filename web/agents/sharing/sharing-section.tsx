import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { Agent } from '#contract/agents/agents.ts'
import { type AgentGrant, type AgentRight, agentRights, sharing } from '#contract/agents/sharing.ts'
import { call } from '#web/api/api.ts'
import { QueryState } from '#web/queries/query-error.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { getPersonName } from '#web/ui/text/person-name.ts'
import { withNames } from '#web/ui/text/with-names.tsx'
import { agentsKey } from '../agent-queries.ts'
import { PeoplePicker, PersonLabel } from './people-picker.tsx'

type Grants = { grants: AgentGrant[]; mine: AgentRight[] }

const grantsKey = (agentId: string) => [...agentsKey, 'grants', agentId] as const

/** Saves rights immediately. While that is pending, the mutation's variables hold the new rights. */
function useSetRights(agentId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ personId, rights }: { personId: string; rights: AgentRight[] }) =>
      call(sharing.grant, { params: { agentId, personId }, body: { rights } }),
    onSuccess: (grant, { personId }) =>
      queryClient.setQueryData<Grants>(
        grantsKey(agentId),
        (previous) => previous && applyGrant(previous, personId, grant),
      ),
    onError: () => void queryClient.invalidateQueries({ queryKey: grantsKey(agentId) }),
  })
}

function applyGrant({ grants, mine }: Grants, personId: string, grant: AgentGrant | null): Grants {
  const exists = grants.some(({ person }) => person.id === personId)
  if (!grant) return { grants: grants.filter(({ person }) => person.id !== personId), mine }
  if (!exists) return { grants: [...grants, grant], mine }
  return { grants: grants.map((candidate) => (candidate.person.id === personId ? grant : candidate)), mine }
}

const rightLabels: Record<AgentRight, string> = { run: 'Run', edit: 'Edit', share: 'Share', delete: 'Delete' }

/** Chooses the people who can use a shared agent. Changes are saved immediately, separately from the form. */
export default function SharingSection({ agent }: { agent: Agent }) {
  const query = useQuery({
    queryKey: grantsKey(agent.id),
    queryFn: ({ signal }) => call(sharing.list, { params: { agentId: agent.id }, signal }),
  })
  const { data } = query
  const { mutate: setRights, mutateAsync, isPending, variables, error: saveError } = useSetRights(agent.id)

  // A callback passed to `mutate` is lost when another removal starts.
  const remove = ({ person: { id: personId, ...person }, rights }: AgentGrant) =>
    mutateAsync({ personId, rights: [] }).then(
      () =>
        showToast(withNames`${getPersonName(person)} no longer has access to ${agent.name}.`, {
          onUndo: () => setRights({ personId, rights }),
        }),
      () => undefined,
    )

  return (
    <section aria-labelledby="agent-sharing" className="flex flex-col gap-4">
      <div>
        <h4 id="agent-sharing" className="text-ui font-label">
          Sharing
        </h4>
        <p className="mt-0.5 text-small text-muted-foreground">
          Who else can use this agent. Changes take effect right away. The agent reads only the keepers of people who
          share a domain with you.
        </p>
      </div>
      <QueryState
        query={query}
        skeleton={<SkeletonRows label="Loading people with access" count={2} rowClassName="h-10" />}
      />
      {saveError && <Banner tone="error">{saveError.message || 'The rights couldn’t be saved. Try again.'}</Banner>}
      {data && (
        <>
          <PeoplePicker
            excludedIds={[...data.grants.map(({ person }) => person.id), ...(agent.owner_id ? [agent.owner_id] : [])]}
            busy={isPending}
            onPick={({ id: personId }) => setRights({ personId, rights: getInitialRights(data.mine) })}
          />
          {data.grants.length === 0 ? (
            <p className="text-ui text-muted-foreground">Only you so far. People you add can run it.</p>
          ) : (
            <ul aria-label="People with access" className="border-t border-hairline">
              {data.grants.map((grant) => (
                <GrantRow
                  key={grant.person.id}
                  grant={grant}
                  viewerRights={data.mine}
                  savingRights={isPending && variables.personId === grant.person.id ? variables.rights : undefined}
                  onRightsChange={(rights) => setRights({ personId: grant.person.id, rights })}
                  onRemove={() => remove(grant)}
                />
              ))}
            </ul>
          )}
        </>
      )}
    </section>
  )
}

interface GrantRowProps {
  grant: AgentGrant
  viewerRights: AgentRight[]
  savingRights: AgentRight[] | undefined
  onRightsChange: (rights: AgentRight[]) => void
  onRemove: () => void
}

function GrantRow({ grant, viewerRights, savingRights, onRightsChange, onRemove }: GrantRowProps) {
  const { person, may_change } = grant
  const rights = savingRights ?? grant.rights
  const busy = savingRights !== undefined
  const name = getPersonName(person)
  const canRemove = may_change && rights.every((right) => viewerRights.includes(right))
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-2 border-b border-hairline py-2.5">
      <div className="flex min-w-40 flex-1 basis-48">
        <PersonLabel person={person} note={may_change ? undefined : 'You'} />
      </div>
      <fieldset className="flex flex-wrap gap-x-4 gap-y-1.5 phone:order-1 phone:basis-full">
        <legend className="sr-only">Rights of {name}</legend>
        {agentRights.map((right) => {
          const isOn = rights.includes(right)
          const isLast = isOn && rights.length === 1
          return (
            <Checkbox
              key={right}
              label={rightLabels[right]}
              checked={isOn}
              disabled={busy || !may_change || !viewerRights.includes(right) || isLast}
              title={getDisabledHint({ may_change, viewerHasRight: viewerRights.includes(right), isLast })}
              onCheckedChange={(isChecked) =>
                onRightsChange(isChecked ? [...rights, right] : rights.filter((other) => other !== right))
              }
            />
          )
        })}
      </fieldset>
      <IconButton
        size="small"
        label={`Remove ${name}`}
        title={canRemove ? `Remove ${name}` : 'You can only remove rights you have yourself'}
        disabled={busy || !canRemove}
        onClick={onRemove}
      >
        <X aria-hidden size={15} />
      </IconButton>
    </li>
  )
}

function getDisabledHint({
  may_change,
  viewerHasRight,
  isLast,
}: {
  may_change: boolean
  viewerHasRight: boolean
  isLast: boolean
}) {
  if (!may_change) return 'You can’t change your own rights'
  if (!viewerHasRight) return 'You can only change rights you have yourself'
  return isLast ? 'This is their last right. Remove the person instead' : undefined
}

/** `run` by default, or `share` if the person adding them can’t grant `run`. */
function getInitialRights(viewerRights: AgentRight[]): AgentRight[] {
  return viewerRights.includes('run') ? ['run'] : ['share']
}
