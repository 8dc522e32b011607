import { Bug, PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { useKeepers } from '#web/keepers/keeper-queries.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Mark } from '#web/ui/drawings/mark.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { LazyTooltip } from './lazy-tooltip.tsx'
import { ModeSwitcher } from './mode-switcher.tsx'
import { getKeeperSection, navigation } from './navigation.ts'
import { NarrowSection, SidebarSection } from './sidebar-section.tsx'
import type { SidebarState } from './use-sidebar.ts'
import { UserBlock } from './user-block.tsx'
import { useViewMode } from './view-mode-provider.tsx'

export function Sidebar({ sidebar }: { sidebar: SidebarState }) {
  const { narrow } = sidebar
  return (
    <aside
      aria-label="Sidebar"
      data-chrome
      className={classNames(
        'sticky top-0 flex h-dvh shrink-0 flex-col overflow-hidden border-e border-border bg-sidebar text-ui text-sidebar-foreground transition-[width] duration-400 ease-slide phone:hidden',
        narrow ? 'w-16' : 'w-64',
      )}
    >
      <div className={classNames('flex h-14 shrink-0 items-center gap-[9px]', narrow ? 'justify-center' : 'ps-4 pe-3')}>
        {narrow ? (
          <IconButton label="Expand sidebar" aria-expanded={false} onClick={sidebar.toggleNarrow}>
            <PanelLeftOpen aria-hidden size={16} />
          </IconButton>
        ) : (
          <>
            <Brand />
            <IconButton label="Collapse sidebar" aria-expanded onClick={sidebar.toggleNarrow} className="ms-auto">
              <PanelLeftClose aria-hidden size={16} />
            </IconButton>
          </>
        )}
      </div>
      <SidebarContent sidebar={sidebar} />
    </aside>
  )
}

/** The mobile drawer shows the same, always wide. */
export function SidebarContent({ sidebar, drawer = false }: { sidebar: SidebarState; drawer?: boolean }) {
  const { mode } = useViewMode()
  const { pathname } = useLocation()
  const narrow = sidebar.narrow && !drawer
  const { data: keepers } = useKeepers({ enabled: mode === 'MyKeeper' })
  const sections = navigation[mode].map((section) =>
    section.id === 'keeper' ? getKeeperSection(section, pathname, keepers) : section,
  )
  return (
    <>
      <ModeSwitcher narrow={narrow} />
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto px-3 pt-0.5 pb-4">
        {sections.map((section) =>
          narrow ? (
            <NarrowSection key={section.id} section={section} />
          ) : (
            <SidebarSection
              key={section.id}
              section={section}
              collapsed={sidebar.folded.includes(`${mode}.${section.id}`)}
              onToggle={() => sidebar.toggleSection(`${mode}.${section.id}`)}
            />
          ),
        )}
      </nav>
      <div
        className={classNames(
          'flex shrink-0 flex-col gap-2 border-t border-border px-3 pt-2.5 pb-3',
          narrow && 'items-center',
        )}
      >
        {narrow ? (
          <LazyTooltip label="Debug Console">
            <LinkButton to="/debug" size="small" aria-label="Debug Console" icon={<Bug aria-hidden size={14} />} />
          </LazyTooltip>
        ) : (
          <LinkButton to="/debug" size="small" className="w-full" icon={<Bug aria-hidden size={14} />}>
            Debug Console
          </LinkButton>
        )}
        <UserBlock narrow={narrow} />
      </div>
    </>
  )
}

export function Brand({ small = false }: { small?: boolean }) {
  return (
    <Link to="/root" aria-label="Keeper" className="flex items-center gap-[9px] rounded-sm">
      <Mark size={small ? 20 : 24} />
      <span
        className={classNames(
          'font-serif leading-none font-medium tracking-[-0.015em] text-foreground',
          small ? 'text-[19px]' : 'text-[21px]',
        )}
      >
        Keeper
      </span>
    </Link>
  )
}
