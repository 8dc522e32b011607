import type { ReactNode } from 'react'

export function LoadingText({ children = 'Loading...' }: { children?: ReactNode }) {
  return (
    <p
      role="status"
      className="grid min-h-[50dvh] place-items-center font-serif text-read text-muted-foreground italic"
    >
      {children}
    </p>
  )
}
