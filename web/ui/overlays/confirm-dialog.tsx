import { AlertDialog } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { getErrorMessage } from '#web/ui/text/error-message.ts'
import { Button } from '../controls/button.tsx'
import { classNames } from '../hooks/class-names.ts'
import { dialogPanel } from './dialog.tsx'
import { scrimClasses } from './overlay-classes.ts'
import { useDialogFocus } from './use-dialog-focus.ts'

interface ConfirmDialogProps {
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
  const [isBusy, setBusy] = useState(false)
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
    <AlertFrame
      open={open}
      onOpenChange={(next) => !isBusy && onOpenChange(next)}
      title={title}
      description={children}
      error={error}
      actions={
        <>
          <AlertDialog.Cancel asChild>
            <Button disabled={isBusy}>{cancelLabel}</Button>
          </AlertDialog.Cancel>
          {extraAction}
          <Button variant={tone} busy={isBusy} busyLabel={busyLabel} onClick={confirm}>
            {confirmLabel}
          </Button>
        </>
      }
    />
  )
}

interface AlertFrameProps extends Pick<ConfirmDialogProps, 'open' | 'onOpenChange' | 'title'> {
  description: ReactNode
  error?: string | undefined
  actions: ReactNode
}

/** A dialog that a click outside it doesn't close. */
function AlertFrame({ open, onOpenChange, title, description, error, actions }: AlertFrameProps) {
  const focus = useDialogFocus()
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={scrimClasses} />
        <AlertDialog.Content
          {...focus}
          {...(description ? {} : { 'aria-describedby': undefined })}
          className={classNames(dialogPanel, 'max-w-[440px] px-[22px] py-5')}
        >
          <AlertDialog.Title dir="auto" className="text-[1.25rem] leading-[1.625rem]">
            {title}
          </AlertDialog.Title>
          {description && (
            <AlertDialog.Description asChild>
              <div className="mt-2 text-ui">{description}</div>
            </AlertDialog.Description>
          )}
          {error && (
            <p role="alert" className="mt-4 text-ui font-medium text-destructive">
              {error}
            </p>
          )}
          <div className="mt-4 flex flex-wrap justify-end gap-2">{actions}</div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

interface MessageDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  message: ReactNode
  children?: ReactNode
}

export function MessageDialog({ open, onOpenChange, message, children }: MessageDialogProps) {
  return (
    <AlertFrame
      open={open}
      onOpenChange={onOpenChange}
      title={message}
      description={children && <div className="text-muted-foreground">{children}</div>}
      actions={
        <AlertDialog.Cancel asChild>
          <Button variant="primary">OK</Button>
        </AlertDialog.Cancel>
      }
    />
  )
}
