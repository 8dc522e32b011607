import { Settings2 } from 'lucide-react'
import { Link, useNavigate, useParams } from 'react-router'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import { type Domain, getOwnRole } from '#contract/domains/domains.ts'
import { type SharedKeeper, type SharedPart, sharedPartNames } from '#contract/domains/sharing-in-domains.ts'
import { useCrumb } from '#web/page/crumb.ts'
import { useMyDomains } from '#web/queries/use-my-domains.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { statusLabels } from '../journeys/journey-list.tsx'
import { SharedJourneyLink } from './shared-journey-link.tsx'
import { getSharedDomainPath, getSharedKeeperPath, isUnavailableError, useSharedInDomain } from './shared-queries.ts'
import { SharedState } from './shared-states.tsx'

export function SharedDomainPage() {
  const { domainId = '' } = useParams()
  const navigate = useNavigate()
  const myDomains = useMyDomains().data
  const domain = myDomains?.find(({ id }) => id === domainId)
  const sharedQuery = useSharedInDomain(domainId)
  useCrumb(domain?.name)
  if (!sharedQuery.data || isUnavailableError(sharedQuery.error))
    return (
      <SharedState
        title="Domain"
        query={sharedQuery}
        wasLoaded={sharedQuery.data !== undefined}
        back={{ to: '/root/domain', label: 'Domain Settings' }}
        noun="domain"
      />
    )
  const { keepers, journeys } = sharedQuery.data
  return (
    <>
      <PageHeader
        title={domain?.name ?? 'Domain'}
        subtitle={domain?.description || 'Shared with you by its members.'}
        actions={
          <>
            {myDomains && myDomains.length > 1 && (
              <SelectField
                label="Domain"
                labelHidden
                value={domainId}
                onChange={(event) => void navigate(getSharedDomainPath(event.currentTarget.value))}
                options={myDomains.map(({ id, name }) => ({ value: id, label: name }))}
                className="w-52 phone:w-full"
              />
            )}
            <LinkButton to={`/root/domain?domain=${domainId}`} icon={<Settings2 aria-hidden size={15} />}>
              Domain Settings
            </LinkButton>
          </>
        }
      />
      {keepers.length + journeys.length === 0 && <NothingShared domain={domain} />}
      {keepers.length > 0 && (
        <section aria-labelledby="shared-keepers" className="mb-10">
          <h2 id="shared-keepers" className="mb-3">
            Keepers
          </h2>
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(20.625rem,100%),1fr))] gap-4">
            {keepers.map((keeper) => (
              <li key={keeper.id}>
                <Card className="flex h-full items-start gap-4">
                  <Cover seed={keeper.id} width={52} height={69} />
                  <div className="min-w-0 flex-1">
                    <h3 className="wrap-anywhere">
                      <Link
                        dir="auto"
                        to={getSharedKeeperPath(domainId, keeper.id)}
                        className="rounded-xs underline-offset-4 hover:underline"
                      >
                        {keeper.title}
                      </Link>
                    </h3>
                    <p className="text-small text-muted-foreground">{formatSharedBy(keeper.owner)}</p>
                    {keeper.purpose && (
                      <p dir="auto" className="mt-2 line-clamp-3 font-serif text-body wrap-anywhere">
                        {keeper.purpose}
                      </p>
                    )}
                    <p className="mt-2.5 flex flex-wrap gap-1.5">
                      {keeper.parts.map((part) => (
                        <Badge key={part}>{formatSharedPart(keeper, part)}</Badge>
                      ))}
                    </p>
                  </div>
                </Card>
              </li>
            ))}
          </ul>
        </section>
      )}
      {journeys.length > 0 && (
        <section aria-labelledby="shared-journeys">
          <h2 id="shared-journeys" className="mb-3">
            Journeys
          </h2>
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(20.625rem,100%),1fr))] gap-4">
            {journeys.map((journey) => (
              <li key={journey.id}>
                <Card className="h-full">
                  <h3 className="flex items-baseline gap-2.5 wrap-anywhere">
                    <SharedJourneyLink domainId={domainId} journey={journey} />
                  </h3>
                  <p className="mt-0.5 text-small text-muted-foreground">
                    {statusLabels[journey.status]}. {formatSharedBy(journey.owner)}
                  </p>
                  {journey.purpose && (
                    <p dir="auto" className="mt-2 line-clamp-3 font-serif text-body wrap-anywhere">
                      {journey.purpose}
                    </p>
                  )}
                </Card>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function NothingShared({ domain }: { domain: Domain | undefined }) {
  const canShare = domain !== undefined && canActInDomain(getOwnRole(domain), 'share')
  return (
    <EmptyPanel
      drawing="frames"
      title="Nothing is shared here yet"
      action={canShare && <LinkButton to="/keeper">Your keepers</LinkButton>}
    >
      {canShare
        ? 'Anything members share with your role appears here. To share something, open a keeper and choose Share with members.'
        : 'Anything members share with your role appears here.'}
    </EmptyPanel>
  )
}

function formatSharedBy({ name, isMe }: SharedKeeper['owner']): string {
  return isMe ? 'Shared by you' : `Kept by ${name ?? 'an unnamed user'}`
}

function formatSharedPart({ counts }: SharedKeeper, part: SharedPart): string {
  if (part === 'sole') return sharedPartNames.sole
  const count = counts[part] ?? 0
  if (part === 'logbook') return `Logbook: ${count.toLocaleString('en-US')}`
  return pluralize(count, part === 'moments' ? 'moment' : 'journey')
}
