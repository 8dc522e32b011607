import type { ComponentProps } from 'react'
import type { EntityForm } from '#web/offline/use-entity-form.tsx'
import { onSendKey } from '#web/ui/fields/on-send-key.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { MomentFields } from './moment-fields.tsx'
import type { MomentWriting } from './moment-writing.ts'

interface MomentFormProps
  extends Omit<ComponentProps<typeof MomentFields>, 'value' | 'onValueChange' | 'readOnly' | 'saving'> {
  form: EntityForm<MomentWriting>
  label: string
  canSave: boolean
  className?: string
}

export function MomentForm({ form, label, canSave, className, ...fields }: MomentFormProps) {
  const { values, set, isSaving, ready, failure, conflictDialog } = form
  const save = () => {
    if (canSave) void form.save()
  }
  return (
    <>
      <form
        data-chrome
        aria-label={label}
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
        onKeyDown={onSendKey(save)}
        className={classNames(
          'rounded-[3px_12px_12px_3px] border border-border bg-paper shadow-e2 focus-within:border-input',
          className,
        )}
      >
        <MomentFields {...fields} value={values} onValueChange={set} readOnly={isSaving || !ready} saving={isSaving} />
        {failure !== undefined && (
          <p role="alert" className="px-6 pb-4 text-ui font-medium text-destructive">
            {failure instanceof Error ? failure.message : String(failure)}
          </p>
        )}
      </form>
      {conflictDialog}
    </>
  )
}
