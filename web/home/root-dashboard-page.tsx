import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import { domains, getOwnRole } from '#contract/domains/domains.ts'
import type { Permission } from '#contract/endpoint.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { getWaitingItem, useRetiringModels } from '#web/agents/form/retiring-models.tsx'
import { call } from '#web/api/api.ts'
import { PendingInvitation } from '#web/domains/invitations/pending-invitation.tsx'
import { areFirstStepsVisible, firstStepsQuery } from '#web/first-steps/first-steps-query.ts'
import type { SavedMoment } from '#web/first-steps/saved-moment.tsx'
import { useKeepers } from '#web/keepers/keeper-queries.ts'
import { formatDayOfYear } from '#web/keepers/moments/format-day.ts'
import { useToday } from '#web/keepers/moments/use-today.ts'
import { RootKeepers, RootKeepersSkeleton } from '#web/keepers/shelf/root-keepers.tsx'
import { useWaiting, WaitingForYou, type WaitingItem, WaitingLoadError } from '#web/keepers/shelf/waiting-for-you.tsx'
import { useAuth } from '#web/page/auth-context.tsx'
import { ReservedHeight } from '#web/page/reserved-height.tsx'
import { domainsKey } from '#web/queries/use-my-domains.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { Cover } from '#web/ui/drawings/cover.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import { AccountSection, getRequestedTab } from './account-section.tsx'
import { focusMomentBox, hasMomentText, useInitialFocus } from './focus-moment-box.ts'
import { MomentBox, MomentBoxSkeleton } from './moment-box.tsx'
import { useChosenKeeper } from './use-chosen-keeper.ts'

const SavedMomentPanel = lazyComponent(async () => (await import('#web/first-steps/saved-moment.tsx')).SavedMomentPanel)
const ProposalsWaiting = lazyComponent(
  async () => (await import('#web/keepers/shelf/proposals-waiting.tsx')).ProposalsWaiting,
)
const FirstSteps = lazyComponent(
  async () => (await import('#web/first-steps/first-steps.tsx')).FirstSteps,
  <div className="mb-6">
    <ReservedHeight name="first-steps" isLoading initialClassName="h-[3.125rem] phone:h-[100px]" />
  </div>,
)

export function RootDashboardPage() {
  const { pathname, search } = useLocation()
  const { user, access } = useAuth()
  const [savedMoment, setSavedMoment] = useState<SavedMoment>()
  const keepersQuery = useKeepers()
  const waitingQuery = useWaiting()
  const stepsQuery = useQuery(firstStepsQuery)
  const { data: firstSteps } = stepsQuery
  // The first steps stay mounted to say that they are finished.
  const [hadFirstSteps, setHadFirstSteps] = useState(false)
  if (areFirstStepsVisible(firstSteps) && !hadFirstSteps) setHadFirstSteps(true)
  const retiringModels = useRetiringModels()
  const domainItems = useDomainItems(user?.id ?? '')
  const { data: keepers } = keepersQuery
  const { keeper, writableKeepers, choose } = useChosenKeeper(keepers)
  const [previousKeeper, setPreviousKeeper] = useState<Keeper>()
  useInitialFocus(useSearchParams()[0].has('first-steps'))
  const requestedTab = getRequestedTab(pathname, search)
  // Rendered together, so that nothing moves when one of them loads later, and deferred like a `useDeferredQuery`.
  // A retry keeps the page.
  const arePending = [keepersQuery, waitingQuery, stepsQuery].some(
    ({ isPending, errorUpdateCount }) => isPending && errorUpdateCount === 0,
  )
  const isLoading = useDeferredValue(arePending) || arePending

  function chooseKeeper(id: string) {
    setPreviousKeeper(hasMomentText() ? keeper : undefined)
    choose(id)
  }
  function handleSaved(moment: SavedMoment) {
    const canAskKip = areFirstStepsVisible(firstSteps) && !firstSteps?.done.includes('answer')
    if (moment.isFirst || (canAskKip && moment.state === 'sent')) setSavedMoment(moment)
  }
  return (
    <>
      {requestedTab === 'domain' && <PendingInvitation user={user} domains={access?.domains} />}
      <HomeHeader>
        {isLoading ? (
          <div className="w-full desk:hidden phone:h-[2.625rem]" />
        ) : (
          keeper && <KeeperChooser keeper={keeper} keepers={writableKeepers} onChoose={chooseKeeper} />
        )}
      </HomeHeader>
      {isLoading ? (
        <>
          <MomentBoxSkeleton />
          <RootKeepersSkeleton />
        </>
      ) : (
        <>
          <MomentBox keepers={keepers} keeper={keeper} onRetry={() => keepersQuery.refetch()} onSaved={handleSaved} />
          {previousKeeper && previousKeeper.id !== keeper?.id && (
            <p role="status" className="-mt-3 mb-6 text-small text-muted-foreground">
              Your draft stays in {previousKeeper.title}.{' '}
              <button type="button" onClick={() => chooseKeeper(previousKeeper.id)} className={quietLinkClasses}>
                Go back to it
              </button>
            </p>
          )}
          {savedMoment && <SavedMomentPanel savedMoment={savedMoment} />}
          {hadFirstSteps && (
            <ReservedHeight name="first-steps" isLoading={false}>
              <FirstSteps data={firstSteps} onWrite={focusMomentBox} />
            </ReservedHeight>
          )}
          <RootKeepers query={keepersQuery} />
          {waitingQuery.data ? (
            <WaitingForYou
              summary={waitingQuery.data}
              extraItems={[...domainItems, ...retiringModels.map(getWaitingItem)]}
            />
          ) : (
            keepers && <WaitingLoadError busy={waitingQuery.isFetching} onRetry={() => waitingQuery.refetch()} />
          )}
          <ProposalsWaiting />
          <PlatformLinks permissions={access?.permissions} />
        </>
      )}
      {(requestedTab || !isLoading) && <AccountSection personId={user?.id ?? ''} requestedTab={requestedTab} />}
    </>
  )
}

