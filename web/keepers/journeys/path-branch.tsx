import { Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { type JourneyPoint, journeys, type Path, type PathState, type Waypoint } from '#contract/keepers/journeys.ts'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { call } from '#web/api/api.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { notifyDeleted } from '#web/offline/notify-deleted.tsx'
import { useEntityForm } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { MenuItem } from '#web/ui/overlays/menu.tsx'
import { showToast } from '#web/ui/overlays/show-toast.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { EntryMenu } from '../entries/entry-menu.tsx'
import { getPigmentInk } from '../pigments.ts'
import { toPlainExcerpt } from '../reflections/plain-excerpt.ts'
import type { Attempt } from '../use-attempt.tsx'
import { demoMessage, useKeeperWrite } from '../use-keeper-write.ts'
import { PathDialog, requireTitle } from './journey-form.tsx'
import type { JourneyDetails } from './journey-queries.ts'
import { MomentSearchDialog } from './moment-search-dialog.tsx'
import { PathCard } from './path-card.tsx'
import { formatMomentName } from './river-line.tsx'
import { saveWaypoints } from './use-path-writes.ts'
import {
  attachMoment,
  deleteWaypoint,
  detachMoment,
  moveWaypointBy,
  restoreWaypoints,
  setReached,
  updateWaypoint,
  type WaypointChange,
} from './waypoint-list.ts'
import { MoveItems, WaypointRow } from './waypoint-row.tsx'

interface WaypointDialogProps {
  keeperId: string
  path: Path
  /** Absent for a new waypoint. */
  waypoint?: Waypoint
  onClose: () => void
}

function WaypointDialog({ keeperId, path, waypoint, onClose }: WaypointDialogProps) {
  const write = useKeeperWrite(keeperId)
  // A waypoint that was removed elsewhere is added again.
  const toValues = ({ waypoints }: Path) => {
    const { title, note, dueOn } = waypoints.find(({ id }) => id === waypoint?.id) ?? waypoint ?? blankWaypoint
    return { title, note, dueOn: dueOn ?? '' }
  }
  const { field, ...form } = useEntityForm({
    draftKey: waypoint ? `waypoint/${waypoint.id}` : `waypoint/new/${path.id}`,
    subject: 'This waypoint',
    entity: waypoint ? path : null,
    toValues,
    blank: toValues(path),
    validate: requireTitle,
    send(_, { id, rev, values: { title, note, dueOn } }, base = path) {
      const change = updateWaypoint(waypoint?.id ?? id, { title: title.trim(), note, dueOn: dueOn || null })
      return saveWaypoints(write, { ...base, rev: rev ?? base.rev }, change, { maxAttempts: 1 })
    },
    onSaved: onClose,
  })
  return (
    <EntityFormDialog
      form={form}
      onClose={onClose}
      title={waypoint ? 'Edit waypoint' : `Add a waypoint to ${path.title}`}
      saveLabel={waypoint ? 'Save waypoint' : 'Add waypoint'}
      failureTitle="The waypoint couldn’t be saved."
    >
      <TextField label="Title" required maxLength={120} {...field('title')} />
      <TextArea label="Note" serif maxLength={5000} {...field('note')} />
      <TextField label="Due" type="date" className="max-w-48" {...field('dueOn')} />
    </EntityFormDialog>
  )
}

const blankWaypoint = { title: '', note: '', dueOn: null }

const toWaypoints = (value: unknown) => (Array.isArray(value) ? (value as Waypoint[]) : [])

function toHistoryText({ title, waypoints }: Record<string, unknown>): string {
  const waypointTexts = toWaypoints(waypoints).map((waypoint) =>
    [waypoint.title, waypoint.note].filter(Boolean).join('\n'),
  )
  return [String(title ?? ''), ...waypointTexts].join('\n\n')
}

const pathStates = [
  { value: 'taken', label: 'Taken' },
  { value: 'open', label: 'Open' },
  { value: 'not_taken', label: 'Not taken' },
] as const

interface PathBranchProps {
  keeper: Keeper
  journey: JourneyDetails
  path: Path
  momentsById: ReadonlyMap<string, JourneyPoint>
  attempt: Attempt
  onAttachedChange: (path: Path, waypointId: string, momentId: string, isAttached: boolean) => void
  onMomentDrop: (momentId: string, waypointId: string, fromWaypointId: string | null) => void
  onChanged: () => unknown
}

export function PathBranch(props: PathBranchProps) {
  const { keeper, journey, path, momentsById, attempt, onAttachedChange, onMomentDrop, onChanged } = props
  const isDemo = isDemoKeeper(keeper.id)
  const write = useKeeperWrite(keeper.id)
  const [openDialog, setOpenDialog] = useState<'rename' | 'add'>()
  const [editedWaypoint, setEditedWaypoint] = useState<Waypoint>()
  const [pickerWaypointId, setPickerWaypointId] = useState<string>()
  const [optimisticState, setOptimisticState] = useState<PathState>()
  const position = journey.paths.indexOf(path)
  const isNotTaken = path.state === 'not_taken'
  const ink = getPigmentInk(journey.color)
  const pickerWaypoint = path.waypoints.find(({ id }) => id === pickerWaypointId)
  const save = (change: WaypointChange) => attempt(() => saveWaypoints(write, path, change))
  const update = (body: { state?: PathState; position?: number }) =>
    attempt(() => write(journeys.updatePath, { params: { id: path.id }, body }, 'Path'))

  // Also restores waypoints that have been removed since.
  function restoreVersion({ title, waypoints }: Record<string, unknown>) {
    const hasMoment = (momentId: string) => momentsById.has(momentId)
    const body = {
      title: String(title),
      waypoints: restoreWaypoints(toWaypoints(waypoints), path.waypoints, hasMoment),
    }
    return write(journeys.updatePath, { params: { id: path.id }, body, ifMatch: path.rev }, 'Path')
  }

  async function remove() {
    if (isDemo) return void showToast(demoMessage)
    await attempt(async () => {
      await call(journeys.removePath, { params: { id: path.id } })
      notifyDeleted('Path', 'path', path.id, onChanged)
      await onChanged()
    })
  }

  return (
    <PathCard
      path={path}
      controls={
        <>
          <SegmentedControl
            label={`State of ${path.title}`}
            options={pathStates}
            value={optimisticState ?? path.state}
            onValueChange={(state) => {
              setOptimisticState(state)
              void update({ state }).finally(() => setOptimisticState(undefined))
            }}
          />
          <EntryMenu
            label={`More for ${path.title}`}
            keeperId={keeper.id}
            entity="path"
            entry={path}
            history={{ getText: toHistoryText, onRestore: restoreVersion }}
            deleteLabel="Remove path"
            onDelete={remove}
          >
            <MenuItem icon={<Pencil aria-hidden size={15} />} onSelect={() => setOpenDialog('rename')}>
              Rename path
            </MenuItem>
            <MoveItems
              noun="path"
              index={position}
              count={journey.paths.length}
              onMove={(offset) => void update({ position: position + offset })}
            />
          </EntryMenu>
        </>
      }
      note={
        isNotTaken && (
          <p className="mb-2 flex flex-wrap items-center gap-2 text-small text-muted-foreground">
            <Badge tone="outlined">Kept as imagined</Badge> Reopen this path to change its waypoints.
          </p>
        )
      }
      waypoints={path.waypoints.map((waypoint) => (
        <WaypointRow
          key={waypoint.id}
          keeperId={keeper.id}
          path={path}
          paths={journey.paths}
          waypoint={waypoint}
          momentsById={momentsById}
          ink={ink}
          actions={{
            setDone: (isDone) => save(setReached(waypoint.id, isDone ? new Date().toISOString() : null)),
            edit: () => setEditedWaypoint(waypoint),
            pickMoments: () => setPickerWaypointId(waypoint.id),
            move: (offset) => void save(moveWaypointBy(waypoint.id, offset)),
            remove: () => void removeWaypoint(waypoint),
            setMomentAttached: onAttachedChange,
            dropMoment: (momentId, fromWaypointId) => onMomentDrop(momentId, waypoint.id, fromWaypointId),
          }}
        />
      ))}
    >
      {path.waypoints.length === 0 && (
        <p className="py-2 text-muted-foreground">No waypoints yet. A waypoint is a place you want to reach.</p>
      )}
      {!isNotTaken && (
        <Button size="small" variant="plain" icon={<Plus aria-hidden size={14} />} onClick={() => setOpenDialog('add')}>
          Add waypoint
        </Button>
      )}
      {openDialog === 'rename' && (
        <PathDialog keeperId={keeper.id} journeyId={journey.id} path={path} onClose={() => setOpenDialog(undefined)} />
      )}
      {openDialog === 'add' && (
        <WaypointDialog keeperId={keeper.id} path={path} onClose={() => setOpenDialog(undefined)} />
      )}
      {editedWaypoint && (
        <WaypointDialog
          keeperId={keeper.id}
          path={path}
          waypoint={editedWaypoint}
          onClose={() => setEditedWaypoint(undefined)}
        />
      )}
      {pickerWaypoint && (
        <MomentPicker
          keeper={keeper}
          waypoint={pickerWaypoint}
          onAttachedChange={(momentId, isAttached) =>
            save(isAttached ? attachMoment(pickerWaypoint.id, momentId) : detachMoment(pickerWaypoint.id, momentId))
          }
          onClose={() => setPickerWaypointId(undefined)}
        />
      )}
    </PathCard>
  )

  async function removeWaypoint(waypoint: Waypoint) {
    await attempt(async () => {
      await saveWaypoints(write, path, deleteWaypoint(waypoint.id))
      if (isDemo) return
      const index = path.waypoints.indexOf(waypoint)
      const updatedPath = { ...path, rev: path.rev + 1, waypoints: deleteWaypoint(waypoint.id)(path.waypoints) }
      const restoreWaypoint: WaypointChange = (waypoints) => waypoints.toSpliced(index, 0, waypoint)
      void showToast('Waypoint removed', {
        onUndo: () => void attempt(() => saveWaypoints(write, updatedPath, restoreWaypoint)),
      })
    })
  }
}

interface MomentPickerProps {
  keeper: Keeper
  waypoint: Waypoint
  onAttachedChange: (momentId: string, isAttached: boolean) => Promise<void>
  onClose: () => void
}

/** Attaches moments to a waypoint or detaches them; each change is saved immediately. */
function MomentPicker({ keeper, waypoint, onAttachedChange, onClose }: MomentPickerProps) {
  const [savingId, setSavingId] = useState<string>()

  async function setMomentAttached(momentId: string, isAttached: boolean) {
    setSavingId(momentId)
    await onAttachedChange(momentId, isAttached).finally(() => setSavingId(undefined))
  }

  return (
    <MomentSearchDialog
      keeper={keeper}
      title={withNames`Moments at ${waypoint.title}`}
      description="Select the moments that belong to this waypoint."
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
      renderMoment={(moment) => (
        <li key={moment.id} className="border-b border-hairline py-2 last:border-0">
          <Checkbox
            checked={waypoint.momentIds.includes(moment.id)}
            disabled={savingId !== undefined}
            onCheckedChange={(isAttached) => void setMomentAttached(moment.id, isAttached)}
            label={formatMomentName({ ...moment, excerpt: toPlainExcerpt(moment.body) })}
          />
        </li>
      )}
    />
  )
}
