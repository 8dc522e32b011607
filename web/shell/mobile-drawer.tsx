import { PanelLeftClose } from 'lucide-react'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Drawer } from '#web/ui/overlays/drawer.tsx'
import { Brand, SidebarContent } from './sidebar.tsx'
import type { SidebarState } from './use-sidebar.ts'

interface MobileDrawerProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  sidebar: SidebarState
}

export function MobileDrawer({ open, onOpenChange, sidebar }: MobileDrawerProps) {
  return (
    <Drawer open={open} onOpenChange={onOpenChange} title="Menu" titleHidden side="left">
      <div className="flex h-full flex-col bg-sidebar text-ui text-sidebar-foreground">
        <div className="flex h-14 shrink-0 items-center ps-5 pe-3">
          <Brand />
          <IconButton label="Close menu" onClick={() => onOpenChange(false)} className="ms-auto">
            <PanelLeftClose aria-hidden size={16} />
          </IconButton>
        </div>
        <SidebarContent sidebar={sidebar} drawer />
      </div>
    </Drawer>
  )
}
