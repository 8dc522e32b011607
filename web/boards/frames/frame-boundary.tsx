import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { EntityUnavailable, FrameNotLoaded } from './frame-bodies.ts'

interface FrameBoundaryProps {
  /** New content resets the error. */
  content: unknown
  onTryAgain: () => void
  children: ReactNode
}
interface FrameBoundaryState {
  reason: Error | null
  content: unknown
}

export class FrameBoundary extends Component<FrameBoundaryProps, FrameBoundaryState> {
  override state: FrameBoundaryState = { reason: null, content: this.props.content }

  static getDerivedStateFromError(reason: Error): Partial<FrameBoundaryState> {
    return { reason }
  }
  static getDerivedStateFromProps(
    { content }: FrameBoundaryProps,
    state: FrameBoundaryState,
  ): Partial<FrameBoundaryState> | null {
    return content === state.content ? null : { reason: null, content }
  }

  override componentDidCatch(reason: Error, info: ErrorInfo): void {
    if (!(reason instanceof EntityUnavailable)) console.error('A frame failed', reason, info.componentStack)
  }

  readonly #tryAgain = () => {
    this.props.onTryAgain()
    this.setState({ reason: null })
  }

  override render() {
    const { reason } = this.state
    if (!reason) return this.props.children
    if (reason instanceof EntityUnavailable) return <FrameNote>{reason.message}</FrameNote>
    return (
      <FrameNote>
        {reason instanceof FrameNotLoaded ? 'Failed to load frame.' : 'This frame stopped working.'} The rest of the
        board isn’t affected.
        <Button size="small" className="mt-2.5" onClick={this.#tryAgain}>
          Try Again
        </Button>
      </FrameNote>
    )
  }
}

export const hiddenFromLink = 'This frame isn’t available through a link.'

export function FrameNote({ children }: { children: ReactNode }) {
  return (
    <div className="grid h-full place-content-center justify-items-center px-4 py-3 text-center text-small text-muted-foreground">
      {children}
    </div>
  )
}
