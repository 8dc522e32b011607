import type { ReactNode } from 'react'

/** Announced only after a second, because most pages load faster. In a system font: the app's italic (150 kB) would delay the scripts. */
export function LoadingText({ children = 'Loading...' }: { children?: ReactNode }) {
  return (
    <p
      role="status"
      className="grid min-h-[50dvh] place-items-center [font-family:Georgia,serif] text-read text-muted-foreground italic"
    >
      <span aria-hidden>{children}</span>
      <span className="sr-only animate-announce">{children}</span>
    </p>
  )
}
