import { type ReactNode, useId } from 'react'
import { classNames } from '../hooks/class-names.ts'

export interface ToggleLabel {
  label: ReactNode
  labelHidden?: boolean
  help?: ReactNode
  className?: string
}

interface LabeledToggleProps extends ToggleLabel {
  children: (noteId: string | undefined) => ReactNode
}

export function LabeledToggle({ label, labelHidden = false, help, className, children }: LabeledToggleProps) {
  const noteId = useId()
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label
      className={classNames(
        'inline-flex min-h-6 items-start gap-2 text-ui has-disabled:cursor-not-allowed has-disabled:text-muted-foreground has-aria-disabled:cursor-not-allowed has-aria-disabled:text-muted-foreground',
        className,
      )}
    >
      {children(help ? noteId : undefined)}
      <span className={labelHidden ? 'sr-only' : undefined}>
        {label}
        {help && (
          <span id={noteId} className="block text-small leading-[1.0625rem] text-muted-foreground">
            {help}
          </span>
        )}
      </span>
    </label>
  )
}
