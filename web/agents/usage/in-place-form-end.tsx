import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'

export interface InPlaceFormEndProps {
  /** What went wrong with the form as a whole. */
  problem: string | undefined
  busy: boolean
  onCancel: () => void
  /** Between Save and Cancel. */
  children: ReactNode
}

/** Below the boxes of a small form that stands in the place of what it changes. */
export function InPlaceFormEnd({ problem, busy, onCancel, children }: InPlaceFormEndProps) {
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
