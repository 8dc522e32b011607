import { type ComponentProps, useId } from 'react'
import { Button } from '../controls/button.tsx'
import { submitOnKey } from '../fields/field-keys.ts'
import { Dialog, type DialogProps } from './dialog.tsx'

interface FormDialogProps extends Omit<DialogProps, 'open' | 'onOpenChange' | 'footer'> {
  /** Called on Escape, the close button and, unless onCancel is set, Cancel. */
  onClose: () => void
  onCancel?: () => void
  form: Omit<ComponentProps<'form'>, 'id' | 'children'>
  submitLabel: string
  busyLabel?: string
  tone?: 'primary' | 'danger'
  busy: boolean
  disabled?: boolean
  locksWhileBusy?: boolean
}

export function FormDialog({
  onClose,
  onCancel = onClose,
  form,
  submitLabel,
  busyLabel,
  tone = 'primary',
  busy,
  disabled,
  locksWhileBusy = false,
  children,
  ...dialog
}: FormDialogProps) {
  const id = useId()
  const isLocked = locksWhileBusy && busy
  return (
    <Dialog
      {...dialog}
      open
      onOpenChange={(next) => !next && !isLocked && onClose()}
      footer={
        <>
          <Button disabled={isLocked} onClick={onCancel}>
            Cancel
          </Button>
          <Button variant={tone} type="submit" form={id} disabled={disabled} busy={busy} busyLabel={busyLabel}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form noValidate onKeyDown={submitOnKey} {...form} id={id}>
        {children}
      </form>
    </Dialog>
  )
}
