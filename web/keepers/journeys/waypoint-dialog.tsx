import type { Path, Waypoint } from '#contract/keepers/journeys.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { useEntityForm } from '#web/offline/use-entity-form.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import type { KeeperWrite } from '../use-keeper-write.ts'
import { requireTitle } from './path-dialog.tsx'
import { saveWaypoints } from './use-path-writes.ts'
import { updateWaypoint } from './waypoint-list.ts'

interface WaypointDialogProps {
  path: Path
  /** Absent for a new waypoint. */
  waypoint?: Waypoint
  write: KeeperWrite
  onClose: () => void
}

export function WaypointDialog({ path, waypoint, write, onClose }: WaypointDialogProps) {
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
      return saveWaypoints(write, { ...base, rev: rev ?? base.rev }, change, 1)
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
