import type { ReactNode } from 'react'
import { EntityForm } from '#web/offline/entity-form.tsx'
import type { FormState } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'

export function FrameDetailList({ details }: { details: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className="grid gap-2.5 text-ui">
      {details.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-small text-muted-foreground">{label}</dt>
          <dd className="wrap-break-word">{value || '–'}</dd>
        </div>
      ))}
    </dl>
  )
}

interface InPlaceFormProps {
  form: FormState
  children: ReactNode
}

/** A form on a board: saving needs a change, and discarding it leaves the form open. */
export function InPlaceForm({ form, children }: InPlaceFormProps) {
  const { isDirty, isSaved, isSaving, discard } = form
  return (
    <EntityForm
      form={form}
      className="flex flex-col gap-3"
      saveLabel="Save"
      size="small"
      failureTitle="Failed to update frame"
      disabled={!isDirty}
      note={
        <>
          {isDirty && (
            <Button size="small" variant="plain" disabled={isSaving} onClick={discard}>
              Discard
            </Button>
          )}
          <span role="status" className="text-small text-success">
            {isSaved ? 'Saved' : ''}
          </span>
        </>
      }
    >
      {children}
    </EntityForm>
  )
}
