import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'

interface Props {
  /** A change of place is a new beginning. */
  place: string
  children: ReactNode
}

interface State {
  reason: Error | null
  place: string
}

/** One broken page leaves the rest of the application standing. */
export class PageErrorBoundary extends Component<Props, State> {
  override state: State = { reason: null, place: this.props.place }

  static getDerivedStateFromError(reason: Error): Partial<State> {
    return { reason }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.place === state.place ? null : { reason: null, place: props.place }
  }

  override componentDidCatch(reason: Error, info: ErrorInfo): void {
    console.error('A page failed', reason, info.componentStack)
  }

  override render() {
    const { reason } = this.state
    if (!reason) return this.props.children
    // A file of an older build is gone from the server: only loading the page anew helps.
    const isOld = /dynamically imported module|module script failed/i.test(reason.message)
    return (
      <>
        <h1 className="mb-5">{isOld ? 'Keeper was updated' : 'This page stopped working'}</h1>
        <ErrorPanel
          title={
            isOld ? 'This tab still shows the version before.' : reason.message || 'The page failed to show itself.'
          }
          details={reason.stack}
          action={
            <Button size="small" variant="primary" onClick={() => location.reload()}>
              Reload
            </Button>
          }
        >
          Nothing that was saved is affected.
        </ErrorPanel>
      </>
    )
  }
}
