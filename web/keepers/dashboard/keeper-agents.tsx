import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MessageSquare, Sparkles } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { type Agent, agents } from '#contract/agents/agents.ts'
import { keeperTypes } from '#contract/keepers/keeper-types.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isSampleKeeper } from '#contract/keepers/sample-keeper.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { truncate } from '#contract/truncate.ts'
import { call } from '#web/api/api.ts'
import { useIdempotencyKey } from '#web/offline/create-client-id.ts'
import { agentsOfTypeQuery, keeperTypesKey } from '#web/queries/keeper-types-query.ts'
import { Button, RetryButton } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { getMetadataPath } from '../keeper-addresses.ts'

/** Lists the agents whose scope is this keeper and whose types include its type, or offers to create one. */
export function KeeperAgents({ keeper }: { keeper: Keeper }) {
  const { keeperTypeId } = keeper
  if (isDemoKeeper(keeper.id) || isSampleKeeper(keeper)) return null
  return (
    <section aria-labelledby="knowing-agent">
      <h2 id="knowing-agent" className="font-sans text-ui font-semibold tracking-normal">
        Ask an agent that knows this keeper
      </h2>
      <p className="mt-1 mb-2.5 text-ui text-muted-foreground">
        Agents read what you approved and kept here, and cite their sources. They never see anything marked “Not for
        AI”.
      </p>
      {keeperTypeId ? (
        <AskOrCreateAgent keeper={keeper} keeperTypeId={keeperTypeId} />
      ) : (
        <Link to={getMetadataPath(keeper.id)} className={quietLinkClasses}>
          Give this keeper a type first
        </Link>
      )}
    </section>
  )
}

const maxOfferedAgents = 3

function AskOrCreateAgent({ keeper: { title }, keeperTypeId }: { keeper: Keeper; keeperTypeId: string }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const { data: agentsOfType, isPending, isFetching, refetch } = useQuery(agentsOfTypeQuery(keeperTypeId))
  const getIdempotencyKey = useIdempotencyKey()
  // Leaves out agents that strangers share publicly, because keepers are private.
  const offeredAgents = (agentsOfType ?? [])
    .filter(({ context_scope, visibility, may }) => {
      const isOwnAgent = may.share
      const isSharedWithPerson = visibility === 'shared' && may.run
      return context_scope === 'keeper' && (isOwnAgent || isSharedWithPerson)
    })
    .sort((a, b) => Number(b.may.share) - Number(a.may.share))
    .slice(0, maxOfferedAgents)

  const createCompanion = useMutation({
    async mutationFn() {
      // The idempotency key makes a retry reuse the agent, also when only the assignment failed.
      const companion = await call(agents.create, {
        idempotencyKey: getIdempotencyKey(title),
        body: {
          name: truncate(`${title} companion`, 100),
          purpose: `You know the entries of “${title}”. Answer from them, cite them, and say so when none of them is about the question.`,
          context_scope: 'keeper',
          memory_enabled: true,
        },
      })
      await call(keeperTypes.assign, { params: { agentId: companion.id, keeperTypeId } })
      void queryClient.invalidateQueries({ queryKey: keeperTypesKey })
      navigate(`/studio/agents/${encodeURIComponent(companion.id)}`)
    },
  })

  if (isPending) return <Skeleton className="h-8 w-48" />
  // Without the list, someone who already has an agent would create a second one.
  if (!agentsOfType)
    return (
      <p className="flex flex-wrap items-center gap-3 text-ui">
        The agents for this keeper couldn’t be loaded.
        <RetryButton busy={isFetching} onClick={() => refetch()} />
      </p>
    )
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {offeredAgents.map((agent) => (
          <AskAgentButton key={agent.id} agent={agent} />
        ))}
        <Button
          size="small"
          variant={offeredAgents.length > 0 ? 'plain' : undefined}
          icon={<Sparkles aria-hidden size={14} />}
          busy={createCompanion.isPending}
          busyLabel="Making..."
          onClick={() => createCompanion.mutate()}
        >
          {offeredAgents.length > 0 ? 'Make another agent' : 'Make an agent for this keeper'}
        </Button>
      </div>
      <p role="alert" className="mt-2 text-ui font-medium text-destructive empty:hidden">
        {createCompanion.error?.message}
      </p>
    </>
  )
}

/** Only Lead agents have a chat page, which opens in a new tab; others run in their workspace. */
function AskAgentButton({ agent: { id, slug, name, agent_class } }: { agent: Agent }) {
  const isLead = agent_class === 'Lead'
  return (
    <LinkButton
      to={isLead ? `/${slug}` : `/studio/agents/${encodeURIComponent(id)}`}
      {...(isLead && { target: '_blank', rel: 'noopener' })}
      size="small"
      icon={<MessageSquare aria-hidden size={14} className="shrink-0" />}
      className="max-w-full"
    >
      <span className="truncate">Ask {name}</span>
      {isLead && <span className="sr-only"> (opens in a new tab)</span>}
    </LinkButton>
  )
}
