import type { ComponentProps, ReactNode } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { focusFirstField, focusFirstInvalid } from '#web/ui/fields/field.tsx'
import { submitOnKey } from '#web/ui/fields/field-keys.ts'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { FormDialog } from '#web/ui/overlays/form-dialog.tsx'
import { WriteError } from '#web/ui/panels/write-error.tsx'
import { type FormState, getFailureDetail } from './use-entity-form.tsx'

interface FormContentProps {
  form: FormState
  saveLabel: string
  /** Starts the message of a failed save: `Failed to update domain`. */
  failureTitle: string
  /** Adds Try again to the message. */
  offersRetry?: boolean
  disabled?: boolean
  children: ReactNode
}

interface EntityFormProps extends FormContentProps, Omit<ComponentProps<'form'>, 'children' | 'onSubmit'> {
  /** Called after the draft is discarded. */
  onCancel?: () => void
  size?: 'small' | 'medium'
  /** Puts the buttons at the end of the line, Cancel first. */
  endButtons?: boolean
  buttonsClassName?: string
  /** Next to the buttons. */
  note?: ReactNode
}

export function EntityForm(props: EntityFormProps) {
  const {
    form,
    saveLabel,
    failureTitle,
    offersRetry,
    disabled,
    onCancel,
    size,
    endButtons = false,
    buttonsClassName,
    note,
    children,
    ...formProps
  } = props
  const cancelButton = onCancel && (
    <Button
      variant={endButtons ? 'plain' : 'outline'}
      disabled={form.isSaving}
      onClick={() => {
        form.discard()
        onCancel()
      }}
    >
      Cancel
    </Button>
  )
  return (
    <>
      <form
        noValidate
        onKeyDown={submitOnKey}
        className="flex min-w-0 flex-col gap-4"
        {...formProps}
        {...getSubmitProps(form)}
      >
        <FormContent form={form} failureTitle={failureTitle} offersRetry={offersRetry}>
          {children}
        </FormContent>
        <div className={classNames('flex flex-wrap items-center gap-2', endButtons && 'justify-end', buttonsClassName)}>
          {endButtons && cancelButton}
          <Button
            type="submit"
            variant="primary"
            size={size}
            disabled={disabled}
            busy={form.isSaving}
            busyLabel="Saving..."
          >
            {saveLabel}
          </Button>
          {!endButtons && cancelButton}
          {note}
        </div>
      </form>
      {form.conflictDialog}
    </>
  )
}

interface EntityFormDialogProps
  extends FormContentProps,
    Pick<
      ComponentProps<typeof FormDialog>,
      'title' | 'description' | 'size' | 'busyLabel' | 'tone' | 'locksWhileBusy'
    > {
  'aria-label'?: string
  /** Keeps the draft. */
  onClose: () => void
  discardsOnCancel?: boolean
}

export function EntityFormDialog(props: EntityFormDialogProps) {
  const {
    form,
    saveLabel,
    failureTitle,
    offersRetry,
    disabled = false,
    onClose,
    discardsOnCancel,
    children,
    ...otherProps
  } = props
  const { 'aria-label': label, ...dialogProps } = otherProps
  function discard() {
    form.discard()
    onClose()
  }
  return (
    <>
      <FormDialog
        busyLabel="Saving..."
        {...dialogProps}
        onClose={onClose}
        {...(discardsOnCancel && { onCancel: discard })}
        onOpenAutoFocus={focusFirstField}
        form={{ ...getSubmitProps(form), 'aria-label': label, className: 'flex flex-col gap-4' }}
        submitLabel={saveLabel}
        busy={form.isSaving}
        disabled={disabled}
      >
        <FormContent form={form} failureTitle={failureTitle} offersRetry={offersRetry}>
          {children}
        </FormContent>
      </FormDialog>
      {form.conflictDialog}
    </>
  )
}

function FormContent({ form, failureTitle, offersRetry, children }: Omit<FormContentProps, 'saveLabel'>) {
  return (
    <>
      <ReadOnlyWhile while={form.isSaving}>{children}</ReadOnlyWhile>
      {form.failure !== undefined && (
        <WriteError
          title={failureTitle}
          serverMessage={getFailureDetail(form.failure, Object.keys(form.values))}
          {...(offersRetry && { onRetry: form.save })}
        />
      )}
    </>
  )
}

const getSubmitProps = (form: FormContentProps['form']): Pick<ComponentProps<'form'>, 'onSubmit'> => ({
  onSubmit: (event) => {
    event.preventDefault()
    const element = event.currentTarget
    void form.save().then(() => focusFirstInvalid(element))
  },
})

export function DraftRestoredNote() {
  return <p className="text-small text-muted-foreground">Draft restored.</p>
}
