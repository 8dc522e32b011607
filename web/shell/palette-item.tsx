import { Command } from 'cmdk'
import type { ReactNode } from 'react'
import type { SearchMark } from '#contract/search/search-excerpt.ts'
import { MarkedText } from '#web/ui/text/marked-text.tsx'

export function PaletteGroup({ heading, children }: { heading: string; children: ReactNode }) {
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
  title: string
  marks?: readonly SearchMark[]
  hint?: string | undefined
  opensNewTab?: boolean | undefined
  /** Not a result: expands a group or retries. */
  quiet?: boolean
  onSelect: () => void
}

export function Item({ value, title, marks = [], hint, opensNewTab = false, quiet = false, onSelect }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-9 cursor-pointer items-center gap-3 rounded-sm px-2.5 py-1.5 text-ui data-[selected=true]:bg-accent data-[selected=true]:text-accent-foreground phone:min-h-11"
    >
      <span className={quiet ? 'min-w-0 flex-1 truncate text-small' : 'min-w-0 flex-1 truncate'}>
        {/* Weight and underline, not color alone. */}
        <MarkedText
          text={title}
          marks={marks}
          className="bg-transparent font-semibold text-inherit underline decoration-1 underline-offset-2"
        />
        {opensNewTab && <span className="sr-only"> (opens in a new tab)</span>}
      </span>
      {hint && <span className="max-w-1/2 shrink-0 truncate text-small opacity-80">{hint}</span>}
    </Command.Item>
  )
}
