import { type ComponentProps, useId } from 'react'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'
import { onSubmitKey } from './on-send-key.ts'

interface FormDialogProps extends Omit<DialogProps, 'open' | 'onOpenChange' | 'footer'> {
  open?: boolean
  /** By Escape and the cross, and by Cancel where nothing else is said. */
  onClose: () => void
  /** Cancel, where it throws away what was typed. */
  onCancel?: () => void
  form: Omit<ComponentProps<'form'>, 'id' | 'children'>
  /** The verb: 'Add path'. */
  submitLabel: string
  busyLabel?: string
  tone?: 'primary' | 'danger'
  busy: boolean
  /** Something is missing that it needs. */
  disabled?: boolean
  /** It cannot be left while it is being sent. */
  stays?: boolean
}

/** A dialog that is a form: its fields, and below them Cancel and the verb. */
export function FormDialog({
  open = true,
  onClose,
  onCancel = onClose,
  form,
  submitLabel,
  busyLabel,
  tone = 'primary',
  busy,
  disabled,
  stays = false,
  children,
  ...dialog
}: FormDialogProps) {
  const id = useId()
  const isHeld = stays && busy
  return (
    <Dialog
      {...dialog}
      open={open}
      onOpenChange={(next) => !next && !isHeld && onClose()}
      footer={
        <>
          <Button disabled={isHeld} onClick={onCancel}>
            Cancel
          </Button>
          <Button variant={tone} type="submit" form={id} disabled={disabled} busy={busy} busyLabel={busyLabel}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form noValidate onKeyDown={onSubmitKey} {...form} id={id}>
        {children}
      </form>
    </Dialog>
  )
}
