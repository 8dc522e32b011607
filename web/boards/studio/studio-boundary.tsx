import { Component, type ErrorInfo, type ReactNode } from 'react'
import { AnchorButton } from '#web/ui/anchor-button.tsx'
import { Spot } from '#web/ui/drawings/spot.tsx'

interface Props {
  /** Identifies the open board; changing it clears the error. */
  place: string
  children: ReactNode
}
interface State {
  reason: Error | null
  place: string
}

/** Contains a crash to the studio; a reload restores the draft. */
export class StudioBoundary extends Component<Props, State> {
  override state: State = { reason: null, place: this.props.place }

  static getDerivedStateFromError(reason: Error): Partial<State> {
    return { reason }
  }
  static getDerivedStateFromProps({ place }: Props, state: State): Partial<State> | null {
    return place === state.place ? null : { reason: null, place }
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
