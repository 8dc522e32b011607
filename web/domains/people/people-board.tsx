import { UserPlus, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import type { DomainPeople, DomainPerson } from '#contract/domains/people.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { useActiveInView } from '#web/ui/hooks/use-active-in-view.ts'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { StatTile } from '#web/ui/panels/stat-tile.tsx'
import { PeopleCanvas } from './canvas/people-canvas.tsx'
import { PeopleExportMenu } from './export/export-menu.tsx'
import {
  filterPeople,
  findPerson,
  type PeopleBoardData,
  type PeopleBoardDomain,
  type PeopleBoardRoute,
  type PeopleBoardView,
  type PeopleFilter,
  peopleBoardViews,
  usePeopleBoardRoute,
} from './people-board-data.ts'
import { PersonPanel } from './person-panel.tsx'
import { useRoleChanges } from './use-role-changes.ts'
import { ActivityFeed } from './views/activity-feed.tsx'
import { CollaborationNetwork } from './views/collaboration-network.tsx'
import { DomainChoice } from './views/domain-choice.tsx'
import { PeopleOverview, RoleManager } from './views/people-overview.tsx'
import { ProcessWorkflow } from './views/process-workflow.tsx'
import { PeopleWizard } from './wizard/people-wizard.tsx'

const viewLabels: Record<PeopleBoardView, string> = {
  canvas: 'Canvas Mode',
  wizard: 'Wizard Mode',
  overview: 'People Overview',
  roles: 'Role Manager',
  network: 'Collaboration Network',
  activity: 'Activity Feed',
  workflow: 'Process Workflow',
}

interface FeaturePanelProps {
  view: PeopleBoardView
  onViewChange: (view: PeopleBoardView) => void
}

/** The two modes and the other views in one row, which scrolls where it's too narrow. */
function FeaturePanel({ view, onViewChange }: FeaturePanelProps) {
  const nav = useRef<HTMLElement>(null)
  useActiveInView(nav, '[aria-current]', view)
  return (
    <nav
      ref={nav}
      aria-label="Features"
      data-chrome
      className="mb-4 flex gap-x-5.5 overflow-x-auto border-b border-border text-ui whitespace-nowrap [scrollbar-width:none] phone:-mx-4 phone:mask-x-from-[calc(100%-1rem)] phone:px-4"
    >
      {peopleBoardViews.map((boardView) => (
        <button
          key={boardView}
          type="button"
          aria-current={boardView === view ? 'page' : undefined}
          onClick={() => onViewChange(boardView)}
          className="relative h-9 shrink-0 font-label text-muted-foreground transition-colors duration-120 after:absolute after:inset-x-0 after:bottom-0 after:h-0.5 hover:text-foreground focus-visible:-outline-offset-2 aria-[current]:text-foreground aria-[current]:after:bg-foreground phone:h-10"
        >
          {viewLabels[boardView]}
        </button>
      ))}
    </nav>
  )
}

export function PeopleBoard({ board }: { board: PeopleBoardData }) {
  const { updateRoute, ...route } = usePeopleBoardRoute()
  const { view, filter, domainId } = route
  const successNotice = useNotice('shadow-e2')
  const showSuccess = (text: string) => successNotice.showNotice('success', text)
  const roleChanges = useRoleChanges(board.people, {
    onDone: () => showSuccess('Member role updated'),
    handlesUndoKey: true,
  })
  const [refusal, setRefusal] = useState<string>()
  const [sampleId, setSampleId] = useState<string | null>(null)
  const personId = board.samples ? sampleId : route.personId
  const visiblePeople = filterPeople(roleChanges.people, filter)
  const person = findPerson(roleChanges.people, personId)
  const visibleDomains = domainId ? board.domains.filter(({ id }) => id === domainId) : board.domains
  const canManage = visibleDomains.some((domain) => domain.canManage)
  const choosePerson = (id: string | null) => (board.samples ? setSampleId(id) : updateRoute({ personId: id }))
  const openPerson = ({ id }: DomainPerson) => choosePerson(id)
  const failure = roleChanges.failure ?? refusal
  const visibleBoard: PeopleBoardData = {
    ...board,
    people: roleChanges.people,
    domains: visibleDomains.length > 0 ? visibleDomains : board.domains,
  }

  const notice = failure ? (
    <Banner
      key={failure}
      tone="error"
      className="mb-4"
      onDismiss={() => {
        setRefusal(undefined)
        roleChanges.dismissFailure()
      }}
    >
      {failure}
    </Banner>
  ) : (
    successNotice.noticeBanner
  )

  // A later successful change clears an older refusal.
  useEffect(() => {
    if (roleChanges.announcement) setRefusal(undefined)
  }, [roleChanges.announcement])

  function renderView() {
    if (visiblePeople.length === 0 && ['canvas', 'overview', 'roles'].includes(view))
      return (
        <EmptyPanel
          drawing="letter"
          title={filter === 'pending' ? 'No pending people' : 'No people'}
          action={<Button onClick={() => updateRoute({ filter: 'all' })}>Show All People</Button>}
        >
          {filter === 'pending' ? 'People you’ve added or invited appear here until they join.' : 'No people match.'}
        </EmptyPanel>
      )
    switch (view) {
      case 'canvas':
        return (
          <PeopleCanvas
            board={visibleBoard}
            people={visiblePeople}
            chosenId={person?.id ?? null}
            onOpen={openPerson}
            onRoleChange={roleChanges.changeRole}
            onRefused={setRefusal}
          />
        )
      case 'wizard':
        return <PeopleWizard board={board} domainId={domainId} />
      case 'overview':
        return <PeopleOverview people={visiblePeople} chosenId={person?.id ?? null} onOpen={openPerson} />
      case 'roles':
        return <RoleManager people={visiblePeople} onOpen={openPerson} onRoleChange={roleChanges.changeRole} />
      case 'network':
        return <CollaborationNetwork journeys={visibleBoard.journeys} people={visiblePeople} onOpen={openPerson} />
      case 'activity':
        return <ActivityFeed board={visibleBoard} />
      case 'workflow':
        return <ProcessWorkflow board={visibleBoard} />
    }
  }

  return (
    <>
      <PageHeader
        title="People Management"
        subtitle="The people in your domains, their roles and pending invitations."
        actions={
          canManage && (
            <>
              <PeopleExportMenu board={board} people={visiblePeople} onFailed={setRefusal} />
              <Button
                variant="primary"
                icon={<UserPlus aria-hidden size={15} />}
                onClick={() => updateRoute({ view: 'wizard' })}
              >
                Invite People
              </Button>
            </>
          )
        }
      />
      {board.samples && (
        <Banner tone="info" className="mb-4">
          These are sample people.{' '}
          <Link to="/studio/people-board" className="underline underline-offset-2">
            See your people
          </Link>
        </Banner>
      )}
      {/* Overlays the page, so that cards don't move while one is being dragged. */}
      {!failure && !person && (
        <div className="pointer-events-none sticky top-[calc(var(--header-height)+8px)] z-20 flex h-0 justify-center">
          {notice}
        </div>
      )}
      <BoardSummary summary={board.summary} />
      {failure && !person && notice}
      {!board.samples && personId && !person && (
        <Banner tone="warning" className="mb-4" onDismiss={() => choosePerson(null)}>
          This person isn’t on this board.
        </Banner>
      )}
      <FeaturePanel view={view} onViewChange={(next) => updateRoute({ view: next })} />
      <PeopleBoardBar
        route={route}
        onRouteChange={updateRoute}
        domains={board.domains}
        visiblePeople={visiblePeople}
        allPeople={roleChanges.people}
      />
      <div key={view} className="animate-fade">
        {renderView()}
      </div>
      {person && (
        <PersonPanel
          person={person}
          board={visibleBoard}
          notice={notice}
          onClose={() => choosePerson(null)}
          onRoleChange={roleChanges.changeRole}
          onRemoved={() => {
            choosePerson(null)
            showSuccess('Member removed successfully')
          }}
        />
      )}
      <p aria-live="polite" className="sr-only">
        {roleChanges.announcement}
      </p>
    </>
  )
}

function BoardSummary({ summary }: { summary: DomainPeople['summary'] }) {
  const stats = [
    ['Total', summary.total],
    ['Active', summary.active],
    ['Pending', summary.pending],
    ['Domains', summary.domains],
    ['Journeys', summary.journeys],
  ] as const
  return (
    <section
      aria-label="Summary"
      className="mb-4 grid grid-cols-5 divide-x divide-hairline border-y border-hairline py-3 phone:flex phone:flex-wrap phone:justify-between phone:gap-x-4 phone:gap-y-3 phone:divide-x-0"
    >
      {stats.map(([label, value]) => (
        <StatTile
          key={label}
          label={label}
          value={value.toLocaleString('en-US')}
          className="px-4 first:ps-0 phone:px-0"
        />
      ))}
    </section>
  )
}

const filters: { value: PeopleFilter; label: string }[] = [
  { value: 'all', label: 'All People' },
  { value: 'active', label: 'Active Only' },
  { value: 'pending', label: 'Pending Invites' },
]
interface PeopleBoardBarProps {
  route: PeopleBoardRoute
  onRouteChange: (change: Partial<PeopleBoardRoute>) => void
  domains: readonly PeopleBoardDomain[]
  visiblePeople: readonly DomainPerson[]
  allPeople: readonly DomainPerson[]
}

function PeopleBoardBar({ route, onRouteChange, domains, visiblePeople, allPeople }: PeopleBoardBarProps) {
  const { filter, domainId } = route
  const isFiltered = filter !== 'all' || domainId !== null
  const domain = domains.find(({ id }) => id === domainId)
  const label = filters.find(({ value }) => value === filter)?.label
  const domainSuffix = domain ? ` in ${domain.name}` : ''
  const filterSummary =
    filter === 'all'
      ? `Only people${domainSuffix || ' in one domain'}`
      : `${label}: ${visiblePeople.length} of ${allPeople.length}${domainSuffix}`
  return (
    <div data-chrome className="mb-4">
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label="Show"
          labelHidden
          options={filters}
          value={filter}
          onChange={({ currentTarget }) => onRouteChange({ filter: currentTarget.value as PeopleFilter })}
          className="w-44 phone:w-auto phone:min-w-[130px] phone:flex-1"
        />
        {domains.length > 1 && (
          <DomainChoice
            domains={domains}
            offersAll
            labelHidden
            value={domainId ?? ''}
            onChange={(id) => onRouteChange({ domainId: id || null })}
            className="w-52 phone:w-auto phone:min-w-[130px] phone:flex-1"
          />
        )}
      </div>
      {isFiltered && (
        <div
          role="status"
          className="mt-3 flex min-h-9 flex-wrap items-center gap-x-3 gap-y-1 rounded-md bg-ribbon-soft/60 px-3 py-1 text-ui"
        >
          <span className="min-w-0 flex-1 wrap-break-word">{filterSummary}</span>
          <Button
            size="small"
            variant="plain"
            icon={<X aria-hidden size={13} />}
            onClick={() => onRouteChange({ filter: 'all', domainId: null })}
          >
            Clear Filter
          </Button>
        </div>
      )}
    </div>
  )
}
