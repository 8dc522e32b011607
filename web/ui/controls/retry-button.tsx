import { Button, type ButtonProps } from './button.tsx'

/** The button disappears on success; focus moves to the dialog or main instead of being lost. */
export function RetryButton({ children = 'Retry', size = 'small', ...rest }: Omit<ButtonProps, 'ref'>) {
  return (
    <Button {...rest} size={size} ref={returnFocusOnUnmount}>
      {children}
    </Button>
  )
}

function returnFocusOnUnmount(button: HTMLButtonElement) {
  return () => {
    if (document.activeElement !== button) return
    button.closest<HTMLElement>('[role=dialog], main')?.focus({ preventScroll: true })
  }
}
