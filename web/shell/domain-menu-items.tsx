import { House, Users } from 'lucide-react'
import { useNavigate } from 'react-router'
import type { Domain } from '#contract/domains/domains.ts'
import { MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { getDomainLabel } from './domain-label.ts'

interface DomainMenuItemsProps {
  domains: readonly Domain[]
  primary: Domain | undefined
}

export default function DomainMenuItems({ domains, primary }: DomainMenuItemsProps) {
  const navigate = useNavigate()
  return (
    <>
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
          {getDomainLabel(domain)}
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
    </>
  )
}
