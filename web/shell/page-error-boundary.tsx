import { Component, type ErrorInfo, type ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'

interface Props {
  /** A change resets the error. */
  place: string
  children: ReactNode
}

interface State {
  reason: Error | null
  place: string
}

/** Confines a crash to the page. */
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
    // A chunk of an older build is no longer on the server; only a reload helps.
    const isOld = /dynamically imported module|module script failed/i.test(reason.message)
    return (
      <>
        <h1 className="mb-5">{isOld ? 'Keeper was updated' : 'This page stopped working'}</h1>
        <ErrorPanel
          title={isOld ? 'This tab still shows the old version.' : reason.message || 'The page couldn’t be displayed.'}
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
