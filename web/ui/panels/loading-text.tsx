import type { ReactNode } from 'react'
import { classNames } from '../hooks/class-names.ts'

export function LoadingText({ children = 'Loading...', className }: { children?: ReactNode; className?: string }) {
  return (
    <p
      role="status"
      className={classNames(
        'grid min-h-[50dvh] place-items-center font-serif text-read text-muted-foreground italic',
        className,
      )}
    >
      {children}
    </p>
  )
}
