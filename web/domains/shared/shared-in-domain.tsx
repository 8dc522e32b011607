import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BookOpen, Waypoints } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import { type Domain, getOwnRole } from '#contract/domains/domains.ts'
import {
  formatRoles,
  type SharedJourney,
  type SharedKeeper,
  sharedPartNames,
  sharingInDomains,
} from '#contract/domains/sharing-in-domains.ts'
import { ApiError, call } from '#web/api/api.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'

type SharedEntity = { kind: 'keeper'; entity: SharedKeeper } | { kind: 'journey'; entity: SharedJourney }

export function SharedInDomain({ domain }: { domain: Domain }) {
  const list = useQuery({
    queryKey: ['shared', domain.id, 'list'],
    queryFn: ({ signal }) => call(sharingInDomains.list, { params: { id: domain.id }, signal }),
    retry: false,
  })
  const [pendingUnshare, setPendingUnshare] = useState<SharedEntity>()
  const role = getOwnRole(domain)
  if (role === undefined) return null
  if (list.isPending)
    return (
      <SkeletonGroup className="flex flex-col gap-2">
        <Skeleton className="h-14" />
        <Skeleton className="h-14" />
      </SkeletonGroup>
    )
  if (!list.data)
    return (
      <QueryError query={list} title="Shared content couldn’t be loaded">
        {list.error.message}
      </QueryError>
    )
  const sharedEntities: SharedEntity[] = [
    ...list.data.keepers.map((entity) => ({ kind: 'keeper' as const, entity })),
    ...list.data.journeys.map((entity) => ({ kind: 'journey' as const, entity })),
  ]
  if (sharedEntities.length === 0)
    return (
      <EmptyPanel drawing="frames" title="Nothing is shared here yet">
        {canActInDomain(role, 'share')
          ? 'Open one of your keepers or journeys and choose Share with members. Everything stays private until you share it.'
          : 'Content that members share with your role appears here.'}
      </EmptyPanel>
    )
  return (
    <>
      <p className="mb-1 text-small text-muted-foreground">
        <Link to={`/root/domain/${domain.id}`} className="underline underline-offset-2">
          Open everything shared in <bdi>{domain.name}</bdi>
        </Link>
      </p>
      <ul aria-label="Shared in this domain" className="flex flex-col">
        {sharedEntities.map((shared) => (
          <li
            key={`${shared.kind} ${shared.entity.id}`}
            className="flex flex-wrap items-start gap-x-3 gap-y-2 border-t border-hairline py-3 first:border-t-0"
          >
            <SharedRow domainId={domain.id} {...shared} />
            {(shared.entity.owner.isMe || canActInDomain(role, 'manageMembers')) && (
              <Button
                size="small"
                aria-label={`Unshare ${shared.entity.title}`}
                onClick={() => setPendingUnshare(shared)}
                className="shrink-0"
              >
                Unshare
              </Button>
            )}
          </li>
        ))}
      </ul>
      {pendingUnshare && (
        <UnshareDialog domain={domain} {...pendingUnshare} onClose={() => setPendingUnshare(undefined)} />
      )}
    </>
  )
}

function SharedRow({ domainId, kind, entity }: SharedEntity & { domainId: string }) {
  const Icon = kind === 'keeper' ? BookOpen : Waypoints
  const ownerName = entity.owner.isMe ? 'you' : (entity.owner.name ?? 'an unnamed user')
  const parts: ReactNode =
    'parts' in entity ? entity.parts.map((part) => sharedPartNames[part]).join(', ') : 'One journey with its moments'
  return (
    <div className="flex min-w-0 flex-1 basis-64 items-start gap-3">
      <Icon aria-hidden size={17} className="mt-1 shrink-0 text-muted-foreground" />
      <div className="min-w-0">
        <Link
          dir="auto"
          to={`/root/domain/${domainId}/${kind}s/${entity.id}`}
          className="font-semibold wrap-anywhere underline-offset-2 hover:underline"
        >
          {entity.title}
        </Link>
        <p className="text-small text-muted-foreground">
          {parts}. Shared by {ownerName} with {formatRoles(entity.roles)}, <Time value={entity.sharedAt} />.
        </p>
      </div>
    </div>
  )
}

function UnshareDialog({ domain, kind, entity, onClose }: SharedEntity & { domain: Domain; onClose: () => void }) {
  const queryClient = useQueryClient()
  async function unshare() {
    try {
      if (kind === 'keeper')
        await call(sharingInDomains.unshareKeeper, { params: { id: domain.id, keeperId: entity.id } })
      else await call(sharingInDomains.unshareJourney, { params: { id: domain.id, journeyId: entity.id } })
    } catch (reason) {
      // Someone else already unshared it.
      if (!(reason instanceof ApiError && reason.status === 404)) throw reason
    }
    await queryClient.invalidateQueries({ queryKey: ['shared'] })
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={withNames`Unshare ${entity.title}?`}
      confirmLabel="Unshare"
      busyLabel="Unsharing..."
      onConfirm={unshare}
    >
      Members of <bdi>{domain.name}</bdi> lose access the next time they open a page. Nothing is deleted.
    </ConfirmDialog>
  )
}
