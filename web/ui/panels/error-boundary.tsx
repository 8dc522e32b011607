import { Component, type ErrorInfo, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  /** A change resets the error. */
  resetKey: unknown
  renderFallback: (reason: Error, reset: () => void) => ReactNode
  onError: (reason: Error, info: ErrorInfo) => void
  children: ReactNode
}

interface State {
  reason: Error | null
  resetKey: unknown
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { reason: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(reason: Error): Partial<State> {
    return { reason }
  }

  static getDerivedStateFromProps({ resetKey }: ErrorBoundaryProps, state: State): Partial<State> | null {
    return resetKey === state.resetKey ? null : { reason: null, resetKey }
  }

  override componentDidCatch(reason: Error, info: ErrorInfo): void {
    this.props.onError(reason, info)
  }

  override render() {
    const { reason } = this.state
    return reason ? this.props.renderFallback(reason, () => this.setState({ reason: null })) : this.props.children
  }
}
