import { lazy, Suspense, useState } from 'react'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { domainLabel } from './domain-label.ts'
import { DomainMenuButton } from './domain-menu-button.tsx'

const DomainMenuList = lazy(() =>
  import('./domain-menu-list.tsx').then((module) => ({ default: module.DomainMenuList })),
)

export function DomainMenu() {
  const { facts, user } = useAuth()
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  const domains = facts?.domains ?? []
  const primary = domains.find((domain) => domain.isPrimary) ?? domains[0]
  const label = primary && user ? domainLabel(primary, user.id) : 'Domains'
  const button = { label, initial: Array.from(primary?.name ?? 'K')[0]?.toUpperCase() ?? '' }

  if (!wanted) {
    return (
      <DomainMenuButton
        {...button}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={() => {
          setWanted(true)
          setOpen(true)
        }}
      />
    )
  }
  return (
    <Suspense fallback={<DomainMenuButton {...button} aria-haspopup="menu" aria-expanded={false} />}>
      <DomainMenuList {...button} domains={domains} personId={user?.id ?? ''} open={open} onOpenChange={setOpen} />
    </Suspense>
  )
}
