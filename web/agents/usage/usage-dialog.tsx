import { useState } from 'react'
import { QueryState } from '#web/queries/query-error.tsx'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { SkeletonRows } from '#web/ui/panels/skeleton.tsx'
import { BudgetLine } from './budget-line.tsx'
import { PriceTable } from './price-table.tsx'
import { UsageOverview } from './usage-overview.tsx'
import { type Permissions, type UsageScope, useBudgets } from './usage-queries.ts'

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
          <UsageOverview scope={scope} permissions={permissions} onShowBudgets={() => setTab('budgets')} />
        )}
        {tab === 'budgets' && <BudgetLines />}
        {tab === 'prices' && <PriceTable mayChange={permissions?.includes('manage_api_keys') ?? false} />}
      </Tabs>
    </Dialog>
  )
}

function BudgetLines() {
  const budgets = useBudgets()
  const status = (
    <QueryState
      reportsRefetch
      className="mb-4"
      query={budgets}
      skeleton={<SkeletonRows count={2} rowClassName="h-16" />}
      title="The budgets couldn’t be loaded."
      details={budgets.error?.message}
    >
      Budgets still apply.
    </QueryState>
  )
  if (!budgets.data) return status
  return (
    <>
      {status}
      <p className="mb-2 max-w-[72ch] text-ui text-muted-foreground">
        Before it asks a model, Keeper reserves the most the answer can cost. If that exceeds a budget, nothing is sent.
        Mock answers and local servers without a key cost nothing.
      </p>
      <ul>
        {budgets.data.map((budget) => (
          <BudgetLine key={budget.scope} budget={budget} />
        ))}
      </ul>
    </>
  )
}
