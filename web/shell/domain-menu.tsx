import { ChevronsUpDown } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { Menu } from '#web/ui/overlays/menu.tsx'
import { getDomainLabel } from './domain-label.ts'

const DomainMenuItems = lazy(() => import('./domain-menu-items.tsx'))

export function DomainMenu() {
  const { access } = useAuth()
  const domains = access?.domains ?? []
  const primary = domains.find((domain) => domain.isPrimary) ?? domains[0]
  return (
    <Menu
      className="min-w-[min(15rem,var(--radix-popper-available-width))]"
      trigger={
        <button
          type="button"
          className="flex h-8 max-w-52 items-center gap-2 rounded-md border border-border bg-card px-2.5 font-medium transition-colors duration-120 hover:bg-muted phone:h-10"
        >
          <span
            aria-hidden
            className="size-4 shrink-0 rounded-xs bg-primary text-center font-serif text-[0.6875rem] leading-4 font-medium text-primary-foreground"
          >
            {Array.from(primary?.name ?? 'K')[0]?.toUpperCase()}
          </span>
          <span className="truncate phone:sr-only">
            <span className="sr-only">Domains: </span>
            {primary ? getDomainLabel(primary) : 'Domains'}
          </span>
          <ChevronsUpDown aria-hidden size={13} className="shrink-0" />
        </button>
      }
    >
      <Suspense>
        <DomainMenuItems domains={domains} primary={primary} />
      </Suspense>
    </Menu>
  )
}
