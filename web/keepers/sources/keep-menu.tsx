import { Bookmark } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { quoteTargets } from '#contract/keepers/sources.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'

export type KeepTarget = (typeof quoteTargets)[number]

interface KeepMenuProps {
  onKeep: (as: KeepTarget) => Promise<void>
  side?: 'top' | 'bottom'
  children: ReactNode
}

export function KeepMenu({ onKeep, side = 'bottom', children }: KeepMenuProps) {
  const [busy, setBusy] = useState(false)
  async function keep(as: KeepTarget) {
    setBusy(true)
    await onKeep(as)
    setBusy(false)
  }
  return (
    <Menu
      side={side}
      trigger={
        <Button variant="plain" size="small" busy={busy} icon={<Bookmark aria-hidden size={14} />}>
          {children}
        </Button>
      }
    >
      <MenuItem onSelect={() => void keep('reflection')}>As a reflection</MenuItem>
      <MenuItem onSelect={() => void keep('moment')}>As a moment of that day</MenuItem>
    </Menu>
  )
}
