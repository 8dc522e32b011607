import {
  BookHeart,
  Bug,
  ChevronDown,
  DraftingCompass,
  LogOut,
  type LucideIcon,
  PanelLeftClose,
  PanelLeftOpen,
  Shield,
} from 'lucide-react'
import { lazy, type ReactElement, Suspense, useCallback, useId, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { useKeepers } from '#web/keepers/keeper-queries.ts'
import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Mark } from '#web/ui/drawings/mark.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { useParentCrumb } from '../page/crumb.ts'
import { type ViewMode, viewModeNames, viewModes } from '../page/view-mode.ts'
import { useViewMode } from '../page/view-mode-provider.tsx'
import {
  getOpenKeeperId,
  getSections,
  isActiveLink,
  type NavigationLink,
  type NavigationSection,
} from './navigation.ts'

const Tooltip = lazy(() => import('#web/ui/overlays/tooltip.tsx').then((module) => ({ default: module.Tooltip })))
const ProposalCount = lazy(() => import('./proposal-count.tsx'))

const icons: Record<ViewMode, LucideIcon> = { Architect: DraftingCompass, MyKeeper: BookHeart, Admin: Shield }

const segmentClasses =
  'relative grid place-items-center rounded-sm text-small leading-[1.625rem] font-medium text-muted-foreground transition-colors duration-120 hover:text-foreground has-checked:bg-raised has-checked:font-semibold has-checked:text-foreground has-checked:shadow-e1 has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-ring phone:leading-[2.125rem]'

function ModeSwitcher({ narrow = false }: { narrow?: boolean }) {
  const { mode, setMode } = useViewMode()
  return (
    <div
      role="radiogroup"
      aria-label="Mode"
      className={classNames(
        'mx-3 mt-1 mb-2.5 grid shrink-0 gap-0.5 rounded-md bg-fill p-[3px]',
        narrow ? 'auto-rows-[30px]' : 'grid-cols-[1fr_1.12fr_.8fr] tight:grid-cols-1',
      )}
    >
      {viewModes.map((name) => {
        const Icon = icons[name]
        return (
          <LazyTooltip key={name} label={viewModeNames[name]} disabled={!narrow}>
            <label className={segmentClasses}>
              <input
                type="radio"
                name={narrow ? 'mode-narrow' : 'mode'}
                value={name}
                checked={name === mode}
                onChange={() => setMode(name)}
                className="pointer-events-none absolute inset-0 appearance-none opacity-0"
              />
              {narrow && <Icon aria-hidden size={16} />}
              <span className={narrow ? 'sr-only' : undefined}>{viewModeNames[name]}</span>
            </label>
          </LazyTooltip>
        )
      })}
    </div>
  )
}

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
  const address = useLocation()
  const narrow = sidebar.narrow && !drawer
  const { data: keepers } = useKeepers({ enabled: mode === 'MyKeeper' })
  const openKeeper = useParentCrumb()
  const keeperTitle = getOpenKeeperId(address) ? openKeeper?.title : keepers?.[0]?.title
  const { visited: sectionOfOtherMode, sections } = getSections(mode, address, keeperTitle)
  const renderSection = (section: NavigationSection, sectionKey: string) =>
    narrow ? (
      <NarrowSection key={section.id} section={section} />
    ) : (
      <SidebarSection
        key={section.id}
        section={section}
        collapsed={sidebar.folded.includes(sectionKey)}
        onToggle={() => sidebar.toggleSection(sectionKey)}
      />
    )
  return (
    <>
      <ModeSwitcher narrow={narrow} />
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto px-3 pt-0.5 pb-4">
        {sectionOfOtherMode && (
          <>
            {renderSection(sectionOfOtherMode, `visited.${sectionOfOtherMode.id}`)}
            <hr className="mt-3 border-border" />
          </>
        )}
        {sections.map((section) => renderSection(section, `${mode}.${section.id}`))}
      </nav>
      <div
        className={classNames(
          'flex shrink-0 flex-col gap-2 border-t border-border px-3 pt-2.5 pb-3',
          narrow && 'items-center',
        )}
      >
        {mode !== 'MyKeeper' && <LazyProposalCount asLink narrow={narrow} />}
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
    <Link to="/root" aria-label="Keeper" className="tap-area flex items-center gap-[9px] rounded-sm">
      <Mark size={small ? 20 : 24} />
      <span
        className={classNames(
          'font-serif leading-none font-medium tracking-[-0.015em] text-foreground',
          small ? 'text-[1.1875rem]' : 'text-[1.3125rem]',
        )}
      >
        Keeper
      </span>
    </Link>
  )
}

function UserBlock({ narrow = false }: { narrow?: boolean }) {
  const { user, logout } = useAuth()
  if (!user) return null
  const name = user.name || user.nickname || user.email
  const initial = <Initial name={name} />
  const signOut = (
    <IconButton label="Sign out" onClick={logout}>
      <LogOut aria-hidden size={16} />
    </IconButton>
  )
  if (narrow) {
    return (
      <div className="flex flex-col items-center gap-2">
        <span title={`${name}, ${user.email}`}>
          {initial}
          <span className="sr-only">{`${name}, ${user.email}`}</span>
        </span>
        {signOut}
      </div>
    )
  }
  return (
    <div className="flex items-center gap-2.5 p-1">
      {initial}
      <div className="min-w-0 flex-1">
        <div className="truncate leading-[1.0625rem] font-semibold text-foreground">{name}</div>
        {name !== user.email && <div className="truncate text-small text-muted-foreground">{user.email}</div>}
      </div>
      {signOut}
    </div>
  )
}

