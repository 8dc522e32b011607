import { BookOpenText, CircleCheck, LayoutPanelLeft, Pencil, Plus, RotateCcw, Users } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { type Journey, journeys, type Path } from '#contract/keepers/journeys.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { call } from '#web/api/api.ts'
import { notifyDeleted } from '#web/offline/notify-deleted.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { PrintButton } from '#web/ui/controls/print-button.tsx'
import { ConfirmDialog } from '#web/ui/overlays/confirm-dialog.tsx'
import { MenuItem } from '#web/ui/overlays/menu.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { BackLink } from '#web/ui/panels/page-header.tsx'
import { Time } from '#web/ui/text/time.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { EntryMenu } from '../entries/entry-menu.tsx'
import { Prose } from '../prose.tsx'
import { SharedMark } from '../shared/shared-mark.tsx'
import { useAttempt } from '../use-attempt.tsx'
import { demoMessage, useKeeperWrite } from '../use-keeper-write.ts'
import { JourneyForm, PathDialog } from './journey-form.tsx'
import { statusLabels, statusTones } from './journey-list.tsx'
import type { JourneyDetails } from './journey-queries.ts'
import { getClosingReflectionPath, getJourneyBoardPath, getStoryPath } from './journey-queries.ts'
import { PathBranch } from './path-branch.tsx'
import { formatMomentName, RiverLine } from './river-line.tsx'
import { saveWaypoints, usePathsWithPendingWrites } from './use-path-writes.ts'
import { attachMoment, detachMoment, planMomentMove } from './waypoint-list.ts'
import { MomentMenu, startDragging } from './waypoint-row.tsx'

const ShareDialog = lazyComponent(async () => (await import('../shared/share-dialog.tsx')).ShareDialog)

interface JourneyViewProps {
  keeper: Keeper
  journey: JourneyDetails
  /** Called with `true` before deletion and `false` if it fails. */
  onDeletingChange: (isDeleting: boolean) => void
  onChanged: () => Promise<unknown>
}

