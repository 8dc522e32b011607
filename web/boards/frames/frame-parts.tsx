import type { ReactNode } from 'react'
import { EntityForm } from '#web/offline/entity-form.tsx'
import type { FormState } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'

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

export type Stat = [label: string, value: string | number]

export function FrameStats({ stats, className }: { stats: readonly Stat[]; className?: string }) {
  return (
    <dl className={classNames('flex flex-wrap gap-x-4 gap-y-1', className)}>
      {stats.map(([label, value]) => (
        <div key={label} className="flex items-baseline gap-1.5">
          <dt className="order-last text-micro text-muted-foreground">{label}</dt>
          <dd className="font-serif text-[1rem] leading-5 tabular-nums">
            {typeof value === 'number' ? value.toLocaleString('en-US') : value}
          </dd>
        </div>
      ))}
    </dl>
  )
}
