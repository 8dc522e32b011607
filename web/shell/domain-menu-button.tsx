import { ChevronsUpDown } from 'lucide-react'
import type { ComponentProps } from 'react'

interface DomainMenuButtonProps extends ComponentProps<'button'> {
  label: string
  initial: string
}

export function DomainMenuButton({ label, initial, ...rest }: DomainMenuButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      className="flex h-8 max-w-52 items-center gap-2 rounded-md border border-border bg-card px-2.5 font-medium transition-colors duration-120 hover:bg-muted phone:h-10"
    >
      <span
        aria-hidden
        className="size-4 shrink-0 rounded-xs bg-primary text-center font-serif text-[11px] leading-4 font-medium text-primary-foreground"
      >
        {initial}
      </span>
      <span className="truncate phone:sr-only">
        <span className="sr-only">Domains: </span>
        {label}
      </span>
      <ChevronsUpDown aria-hidden size={13} className="shrink-0" />
    </button>
  )
}
