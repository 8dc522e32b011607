import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type Budget, type BudgetScope, usageCalls } from '#contract/agents/usage.ts'
import { ApiError, call } from '#web/api/api.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ProgressBar } from '#web/ui/panels/progress-bar.tsx'
import { budgetNames } from '#web/ui/text/budget-names.ts'
import { formatRunCost } from '../runs/run-texts.ts'
import { formatAmount, formatShortDay } from './usage-format.ts'
import { budgetsKey, useBudgets } from './usage-queries.ts'

const scopeTexts: Record<BudgetScope, string> = {
  mine: 'Everything you run in a month with any key, plus what visitors spend on your key.',
  platform: 'Everyone’s runs in a month, visitors included.',
  each_person: 'For each signed-in person in a month. The amount shown is yours.',
  visitors: 'All visitors together, in a day (UTC). $1.00 unless you change it.',
}

export function BudgetLine({ budget }: { budget: Budget }) {
  const [editing, setEditing] = useState(false)
  const changeButton = useRef<HTMLButtonElement>(null)
  const { scope, limit_usd, spent_usd, period, period_ends_at, may_change } = budget
  const percent = getPercentSpent(budget)
  const spentText = `${formatRunCost(spent_usd)} ${limit_usd === null ? 'spent' : `of ${formatAmount(limit_usd)}`}`

  // Waits for the button to be rendered again.
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !editing) changeButton.current?.focus()
    wasOpen.current = editing
  }, [editing])

  function close() {
    setEditing(false)
  }

  return (
    <li className="border-b border-hairline py-4 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-sans text-ui font-semibold tracking-normal phone:basis-full">{budgetNames[scope]}</h3>
        {limit_usd !== null && percent >= 100 ? (
          <Badge tone="destructive">Spent</Badge>
        ) : (
          limit_usd !== null && isBudgetLow(budget) && <Badge tone="warning">Nearly spent</Badge>
        )}
        <span className="ms-auto text-ui tabular-nums phone:ms-0 phone:me-auto">
          {spentText} this {period}
          {limit_usd === null && ', no limit'}
        </span>
        {may_change && !editing && (
          <Button
            ref={changeButton}
            size="small"
            onClick={() => setEditing(true)}
            aria-label={`Change: ${budgetNames[scope]}`}
          >
            Change
          </Button>
        )}
      </div>
      <p className="mt-0.5 text-small text-muted-foreground">
        {scopeTexts[scope]} Resets on {formatShortDay(period_ends_at)}.
      </p>
      {limit_usd !== null && (
        <ProgressBar
          label={budgetNames[scope]}
          value={Math.min(100, Math.round(percent))}
          valueText={`${spentText} this ${period}`}
          tone={percent >= 100 ? 'destructive' : isBudgetLow(budget) ? 'warning' : 'primary'}
          className="mt-2"
        />
      )}
      {editing && <BudgetForm budget={budget} onDone={close} />}
    </li>
  )
}

function BudgetForm({ budget, onDone }: { budget: Budget; onDone: () => void }) {
  const queryClient = useQueryClient()
  const [limit, setLimit] = useState<number | null>(budget.limit_usd)
  const [warnAt, setWarnAt] = useState<number | null>(budget.warn_at_percent)
  const [problem, setProblem] = useState<string>()
  const setBudget = useMutation({
    mutationFn: (limit_usd: number | null) =>
      call(usageCalls.setBudget, {
        body: { scope: budget.scope, limit_usd, ...(warnAt !== null && { warn_at_percent: warnAt }) },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: budgetsKey })
      onDone()
    },
  })
  const fields = setBudget.error instanceof ApiError ? setBudget.error.fields : undefined

  function submit(event: FormEvent) {
    event.preventDefault()
    setProblem(limit === null ? 'Enter an amount, or remove the limit.' : undefined)
    if (limit !== null) setBudget.mutate(limit)
  }

  return (
    <form noValidate onSubmit={submit} className="mt-3 rounded-md bg-fill-hover p-3">
      <div className="flex flex-wrap items-start gap-3">
        <NumberField
          autoFocus
          label={`Limit per ${budget.period} in dollars`}
          min={0}
          step="any"
          defaultValue={budget.limit_usd ?? ''}
          onNumberChange={setLimit}
          error={problem ?? fields?.limit_usd}
          className="w-48 phone:w-full"
        />
        <NumberField
          label="Warn at"
          min={1}
          max={100}
          unit="%"
          defaultValue={budget.warn_at_percent}
          onNumberChange={setWarnAt}
          error={fields?.warn_at_percent}
          className="w-32 phone:w-full"
        />
      </div>
      <InPlaceFormFooter
        problem={fields ? undefined : setBudget.error?.message}
        busy={setBudget.isPending}
        onCancel={onDone}
      >
        {budget.limit_usd !== null && (
          <Button size="small" busy={setBudget.isPending} onClick={() => setBudget.mutate(null)}>
            Remove limit
          </Button>
        )}
      </InPlaceFormFooter>
    </form>
  )
}

export function getPercentSpent({ limit_usd, spent_usd }: Budget): number {
  if (limit_usd === null) return 0
  return limit_usd === 0 ? 100 : (spent_usd / limit_usd) * 100
}

export interface BudgetWarningProps {
  onlyScope?: BudgetScope
  onChange?: () => void
  className?: string
}

export function BudgetWarning({ onlyScope, onChange, className }: BudgetWarningProps) {
  const { data = [] } = useBudgets()
  const lowBudgets = data.filter(
    (budget) =>
      budget.may_change &&
      budget.limit_usd !== null &&
      isBudgetLow(budget) &&
      (!onlyScope || budget.scope === onlyScope),
  )
  if (lowBudgets.length === 0) return null
  return (
    <Banner
      tone="warning"
      className={className}
      action={
        onChange && (
          <Button size="small" variant="plain" onClick={onChange}>
            Change budgets
          </Button>
        )
      }
    >
      {lowBudgets.map((budget) => (
        <span key={budget.scope} className="block">
          {budgetNames[budget.scope]}: {formatRunCost(budget.spent_usd)} of {formatAmount(budget.limit_usd ?? 0)} this{' '}
          {budget.period} is spent or reserved. The budget resets on {formatShortDay(budget.period_ends_at)}.
        </span>
      ))}
    </Banner>
  )
}

export function isBudgetLow(budget: Budget): boolean {
  return getPercentSpent(budget) >= budget.warn_at_percent
}

export interface InPlaceFormFooterProps {
  problem: string | undefined
  busy: boolean
  onCancel: () => void
  children: ReactNode
}

export function InPlaceFormFooter({ problem, busy, onCancel, children }: InPlaceFormFooterProps) {
  return (
    <>
      {problem !== undefined && (
        <p role="alert" className="mt-2 text-small font-medium text-destructive">
          {problem}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" size="small" variant="primary" busy={busy}>
          Save
        </Button>
        {children}
        <Button size="small" variant="plain" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </>
  )
}
