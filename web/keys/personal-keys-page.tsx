import { useAuth } from '#web/accounts/auth-provider.tsx'
import { BudgetWarning } from '#web/agents/usage/budget-line.tsx'
import { YourUsageButton } from '#web/agents/usage/your-usage-button.tsx'
import { ConnectedPrograms } from '#web/connections/connected-programs.tsx'
import { useKeepers } from '#web/keepers/keeper-queries.ts'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { PersonalKeys } from './personal-keys.tsx'
import { PersonalToolServers } from './personal-tool-servers.tsx'

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
