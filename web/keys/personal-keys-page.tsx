import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { BudgetWarning } from '#web/agents/usage/budget-line.tsx'
import type { Permissions } from '#web/agents/usage/usage-queries.ts'
import { ConnectedPrograms } from '#web/connections/connected-programs.tsx'
import { useKeepers } from '#web/keepers/keeper-queries.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { PersonalKeys } from './personal-keys.tsx'
import { PersonalToolServers } from './personal-tool-servers.tsx'

const UsageDialog = lazyComponent(async () => (await import('#web/agents/usage/usage-dialog.tsx')).default)

export function PersonalKeysPage() {
  const { access } = useAuth()
  const { data: keepers } = useKeepers()
  return (
    <>
      <PageHeader title="Your API Keys" actions={<YourUsageButton permissions={access?.permissions} />} />
      <BudgetWarning onlyScope="mine" className="mb-4 max-w-[860px]" />
      <h2 className="sr-only">Providers</h2>
      <PersonalKeys />
      <PersonalToolServers />
      <ConnectedPrograms keepers={keepers} />
    </>
  )
}

function YourUsageButton({ permissions }: { permissions: Permissions }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="plain" icon={<ChartColumn aria-hidden size={14} />} onClick={() => setOpen(true)}>
        Your usage
      </Button>
      {open && <UsageDialog scope="mine" permissions={permissions} onClose={() => setOpen(false)} />}
    </>
  )
}
