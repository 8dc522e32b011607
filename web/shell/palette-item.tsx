import { Command } from 'cmdk'
import type { ReactNode } from 'react'

export function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-small [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted-foreground"
    >
      {children}
    </Command.Group>
  )
}

interface ItemProps {
  value: string
  hint?: string
  onSelect: () => void
  children: ReactNode
}

export function Item({ value, hint, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-sm px-2.5 py-1.5 text-ui data-[selected=true]:bg-accent data-[selected=true]:text-accent-foreground phone:min-h-11"
    >
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {hint && <span className="shrink-0 truncate text-small opacity-80">{hint}</span>}
    </Command.Item>
  )
}
