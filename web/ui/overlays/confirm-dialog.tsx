import { AlertDialog } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { Button } from '../controls/button.tsx'
import { classNames } from '../hooks/class-names.ts'
import { dialogPanel } from './dialog.tsx'
import { scrimClasses } from './overlay-classes.ts'
import { useDialogFocus } from './use-dialog-focus.ts'

export interface ConfirmDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: ReactNode
  children: ReactNode
  confirmLabel: string
  busyLabel?: string
  cancelLabel?: string
  tone?: 'danger' | 'primary'
  extraAction?: ReactNode
  /** The dialog stays busy until this settles, then closes. On failure it stays open and says why. */
  onConfirm: () => unknown
  /** Defaults to the message of the failure. */
  formatError?: (reason: unknown) => string
}

export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  children,
  confirmLabel,
  busyLabel,
  cancelLabel = 'Cancel',
  tone = 'danger',
  extraAction,
  onConfirm,
  formatError = getErrorMessage,
}: ConfirmDialogProps) {
  const focus = useDialogFocus()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  if (error && !open) setError(undefined)

  async function confirm() {
    setBusy(true)
    setError(undefined)
    try {
      await onConfirm()
      onOpenChange(false)
    } catch (reason) {
      setError(formatError(reason))
    } finally {
      setBusy(false)
    }
  }

  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !busy && onOpenChange(next)}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={scrimClasses} />
        <AlertDialog.Content {...focus} className={classNames(dialogPanel, 'max-w-[440px] px-[22px] py-5')}>
          <AlertDialog.Title className="text-[20px] leading-[26px]">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-2 mb-4 text-ui">{children}</div>
          </AlertDialog.Description>
          {error && (
            <p role="alert" className="mb-4 text-ui font-medium text-destructive">
              {error}
            </p>
          )}
          <div className="flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button disabled={busy}>{cancelLabel}</Button>
            </AlertDialog.Cancel>
            {extraAction}
            <Button variant={tone} busy={busy} busyLabel={busyLabel} onClick={confirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
