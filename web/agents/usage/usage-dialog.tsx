import { useState } from 'react'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { BudgetLines } from './budget-lines.tsx'
import { PriceTable } from './price-table.tsx'
import { UsageOverview } from './usage-overview.tsx'
import type { Permissions, UsageScope } from './usage-queries.ts'

const tabs = [
  { id: 'figures', label: 'Figures' },
  { id: 'budgets', label: 'Budgets' },
  { id: 'prices', label: 'Prices' },
] as const
type TabId = (typeof tabs)[number]['id']

export interface UsageDialogProps {
  scope: UsageScope
  permissions: Permissions
  onClose: () => void
}

export default function UsageDialog({ scope, permissions, onClose }: UsageDialogProps) {
  const [tab, setTab] = useState<TabId>('figures')
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={scope === 'mine' ? 'Your usage' : 'API Usage Analytics'}
      size="wide"
    >
      <Tabs label="Usage" tabs={tabs} value={tab} onValueChange={setTab}>
        {tab === 'figures' && (
          <UsageOverview scope={scope} permissions={permissions} onBudgets={() => setTab('budgets')} />
        )}
        {tab === 'budgets' && <BudgetLines />}
        {tab === 'prices' && <PriceTable mayChange={permissions?.includes('manage_api_keys') ?? false} />}
      </Tabs>
    </Dialog>
  )
}
