import { House, Users } from 'lucide-react'
import { useNavigate } from 'react-router'
import type { Domain } from '#contract/domains/domains.ts'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { getDomainLabel } from './domain-label.ts'
import { DomainMenuButton } from './domain-menu-button.tsx'

interface DomainMenuListProps {
  label: string
  initial: string
  domains: readonly Domain[]
  personId: string
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function DomainMenuList({ label, initial, domains, personId, open, onOpenChange }: DomainMenuListProps) {
  const navigate = useNavigate()
  const first = domains.find((domain) => domain.isPrimary) ?? domains[0]
  return (
    <Menu
      open={open}
      onOpenChange={onOpenChange}
      className="min-w-60"
      trigger={<DomainMenuButton label={label} initial={initial} />}
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
          {getDomainLabel(domain, personId)}
        </MenuItem>
      ))}
      {domains.length > 0 && <MenuSeparator />}
      {first && (
        <MenuItem icon={<Users aria-hidden size={15} />} onSelect={() => navigate(`/root/domain/${first.id}`)}>
          Shared with members
        </MenuItem>
      )}
      <MenuItem icon={<House aria-hidden size={15} />} onSelect={() => navigate('/root')}>
        Root Dashboard
      </MenuItem>
    </Menu>
  )
}
