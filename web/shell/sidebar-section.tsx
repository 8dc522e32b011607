import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import { Link, useLocation } from 'react-router'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Badge } from '#web/ui/panels/badge.tsx'
import { LazyTooltip } from './lazy-tooltip.tsx'
import { isActiveLink, type NavigationLink, type NavigationSection } from './navigation.ts'

interface SidebarSectionProps {
  section: NavigationSection
  collapsed: boolean
  onToggle: () => void
}

export function SidebarSection({ section, collapsed, onToggle }: SidebarSectionProps) {
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

export function NarrowSection({ section }: { section: NavigationSection }) {
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

function SidebarLink({ link, narrow = false, ...rest }: { link: NavigationLink; narrow?: boolean }) {
  const { pathname } = useLocation()
  const isActive = isActiveLink(link, pathname)
  const { Icon } = link
  return (
    <Link
      {...rest}
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
      <span className={narrow ? 'sr-only' : 'min-w-0 flex-1 truncate'}>{link.label}</span>
      {link.badge && !narrow && (
        <Badge tone="ribbon" className="h-[18px]">
          {link.badge}
        </Badge>
      )}
    </Link>
  )
}
