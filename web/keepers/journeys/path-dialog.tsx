import { journeys, type Path } from '#contract/keepers/journeys.ts'
import { EntityFormDialog } from '#web/offline/entity-form.tsx'
import { useEntityForm } from '#web/offline/use-entity-form.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import type { KeeperWrite } from '../use-keeper-write.ts'

interface PathDialogProps {
  journeyId: string
  /** Absent for a new path. */
  path?: Path
  write: KeeperWrite
  onClose: () => void
}

export const requireTitle = ({ title }: { title: string }): Record<string, string> =>
  title.trim() === '' ? { title: 'Enter a title.' } : {}

export function PathDialog({ journeyId, path, write, onClose }: PathDialogProps) {
  const form = useEntityForm({
    draftKey: path ? `path-title/${path.id}` : `path-title/new/${journeyId}`,
    subject: 'This path',
    entity: path ?? null,
    toValues: ({ title }: Path) => ({ title }),
    blank: { title: '' },
    validate: requireTitle,
    async send({ title = '' }, { id, rev }) {
      const body = { title: title.trim() }
      if (path) return write(journeys.updatePath, { params: { id: path.id }, body, ifMatch: rev ?? 0 }, 'Path')
      return write(journeys.createPath, { params: { id: journeyId }, body: { id, ...body, state: 'open' } }, 'Path')
    },
    onSaved: onClose,
  })
  return (
    <EntityFormDialog
      form={form}
      size="small"
      onClose={onClose}
      title={path ? 'Rename path' : 'Add a path'}
      description={path ? undefined : 'A way this journey could go. A new path starts open: take it, or decide not to.'}
      saveLabel={path ? 'Save path' : 'Add path'}
      failureTitle="The path couldn’t be saved."
    >
      <TextField label="Title" required maxLength={120} {...form.field('title')} />
    </EntityFormDialog>
  )
}