/** The document keeps its fixed title, which screen readers hear before the date. */
function HomeHeader({ children }: { children?: ReactNode }) {
  return (
    <header className="mb-3 flex max-w-[788px] flex-wrap items-center gap-x-4 gap-y-2">
      <h1 className="min-w-0 flex-1 basis-72">
        <span data-title className="sr-only">
          Root Dashboard
        </span>{' '}
        {formatDayOfYear(useToday())}
      </h1>
      {children}
    </header>
  )
}

interface KeeperChooserProps {
  keeper: Keeper
  keepers: readonly Keeper[]
  onChoose: (id: string) => void
}

function KeeperChooser({ keeper, keepers, onChoose }: KeeperChooserProps) {
  return (
    <div className="flex min-w-0 items-center gap-2.5 phone:min-h-[2.625rem] phone:w-full">
      <Cover seed={keeper.id} width={24} height={32} />
      {keepers.length === 1 ? (
        <span className="min-w-0 truncate text-ui text-muted-foreground">
          <span className="sr-only">You’re writing in </span>
          {keeper.title}
        </span>
      ) : (
        <SelectField
          label="Write in"
          labelHidden
          value={keeper.id}
          onChange={(event) => onChoose(event.currentTarget.value)}
          options={keepers.map(({ id, title }) => ({ value: id, label: title }))}
          className="w-56 phone:w-auto phone:flex-1"
        />
      )}
    </div>
  )
}

const platformPages: { title: string; to: string; permission: Permission }[] = [
  { title: 'Platform users', to: '/admin/users', permission: 'manage_users' },
  { title: 'Platform roles', to: '/admin/roles', permission: 'access_admin_pages' },
  { title: 'Domains', to: '/admin/domains', permission: 'manage_domains' },
  { title: 'Audit log', to: '/admin/audit', permission: 'manage_users' },
]

/** Renders nothing without one of the permissions. */
function PlatformLinks({ permissions }: { permissions: readonly Permission[] | undefined }) {
  const visiblePages = platformPages.filter(({ permission }) => permissions?.includes(permission))
  if (visiblePages.length === 0) return null
  return (
    <nav
      aria-labelledby="platform-links"
      className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-1 text-small text-muted-foreground"
    >
      <h2 id="platform-links" className="font-sans text-small font-normal tracking-normal phone:w-full">
        You run this platform
      </h2>
      {visiblePages.map(({ title, to }) => (
        <Link key={to} to={to} className={quietLinkClasses}>
          {title}
        </Link>
      ))}
    </nav>
  )
}

const JoinAnswer = lazyComponent(async () => (await import('./join-answer.tsx')).JoinAnswer)

const staleMs = 5 * 60_000

/** Domains this person was added to, and those whose custom domain isn't verified yet. */
function useDomainItems(personId: string): WaitingItem[] {
  const { access } = useAuth()
  const isManager = access?.permissions.includes('manage_domains') ?? false
  const { data: managedDomains } = useQuery({
    queryKey: [...domainsKey, 'managed', 'waiting'],
    queryFn: ({ signal }) => call(domains.all, { query: {}, signal }),
    enabled: isManager,
    staleTime: staleMs,
    retry: false,
  })
  const myDomains = access?.domains ?? []
  const invitations = myDomains
    .filter(({ agreed }) => agreed === false)
    .map((domain) => ({
      id: `join ${domain.id}`,
      title: domain.name,
      text: 'You were added to this domain',
      action: <JoinAnswer domain={domain} personId={personId} />,
    }))
  const administeredDomains = myDomains.filter((domain) => canActInDomain(getOwnRole(domain), 'seeCustomDomain'))
  const unverified = (isManager ? (managedDomains ?? []) : administeredDomains).filter(
    ({ customDomain, customDomainVerified }) => customDomain !== null && !customDomainVerified,
  )
  const [first] = unverified
  if (!first) return invitations
  return [
    ...invitations,
    {
      id: 'dns',
      title: unverified.length === 1 ? first.name : 'Domains',
      text: `${pluralize(unverified.length, 'domain needs', 'domains need')} DNS`,
      to: isManager ? '/admin/domains' : `/root/domain?domain=${encodeURIComponent(first.id)}`,
    },
  ]
}
