import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'

interface PageErrorBoundaryProps {
  /** A change resets the error. */
  resetKey: string
  children: ReactNode
}

interface State {
  reason: Error | null
  resetKey: string
}

export class PageErrorBoundary extends Component<PageErrorBoundaryProps, State> {
  override state: State = { reason: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(reason: Error): Partial<State> {
    return { reason }
  }

  static getDerivedStateFromProps(props: PageErrorBoundaryProps, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { reason: null, resetKey: props.resetKey }
  }

  override componentDidCatch(reason: Error, info: ErrorInfo): void {
    console.error('A page failed', reason, info.componentStack)
  }

  override render() {
    const { reason } = this.state
    if (!reason) return this.props.children
    // A chunk of an older build is no longer on the server; only a reload helps.
    const isOutdated = /dynamically imported module|module script failed/i.test(reason.message)
    return (
      <>
        <h1 className="mb-5">{isOutdated ? 'Keeper was updated' : 'This page stopped working'}</h1>
        <ErrorPanel
          title={
            isOutdated ? 'This tab still shows the old version.' : reason.message || 'The page couldn’t be displayed.'
          }
          details={reason.stack}
          action={
            <Button size="small" variant="primary" onClick={() => location.reload()}>
              Reload
            </Button>
          }
        >
          Everything you saved is safe.
        </ErrorPanel>
      </>
    )
  }
}
