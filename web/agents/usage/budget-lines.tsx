import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { BudgetLine } from './budget-line.tsx'
import { useBudgets } from './usage-queries.ts'

export function BudgetLines() {
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
