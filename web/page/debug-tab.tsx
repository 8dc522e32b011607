import type { ComponentProps } from 'react'

const tabProps = { 'data-chrome': '', className: 'debug-tab' }

/** A link to /debug for visitors; signed in, a button that opens system information. */
export function DebugLink() {
  return (
    <a href="/debug" {...tabProps}>
      DEBUG
    </a>
  )
}

export function DebugButton(props: Pick<ComponentProps<'button'>, 'onClick'>) {
  return (
    <button type="button" aria-haspopup="dialog" {...tabProps} {...props}>
      DEBUG
    </button>
  )
}
