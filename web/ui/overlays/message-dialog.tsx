import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import { Button } from '../controls/button.tsx'
import { AlertFrame } from './confirm-dialog.tsx'

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
