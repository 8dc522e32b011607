import type { ReactNode } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { ErrorBoundary } from '#web/ui/panels/error-boundary.tsx'
import { FrameNotLoaded } from './frame-bodies.ts'

interface FrameBoundaryProps {
  /** New content resets the error. */
  content: unknown
  onTryAgain: () => void
  children: ReactNode
}

export function FrameBoundary({ content, onTryAgain, children }: FrameBoundaryProps) {
  return (
    <ErrorBoundary
      resetKey={content}
      onError={(reason, info) => console.error('A frame failed', reason, info.componentStack)}
      renderFallback={(reason, reset) => (
        <FrameNote>
          {reason instanceof FrameNotLoaded ? 'Failed to load frame.' : 'This frame stopped working.'} The rest of the
          board isn’t affected.
          <Button
            size="small"
            className="mt-2.5"
            onClick={() => {
              onTryAgain()
              reset()
            }}
          >
            Try Again
          </Button>
        </FrameNote>
      )}
    >
      {children}
    </ErrorBoundary>
  )
}

export const unavailableByLinkText = 'This frame isn’t available through a link.'

export function FrameNote({ children }: { children: ReactNode }) {
  return (
    <div className="grid h-full place-content-center justify-items-center px-4 py-3 text-center text-small text-muted-foreground">
      {children}
    </div>
  )
}
