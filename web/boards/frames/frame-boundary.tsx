import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { EntityUnavailable, FrameNotLoaded } from './frame-bodies.ts'

interface Props {
  /** New content resets the error. */
  content: unknown
  onTryAgain: () => void
  children: ReactNode
}
interface State {
  reason: Error | null
  content: unknown
}

/** Contains the errors of one frame. */
export class FrameBoundary extends Component<Props, State> {
  override state: State = { reason: null, content: this.props.content }

  static getDerivedStateFromError(reason: Error): Partial<State> {
    return { reason }
  }
  static getDerivedStateFromProps({ content }: Props, state: State): Partial<State> | null {
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

/** A short message instead of the frame's content. */
export function FrameNote({ children }: { children: ReactNode }) {
  return (
    <div className="grid h-full place-content-center justify-items-center px-4 py-3 text-center text-small text-muted-foreground">
      {children}
    </div>
  )
}
