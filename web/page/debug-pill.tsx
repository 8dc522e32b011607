import type { ComponentProps } from 'react'
import { classNames } from '#web/ui/hooks/class-names.ts'

const pillClasses =
  'fixed end-5 bottom-5 z-40 inline-flex h-[26px] items-center rounded-full bg-destructive px-[11px] text-[11px] font-semibold tracking-[0.06em] text-destructive-foreground shadow-e2 transition-colors duration-120 hover:bg-destructive-hover'

/** A link to /debug for visitors; signed in, a button that opens system information. */
export function DebugLink({ className, ...rest }: ComponentProps<'a'>) {
  return (
    <a href="/debug" data-chrome {...rest} className={classNames(pillClasses, className)}>
      DEBUG
    </a>
  )
}

export function DebugButton({ className, ...rest }: ComponentProps<'button'>) {
  return (
    <button type="button" data-chrome aria-haspopup="dialog" {...rest} className={classNames(pillClasses, className)}>
      DEBUG
    </button>
  )
}
