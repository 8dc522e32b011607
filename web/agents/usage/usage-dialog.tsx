import { useState } from 'react'
import { Tabs } from '#web/ui/controls/tabs.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { BudgetLine } from './budget-line.tsx'
import { PriceTable } from './price-table.tsx'
import { UsageOverview } from './usage-overview.tsx'
import type { Permissions, UsageScope } from './usage-queries.ts'
import { useBudgets } from './usage-queries.ts'

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

function BudgetLines() {
  const budgets = useBudgets()
  if (budgets.isPending)
    return (
      <SkeletonGroup className="flex flex-col gap-4">
        {[1, 2].map((line) => (
          <Skeleton key={line} className="h-16" />
        ))}
      </SkeletonGroup>
    )
  if (budgets.isError)
    return (
      <ErrorPanel
        reason={budgets.error}
        title="The budgets couldn’t be loaded."
        onRetry={() => budgets.refetch()}
        retrying={budgets.isFetching}
        details={budgets.error.message}
      >
        Budgets still apply.
      </ErrorPanel>
    )
  return (
    <>
      <p className="mb-2 max-w-[72ch] text-ui text-muted-foreground">
        Keeper reserves the most an answer can cost before asking. If that exceeds a budget, nothing is sent. Mock
        answers and local servers without a key cost nothing.
      </p>
      <ul>
        {budgets.data.map((budget) => (
          <BudgetLine key={budget.scope} budget={budget} />
        ))}
      </ul>
    </>
  )
}
