import { ChevronsUpDown, House } from 'lucide-react'
import { useNavigate } from 'react-router'
import { type Domain, shownRole } from '#contract/domains/domains.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'

export function DomainMenu() {
  const { facts, user } = useAuth()
  const navigate = useNavigate()
  const domains = facts?.domains ?? []
  const primary = domains.find((domain) => domain.isPrimary) ?? domains[0]
  const label = primary && user ? domainLabel(primary, user.id) : 'Domains'
  return (
    <Menu
      className="min-w-60"
      trigger={
        <button
          type="button"
          aria-label={`Domains: ${label}`}
          className="flex h-8 max-w-52 items-center gap-2 rounded-md border border-border bg-card px-2.5 font-medium transition-colors duration-120 hover:bg-muted phone:h-10"
        >
          <span
            aria-hidden
            className="size-4 shrink-0 rounded-xs bg-primary text-center font-serif text-[11px] leading-4 font-medium text-primary-foreground"
          >
            {Array.from(primary?.name ?? 'K')[0]?.toUpperCase()}
          </span>
          <span className="truncate phone:hidden">{label}</span>
          <ChevronsUpDown aria-hidden size={13} className="shrink-0" />
        </button>
      }
    >
      {user &&
        domains.map((domain) => (
          <MenuItem
            key={domain.id}
            onSelect={() => navigate('/root/domain')}
            end={domain.isPrimary && <Badge tone="ribbon">Primary</Badge>}
          >
            {domainLabel(domain, user.id)}
          </MenuItem>
        ))}
      {domains.length > 0 && <MenuSeparator />}
      <MenuItem icon={<House aria-hidden size={15} />} onSelect={() => navigate('/root')}>
        Root Dashboard
      </MenuItem>
    </Menu>
  )
}

/** The primary one is 'Owner.{slug}', every other '{role}.{slug}' (seed 000 §2). */
export function domainLabel(domain: Domain, personId: string): string {
  return domain.isPrimary ? `Owner.${domain.slug}` : `${shownRole(domain, personId)}.${domain.slug}`
}
