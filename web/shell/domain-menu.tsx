import { lazy, Suspense, useState } from 'react'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { getDomainLabel } from './domain-label.ts'
import { DomainMenuButton } from './domain-menu-button.tsx'

const DomainMenuList = lazy(() =>
  import('./domain-menu-list.tsx').then((module) => ({ default: module.DomainMenuList })),
)

export function DomainMenu() {
  const { access, user } = useAuth()
  const [open, setOpen] = useState(false)
  const [isListNeeded, setListNeeded] = useState(false)
  const domains = access?.domains ?? []
  const primary = domains.find((domain) => domain.isPrimary) ?? domains[0]
  const label = primary && user ? getDomainLabel(primary, user.id) : 'Domains'
  const button = { label, initial: Array.from(primary?.name ?? 'K')[0]?.toUpperCase() ?? '' }

  if (!isListNeeded) {
    return (
      <DomainMenuButton
        {...button}
        aria-haspopup="menu"
        aria-expanded={false}
        onClick={() => {
          setListNeeded(true)
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