function Initial({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="grid size-8 shrink-0 place-items-center rounded-full bg-primary font-serif text-[0.9375rem] leading-none font-medium text-primary-foreground"
    >
      {Array.from(name.trim())[0]?.toUpperCase()}
    </span>
  )
}

const LazyProposalCount = (props: { asLink?: boolean; narrow: boolean }) => (
  <Suspense>
    <ProposalCount {...props} />
  </Suspense>
)

interface SidebarSectionProps {
  section: NavigationSection
  collapsed: boolean
  onToggle: () => void
}

function SidebarSection({ section, collapsed, onToggle }: SidebarSectionProps) {
  const id = useId()
  return (
    <div>
      <button
        type="button"
        aria-expanded={!collapsed}
        aria-controls={id}
        onClick={onToggle}
        className="mt-2 flex w-full items-center justify-between rounded-sm px-2 pt-[5px] pb-[5px] text-small font-medium text-muted-foreground transition-colors duration-120 hover:text-foreground phone:py-2.5"
      >
        <span className="min-w-0 truncate">{section.title}</span>
        <ChevronDown
          aria-hidden
          size={13}
          className={classNames('shrink-0 transition-transform duration-300 ease-fade', collapsed && '-rotate-90')}
        />
      </button>
      <ul id={id} hidden={collapsed}>
        {section.links.map((link) => (
          <li key={link.to}>
            <SidebarLink link={link} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function NarrowSection({ section }: { section: NavigationSection }) {
  return (
    <ul aria-label={section.title} className="mt-2.5">
      {section.links.map((link) => (
        <li key={link.to}>
          <LazyTooltip label={link.label}>
            <SidebarLink link={link} narrow />
          </LazyTooltip>
        </li>
      ))}
    </ul>
  )
}

function SidebarLink({ link, narrow = false, ...linkProps }: { link: NavigationLink; narrow?: boolean }) {
  const { pathname } = useLocation()
  const isActive = isActiveLink(link, pathname)
  const { Icon } = link
  return (
    <Link
      {...linkProps}
      to={link.to}
      aria-current={isActive ? 'page' : undefined}
      className={classNames(
        'relative flex h-8 items-center gap-2.5 rounded-sm transition-colors duration-120 phone:h-10',
        narrow ? 'justify-center' : 'px-2',
        isActive
          ? 'bg-fill font-semibold text-foreground before:absolute before:-start-3 before:top-[5px] before:h-[22px] before:w-[5px] before:spine before:bg-ribbon phone:before:top-[9px]'
          : 'font-book hover:bg-fill-hover',
      )}
    >
      <Icon
        aria-hidden
        size={narrow ? 18 : 16}
        strokeWidth={1.75}
        className={isActive ? 'shrink-0' : 'shrink-0 opacity-78'}
      />
      <span className={narrow ? 'sr-only' : 'min-w-0 flex-1 truncate tight:whitespace-normal'}>{link.label}</span>{' '}
      {link.badge && !narrow && (
        <Badge tone="ribbon" className="h-[1.125rem]">
          {link.badge}
        </Badge>
      )}
      {link.to === '/root' && <LazyProposalCount narrow={narrow} />}
    </Link>
  )
}

interface LazyTooltipProps {
  label: string
  disabled?: boolean
  children: ReactElement
}

/** Only the narrow sidebar has tooltips, so they load lazily. */
function LazyTooltip({ label, disabled = false, children }: LazyTooltipProps) {
  if (disabled) return children
  return (
    <Suspense fallback={children}>
      <Tooltip label={label} side="right">
        {children}
      </Tooltip>
    </Suspense>
  )
}

interface SidebarMemory {
  narrow: boolean
  /** Next to a canvas it starts narrow until opened. */
  wideByCanvas: boolean
  folded: string[]
}

const sidebarKey = 'keeper-sidebar'

export function readSidebarMemory(): SidebarMemory {
  try {
    const stored = JSON.parse(readSetting(sidebarKey) ?? '{}') as Partial<SidebarMemory> | null
    return {
      narrow: stored?.narrow === true,
      wideByCanvas: stored?.wideByCanvas === true,
      folded: Array.isArray(stored?.folded) ? stored.folded.filter((id) => typeof id === 'string') : [],
    }
  } catch {
    return { narrow: false, wideByCanvas: false, folded: [] }
  }
}

export function writeSidebarMemory(memory: SidebarMemory): void {
  writeSetting(sidebarKey, JSON.stringify(memory))
}

export interface SidebarState extends SidebarMemory {
  toggleNarrow: () => void
  toggleSection: (id: string) => void
}

export function useSidebar(isNextToCanvas: boolean): SidebarState {
  const [memory, setMemory] = useState(readSidebarMemory)
  const updateMemory = useCallback((next: (memory: SidebarMemory) => SidebarMemory) => {
    // Reread storage: another tab may have changed it.
    const updatedMemory = next(readSidebarMemory())
    writeSidebarMemory(updatedMemory)
    setMemory(updatedMemory)
  }, [])
  const toggleNarrow = useCallback(
    () =>
      updateMemory((memory) =>
        isNextToCanvas ? { ...memory, wideByCanvas: !memory.wideByCanvas } : { ...memory, narrow: !memory.narrow },
      ),
    [updateMemory, isNextToCanvas],
  )
  const toggleSection = useCallback(
    (id: string) =>
      updateMemory((memory) => ({
        ...memory,
        folded: memory.folded.includes(id)
          ? memory.folded.filter((foldedId) => foldedId !== id)
          : [...memory.folded, id],
      })),
    [updateMemory],
  )
  const narrow = isNextToCanvas ? !memory.wideByCanvas : memory.narrow
  return { ...memory, narrow, toggleNarrow, toggleSection }
}