export function JourneyView({ keeper, journey: savedJourney, onDeletingChange, onChanged }: JourneyViewProps) {
  const navigate = useNavigate()
  const isDemo = isDemoKeeper(keeper.id)
  const write = useKeeperWrite(keeper.id)
  const { attempt, banner } = useAttempt()
  const [openDialog, setOpenDialog] = useState<'edit' | 'complete' | 'path' | 'share'>()
  const journey = { ...savedJourney, paths: usePathsWithPendingWrites(keeper.id, savedJourney.paths) }
  const { beads: points } = journey
  const momentsById = new Map(points.map((moment) => [moment.id, moment]))
  const isCompleted = journey.status === 'completed'
  const closeDialog = () => setOpenDialog(undefined)
  const shareTarget = { kind: 'journey' as const, id: journey.id, title: journey.title, keeperId: keeper.id }

  const setMomentAttached = (path: Path, waypointId: string, momentId: string, isAttached: boolean) =>
    void attempt(() =>
      saveWaypoints(write, path, isAttached ? attachMoment(waypointId, momentId) : detachMoment(waypointId, momentId)),
    )
  const moveMoment = (momentId: string, toWaypointId: string, fromWaypointId: string | null) =>
    void attempt(async () => {
      for (const { path, change } of planMomentMove(journey.paths, momentId, toWaypointId, fromWaypointId))
        await saveWaypoints(write, path, change)
    })
  const reactivate = () =>
    attempt(() => write(journeys.update, { params: { id: journey.id }, body: { status: 'active' } }, 'Journey'))

  async function remove() {
    if (isDemo) return void showToast(demoMessage)
    onDeletingChange(true)
    let isDeleted = false
    await attempt(async () => {
      await call(journeys.remove, { params: { id: journey.id } })
      isDeleted = true
      await navigate('?', { replace: true })
      notifyDeleted('Journey', 'journey', journey.id, onChanged)
      await onChanged()
    })
    // After deletion `isDeleting` stays set, so the query never refetches a deleted journey.
    if (!isDeleted) onDeletingChange(false)
  }

  return (
    <article aria-label={journey.title} className="flex min-w-0 flex-col gap-5">
      <header>
        <BackLink to="?" size="small" className="mb-2 -ms-2.5 desk:hidden">
          All journeys
        </BackLink>
        <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
          <div className="min-w-0 flex-1 basis-64">
            <h2 dir="auto" className="wrap-break-word">
              {journey.title}
            </h2>
            <p className="mt-1 flex flex-wrap items-center gap-2 text-small text-muted-foreground">
              <Badge tone={statusTones[journey.status]}>{statusLabels[journey.status]}</Badge>
              {journey.startedOn && (
                <span>
                  From <Time value={`${journey.startedOn}T12:00`} />
                </span>
              )}
              {journey.completedAt ? (
                <span>
                  Completed <Time value={journey.completedAt} />
                </span>
              ) : (
                journey.endsOn && (
                  <span>
                    To <Time value={`${journey.endsOn}T12:00`} />
                  </span>
                )
              )}
              {!journey.aiVisible && <Badge tone="outlined">Not for AI</Badge>}
            </p>
          </div>
          <div data-chrome className="flex flex-wrap gap-2 phone:gap-1.5">
            <LinkButton to={getStoryPath(journey.id)} icon={<BookOpenText aria-hidden size={15} />}>
              Write the story
            </LinkButton>
            <PrintButton iconOnPhone />
            {isCompleted ? (
              <Button icon={<RotateCcw aria-hidden size={15} />} onClick={() => void reactivate()}>
                Resume
              </Button>
            ) : (
              <Button
                variant="primary"
                icon={<CircleCheck aria-hidden size={15} />}
                onClick={() => setOpenDialog('complete')}
              >
                Complete
              </Button>
            )}
            <EntryMenu
              label={`More for ${journey.title}`}
              outlined
              keeperId={keeper.id}
              entity="journey"
              entry={journey}
              history={{
                fields: ['title', 'purpose'],
                onRestore: (body) =>
                  write(journeys.update, { params: { id: journey.id }, body, ifMatch: journey.rev }, 'Journey'),
              }}
              deleteLabel="Delete journey"
              onDelete={remove}
            >
              <MenuItem icon={<Pencil aria-hidden size={15} />} onSelect={() => setOpenDialog('edit')}>
                Edit journey
              </MenuItem>
              <MenuItem
                icon={<LayoutPanelLeft aria-hidden size={15} />}
                onSelect={() => void navigate(getJourneyBoardPath(isDemo ? undefined : journey.id))}
              >
                Open as board
              </MenuItem>
              {!isDemo && (
                <MenuItem icon={<Users aria-hidden size={15} />} onSelect={() => setOpenDialog('share')}>
                  Share with members
                </MenuItem>
              )}
            </EntryMenu>
          </div>
        </div>
        <p className="mt-1 empty:hidden">
          <SharedMark target={shareTarget} />
        </p>
        <Prose text={journey.purpose} className="mt-3 max-w-[42rem]" />
      </header>
      {banner}
      <RiverLine
        journey={journey}
        renderMoment={(moment, dot) => (
          <MomentMenu
            keeperId={keeper.id}
            momentId={moment.id}
            moment={moment}
            paths={journey.paths}
            onAttachedChange={(path, waypointId, isAttached) =>
              setMomentAttached(path, waypointId, moment.id, isAttached)
            }
            trigger={
              <button
                type="button"
                draggable
                onDragStart={(event) => startDragging(event, { momentId: moment.id, fromWaypointId: null })}
                title={formatMomentName(moment)}
                aria-label={formatMomentName(moment)}
                className="group grid size-8 cursor-grab place-items-center rounded-full"
              >
                {dot}
              </button>
            }
          />
        )}
      />
      {journey.paths.map((path) => (
        <PathBranch
          key={path.id}
          keeper={keeper}
          journey={journey}
          path={path}
          momentsById={momentsById}
          attempt={attempt}
          onAttachedChange={setMomentAttached}
          onMomentDrop={moveMoment}
          onChanged={onChanged}
        />
      ))}
      <div>
        <Button icon={<Plus aria-hidden size={15} />} onClick={() => setOpenDialog('path')}>
          Add a path
        </Button>
      </div>
      {openDialog === 'edit' && <JourneyForm keeperId={keeper.id} journey={journey} onClose={closeDialog} />}
      {openDialog === 'complete' && <CompleteDialog journey={journey} onClose={closeDialog} />}
      {openDialog === 'share' && <ShareDialog target={shareTarget} onClose={closeDialog} />}
      {openDialog === 'path' && <PathDialog keeperId={keeper.id} journeyId={journey.id} onClose={closeDialog} />}
    </article>
  )
}

function CompleteDialog({ journey, onClose }: { journey: Journey; onClose: () => void }) {
  const write = useKeeperWrite(journey.keeperId)
  const navigate = useNavigate()
  const [startsReflection, setStartsReflection] = useState(true)

  async function complete() {
    const body = { reflect: startsReflection }
    const sendResult = await write(journeys.complete, { params: { id: journey.id }, body }, 'Journey')
    if (sendResult?.state === 'sent' && sendResult.answer.reflectionId)
      await navigate(getClosingReflectionPath(journey.keeperId, sendResult.answer.reflectionId))
  }

  return (
    <ConfirmDialog
      open
      tone="primary"
      onOpenChange={(open) => !open && onClose()}
      title={withNames`Complete ${journey.title}?`}
      confirmLabel="Complete journey"
      busyLabel="Completing..."
      onConfirm={complete}
    >
      <p className="mb-3">Its paths and moments stay as they are. You can resume the journey later.</p>
      <Checkbox
        checked={startsReflection}
        onCheckedChange={setStartsReflection}
        label="Start a closing reflection"
        help="The reflection starts by quoting your waypoints, and you continue from there."
      />
    </ConfirmDialog>
  )
}
