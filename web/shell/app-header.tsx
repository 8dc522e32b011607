import { ChevronRight, House, Menu as MenuIcon, Search } from 'lucide-react'
import { Fragment } from 'react'
import { Link, useLocation } from 'react-router'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Kbd } from '#web/ui/controls/kbd.tsx'
import { useCurrentCrumb, useParentCrumb } from '../page/crumb.ts'
import { findPageRoute, type PageRoute } from '../page/page-routes.ts'
import { getCommandKeyName } from '../ui/fields/field-keys.ts'
import { DomainMenu } from './domain-menu.tsx'
import { Brand } from './sidebar.tsx'

interface AppHeaderProps {
  onOpenMenu: () => void
  onOpenSearch: () => void
}

export function AppHeader({ onOpenMenu, onOpenSearch }: AppHeaderProps) {
  return (
    <header
      data-chrome
      className="sticky top-0 z-30 flex h-(--header-height) items-center gap-2.5 border-b border-border bg-background px-7 text-ui phone:px-3.5"
    >
      <IconButton label="Menu" onClick={onOpenMenu} className="-ms-2 desk:hidden">
        <MenuIcon aria-hidden size={20} />
      </IconButton>
      <span className="desk:hidden">
        <Brand small />
      </span>
      <Breadcrumbs />
      <button
        type="button"
        onClick={onOpenSearch}
        aria-keyshortcuts="Control+K Meta+K"
        className="ms-auto flex h-8 w-[232px] tight:w-auto shrink-0 items-center gap-2 rounded-md border border-border bg-card ps-2.5 pe-2 text-muted-foreground transition-colors duration-120 hover:border-input/60 hover:text-foreground phone:hidden"
      >
        <Search aria-hidden size={14} />
        <span className="flex-1 text-start tight:sr-only">Search or jump to</span>
        <Kbd className="tight:hidden">{getCommandKeyName()}K</Kbd>
      </button>
      <IconButton label="Search or jump to" onClick={onOpenSearch} className="ms-auto desk:hidden">
        <Search aria-hidden size={18} />
      </IconButton>
      <Link
        to="/root"
        title="Root Dashboard"
        aria-label="Root Dashboard"
        className="grid size-8 place-items-center rounded-md text-muted-foreground transition-colors duration-120 hover:bg-fill hover:text-foreground phone:hidden"
      >
        <House aria-hidden size={16} />
      </Link>
      <DomainMenu />
    </header>
  )
}

function Breadcrumbs() {
  const { pathname } = useLocation()
  const crumb = useCurrentCrumb()
  const parentCrumb = useParentCrumb()
  const route = findPageRoute(pathname)
  if (!route) return null
  const ancestors: NonNullable<PageRoute['parents']> = [
    ...(route.parents ?? []),
    ...(parentCrumb ? [parentCrumb] : []),
    ...(crumb?.isSubPage ? [{ title: route.title, to: pathname }] : []),
  ]
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0 phone:hidden">
      <ol className="flex min-w-0 items-center gap-[7px] whitespace-nowrap text-muted-foreground">
        {ancestors.map((step) => (
          <Fragment key={step.title}>
            {/* User-chosen names truncate before Keeper's own page names. */}
            <li dir="auto" className={step === parentCrumb ? 'min-w-0 truncate' : 'shrink-0'}>
              {step.to ? (
                <Link to={step.to} className="rounded-xs hover:text-foreground">
                  {step.title}
                </Link>
              ) : (
                step.title
              )}
            </li>
            <li aria-hidden className="shrink-0">
              <ChevronRight size={13} />
            </li>
          </Fragment>
        ))}
        <li dir="auto" aria-current="page" className="min-w-0 shrink-[0.02] truncate font-semibold text-foreground">
          {crumb?.title ?? route.title}
        </li>
      </ol>
    </nav>
  )
}
