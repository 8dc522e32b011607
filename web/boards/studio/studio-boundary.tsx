import { Component, type ErrorInfo, type ReactNode } from 'react'
import { AnchorButton } from '#web/ui/controls/anchor-button.tsx'
import { Spot } from '#web/ui/drawings/spot.tsx'

interface StudioBoundaryProps {
  /** Identifies the open board; changing it clears the error. */
  boardKey: string
  children: ReactNode
}
interface StudioBoundaryState {
  reason: Error | null
  boardKey: string
}

/** Contains a crash to the studio; a reload restores the draft. */
export class StudioBoundary extends Component<StudioBoundaryProps, StudioBoundaryState> {
  override state: StudioBoundaryState = { reason: null, boardKey: this.props.boardKey }

  static getDerivedStateFromError(reason: Error): Partial<StudioBoundaryState> {
    return { reason }
  }
  static getDerivedStateFromProps(
    { boardKey }: StudioBoundaryProps,
    state: StudioBoundaryState,
  ): Partial<StudioBoundaryState> | null {
    return boardKey === state.boardKey ? null : { reason: null, boardKey }
  }

  override componentDidCatch(reason: Error, info: ErrorInfo): void {
    console.error('Board Studio failed', reason, info.componentStack)
  }

  override render() {
    if (!this.state.reason) return this.props.children
    return (
      <div role="alert" className="flex flex-col items-center gap-3 px-6 py-16 text-center">
        <Spot name="lamp" width={128} />
        <h1 className="text-h2">Board Studio recovered from an error</h1>
        <p className="max-w-[32em] text-ui text-muted-foreground">
          Saved work isn’t affected, and unsaved changes are stored in this browser.
        </p>
        <AnchorButton href={location.pathname + location.search} variant="primary">
          Reload Board Studio
        </AnchorButton>
      </div>
    )
  }
}
