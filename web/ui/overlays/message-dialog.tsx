import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { classNames } from '../hooks/class-names.ts'
import { dialogPanel } from './dialog.tsx'
import { scrimClasses } from './overlay-classes.ts'
import { useDialogFocus } from './use-dialog-focus.ts'

export interface MessageDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  message: ReactNode
  children?: ReactNode
  closeLabel?: string
}

export function MessageDialog({ open, onOpenChange, message, children, closeLabel = 'OK' }: MessageDialogProps) {
  const focus = useDialogFocus()
  return (
    <AlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={scrimClasses} />
        <AlertDialog.Content
          {...focus}
          {...(children ? {} : { 'aria-describedby': undefined })}
          className={classNames(dialogPanel, 'max-w-[440px] px-[22px] py-5')}
        >
          <AlertDialog.Title className="text-[20px] leading-[26px]">{message}</AlertDialog.Title>
          {children && (
            <AlertDialog.Description asChild>
              <div className="mt-2 text-ui text-muted-foreground">{children}</div>
            </AlertDialog.Description>
          )}
          <div className="mt-4 flex justify-end">
            <AlertDialog.Cancel asChild>
              <Button variant="primary">{closeLabel}</Button>
            </AlertDialog.Cancel>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
