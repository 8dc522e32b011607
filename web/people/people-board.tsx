import { UserPlus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import type { DomainPerson } from '#contract/domains/people.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { type Board, personOf, shownPeople } from './board.ts'
import { useBoardAddress } from './board-address.ts'
import { BoardBar } from './board-bar.tsx'
import { BoardSummary } from './board-summary.tsx'
import { PeopleCanvas } from './canvas/people-canvas.tsx'
import { ExportMenu } from './export/export-menu.tsx'
import { FeaturePanel } from './feature-panel.tsx'
import { PersonPanel } from './person-panel.tsx'
import { useRoleChanges } from './use-role-changes.ts'
import { ActivityFeed } from './views/activity-feed.tsx'
import { CollaborationNetwork } from './views/collaboration-network.tsx'
import { PeopleOverview } from './views/people-overview.tsx'
import { ProcessWorkflow } from './views/process-workflow.tsx'
import { RoleManager } from './views/role-manager.tsx'
import { type Inviting, PeopleWizard } from './wizard/people-wizard.tsx'

interface PeopleBoardProps {
  board: Board
  inviting: Inviting
}

export function PeopleBoard({ board, inviting }: PeopleBoardProps) {
  const { go, ...address } = useBoardAddress()
  const { view, filter, domainId } = address
  const [done, setDone] = useState<{ text: string; at: number }>()
  const tellDone = (text: string) => setDone({ text, at: Date.now() })
  const roles = useRoleChanges(board.people, {
    onDone: () => tellDone('Member role updated'),
    takesUndoKey: true,
  })
  const [refused, setRefused] = useState<string>()
  const [sampleId, setSampleId] = useState<string | null>(null)
  const personId = board.samples ? sampleId : address.personId
  const shown = shownPeople(roles.people, filter)
  const person = personOf(roles.people, personId)
  const scoped = domainId ? board.domains.filter(({ id }) => id === domainId) : board.domains
  const mayManage = scoped.some((domain) => domain.mayManage)
  const choose = (id: string | null) => (board.samples ? setSampleId(id) : go({ personId: id }))
  const open = ({ id }: DomainPerson) => choose(id)
  const failure = roles.failure ?? refused
  const inScope: Board = { ...board, people: roles.people, domains: scoped.length > 0 ? scoped : board.domains }

  const notice = failure ? (
    <Banner
      key={failure}
      tone="error"
      className="mb-4"
      onDismiss={() => {
        setRefused(undefined)
        roles.dismissFailure()
      }}
    >
      {failure}
    </Banner>
  ) : (
    done && (
      <Banner key={done.at} tone="success" className="shadow-e2" onDismiss={() => setDone(undefined)}>
        {done.text}
      </Banner>
    )
  )

  // A later successful change clears an older refusal.
  useEffect(() => {
    if (roles.said) setRefused(undefined)
  }, [roles.said])

  return (
    <>
      <PageHeader
        title="People Management"
        sub="The people in your domains, their roles and pending invitations."
        actions={
          mayManage && (
            <>
              <ExportMenu board={board} people={shown} onFailed={setRefused} />
              <Button
                variant="primary"
                icon={<UserPlus aria-hidden size={15} />}
                onClick={() => go({ view: 'wizard' })}
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
        <div className="pointer-events-none sticky top-2 z-20 flex h-0 justify-center phone:top-[60px]">{notice}</div>
      )}
      <BoardSummary summary={board.summary} />
      {failure && !person && notice}
      {!board.samples && personId && !person && (
        <Banner tone="warning" className="mb-4" onDismiss={() => choose(null)}>
          This person isn’t among the people shown here.
        </Banner>
      )}
      <div className="grid grid-cols-[190px_minmax(0,1fr)] gap-6 phone:grid-cols-1 phone:gap-4">
        <FeaturePanel view={view} onView={(next) => go({ view: next })} />
        <div className="min-w-0">
          <BoardBar address={address} go={go} domains={board.domains} shown={shown} all={roles.people} />
          <div key={view} className="animate-fade">
            {shown.length === 0 && ['canvas', 'overview', 'roles'].includes(view) ? (
              <EmptyPanel
                drawing="letter"
                title={filter === 'pending' ? 'No pending people' : 'No people'}
                action={<Button onClick={() => go({ filter: 'all' })}>Show All People</Button>}
              >
                {filter === 'pending'
                  ? 'People you’ve added or invited appear here until they join.'
                  : 'No people match.'}
              </EmptyPanel>
            ) : view === 'canvas' ? (
              <PeopleCanvas
                board={inScope}
                people={shown}
                chosenId={person?.id ?? null}
                onOpen={open}
                onRole={roles.change}
                onRefused={setRefused}
              />
            ) : view === 'overview' ? (
              <PeopleOverview people={shown} chosenId={person?.id ?? null} onOpen={open} />
            ) : view === 'roles' ? (
              <RoleManager people={shown} onOpen={open} onRole={roles.change} />
            ) : view === 'network' ? (
              <CollaborationNetwork board={inScope} people={shown} onOpen={open} />
            ) : view === 'activity' ? (
              <ActivityFeed board={inScope} />
            ) : view === 'workflow' ? (
              <ProcessWorkflow board={inScope} />
            ) : (
              <PeopleWizard board={board} domainId={domainId} inviting={inviting} />
            )}
          </div>
        </div>
      </div>
      {person && (
        <PersonPanel
          person={person}
          board={inScope}
          notice={notice}
          onClose={() => choose(null)}
          onRole={roles.change}
          onRemoved={() => {
            choose(null)
            tellDone('Member removed successfully')
          }}
        />
      )}
      <p aria-live="polite" className="sr-only">
        {roles.said}
      </p>
    </>
  )
}
