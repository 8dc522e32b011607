import { ChevronsUpDown, House, Users } from 'lucide-react'
import { useNavigate } from 'react-router'
import { type Domain, getDisplayRole } from '#contract/domains/domains.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'

export function DomainMenu() {
  const { access, user } = useAuth()
  const navigate = useNavigate()
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
            className="size-4 shrink-0 rounded-xs bg-primary text-center font-serif text-[11px] leading-4 font-medium text-primary-foreground"
          >
            {Array.from(primary?.name ?? 'K')[0]?.toUpperCase()}
          </span>
          <span className="truncate phone:sr-only">
            <span className="sr-only">Domains: </span>
            {primary && user ? getDomainLabel(primary, user.id) : 'Domains'}
          </span>
          <ChevronsUpDown aria-hidden size={13} className="shrink-0" />
        </button>
      }
    >
      {domains.map((domain) => (
        <MenuItem
          key={domain.id}
          onSelect={() => navigate(`/root/domain?domain=${domain.id}`)}
          end={
            domain.isPrimary ? (
              <Badge tone="ribbon">Primary</Badge>
            ) : (
              domain.agreed === false && <Badge tone="info">Not joined yet</Badge>
            )
          }
        >
          {getDomainLabel(domain, user?.id ?? '')}
        </MenuItem>
      ))}
      {domains.length > 0 && <MenuSeparator />}
      {primary && (
        <MenuItem icon={<Users aria-hidden size={15} />} onSelect={() => navigate(`/root/domain/${primary.id}`)}>
          Shared with members
        </MenuItem>
      )}
      <MenuItem icon={<House aria-hidden size={15} />} onSelect={() => navigate('/root')}>
        Root Dashboard
      </MenuItem>
    </Menu>
  )
}

export function getDomainLabel(domain: Domain, personId: string): string {
  return domain.isPrimary ? `Owner.${domain.slug}` : `${getDisplayRole(domain, personId)}.${domain.slug}`
}
