import { Button, type ButtonProps } from './button.tsx'

/** Asks again for what failed. It gives way to what comes, and the focus, which would be nowhere then, stays on the page. */
export function RetryButton({ children = 'Retry', size = 'small', ...rest }: Omit<ButtonProps, 'ref'>) {
  return (
    <Button {...rest} size={size} ref={leavesTheFocus}>
      {children}
    </Button>
  )
}

function leavesTheFocus(button: HTMLButtonElement) {
  return () => {
    if (document.activeElement !== button) return
    button.closest<HTMLElement>('[role=dialog], main')?.focus({ preventScroll: true })
  }
}
