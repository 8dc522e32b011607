import { ConflictDialog } from '#web/offline/conflict-dialog.tsx'
import { Button } from '#web/ui/button.tsx'
import type { useInPlaceForm } from './use-in-place-form.ts'

interface InPlaceFormFooterProps {
  form: Pick<ReturnType<typeof useInPlaceForm>, 'dirty' | 'busy' | 'saved' | 'failure' | 'discard' | 'conflict'>
  /** For example `This agent`. */
  entityName: string
}

export function InPlaceFormFooter({
  form: { dirty, busy, saved, failure, discard, conflict },
  entityName,
}: InPlaceFormFooterProps) {
  return (
    <>
      {failure && (
        <p role="alert" className="rounded-md bg-destructive-soft px-3 py-2 text-small wrap-break-word">
          {failure}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" size="small" variant="primary" disabled={!dirty} busy={busy} busyLabel="Saving...">
          Save
        </Button>
        {dirty && (
          <Button size="small" variant="plain" disabled={busy} onClick={discard}>
            Discard
          </Button>
        )}
        <span role="status" className="text-small text-success">
          {saved ? 'Saved' : ''}
        </span>
      </div>
      {conflict && (
        <ConflictDialog
          open
          subject={entityName}
          fields={conflict.fields}
          conflictKey={conflict.about}
          onResolve={conflict.resolve}
          onOpenChange={(open) => !open && conflict.close()}
        />
      )}
    </>
  )
}
