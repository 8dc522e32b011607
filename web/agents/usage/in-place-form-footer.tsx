import type { ReactNode } from 'react'
import { Button } from '#web/ui/controls/button.tsx'

export interface InPlaceFormFooterProps {
  problem: string | undefined
  busy: boolean
  onCancel: () => void
  children: ReactNode
}

export function InPlaceFormFooter({ problem, busy, onCancel, children }: InPlaceFormFooterProps) {
  return (
    <>
      {problem !== undefined && (
        <p role="alert" className="mt-2 text-small font-medium text-destructive">
          {problem}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" size="small" variant="primary" busy={busy}>
          Save
        </Button>
        {children}
        <Button size="small" variant="plain" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  )
}
