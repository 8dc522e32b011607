import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Budget, type BudgetScope, usageCalls } from '#contract/agents/usage.ts'
import { call } from '#web/api/api.ts'
import { EntityForm } from '#web/offline/entity-form.tsx'
import { useSubmitForm } from '#web/offline/use-entity-form.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { ErrorText } from '#web/ui/panels/error-text.tsx'
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
  const unspentTone = isBudgetLow(budget) ? 'warning' : 'primary'
  const spentText = `${formatRunCost(spent_usd)} ${limit_usd === null ? 'spent' : `of ${formatAmount(limit_usd)}`}`

  // An effect, because the button has to be rendered again first.
  const wasOpen = useRef(false)
  useEffect(() => {
    if (wasOpen.current && !editing) changeButton.current?.focus()
    wasOpen.current = editing
  }, [editing])

  return (
    <li className="border-b border-hairline py-4 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-sans text-ui font-semibold tracking-normal phone:basis-full">{budgetNames[scope]}</h3>
        {limit_usd !== null && isBudgetLow(budget) && percent < 100 && <Badge tone="warning">Nearly spent</Badge>}
        {limit_usd !== null && percent >= 100 && <Badge tone="destructive">Spent</Badge>}
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
          tone={percent >= 100 ? 'destructive' : unspentTone}
          className="mt-2"
        />
      )}
      {editing && <BudgetForm budget={budget} onDone={() => setEditing(false)} />}
    </li>
  )
}

function BudgetForm({ budget, onDone }: { budget: Budget; onDone: () => void }) {
  const queryClient = useQueryClient()
  const saveBudget = (limit_usd: number | null, warn_at_percent: number | null) =>
    call(usageCalls.setBudget, {
      body: { scope: budget.scope, limit_usd, ...(warn_at_percent !== null && { warn_at_percent }) },
    })
  const finish = async () => {
    await queryClient.invalidateQueries({ queryKey: budgetsKey })
    onDone()
  }
  const form = useSubmitForm<{ limit_usd: number | null; warn_at_percent: number | null }>({
    draftKey: `budget/${budget.scope}`,
    draftOptions: { isStored: false },
    blank: { limit_usd: budget.limit_usd, warn_at_percent: budget.warn_at_percent },
    validate: ({ limit_usd }): Record<string, string> =>
      limit_usd === null ? { limit_usd: 'Enter an amount, or remove the limit.' } : {},
    submit({ limit_usd, warn_at_percent }) {
      removal.reset()
      return saveBudget(limit_usd, warn_at_percent)
    },
    onSaved: finish,
  })
  const { values, set, errors } = form
  const removal = useMutation({ mutationFn: () => saveBudget(null, values.warn_at_percent), onSuccess: finish })

  return (
    <EntityForm
      form={form}
      className="mt-3 rounded-md bg-fill-hover p-3"
      saveLabel="Save"
      size="small"
      failureTitle="The budget couldn’t be saved."
      onCancel={onDone}
      disabled={removal.isPending}
      buttonsClassName="mt-3"
      note={
        budget.limit_usd !== null && (
          <Button size="small" disabled={form.isSaving} busy={removal.isPending} onClick={() => removal.mutate()}>
            Remove limit
          </Button>
        )
      }
    >
      <ReadOnlyWhile while={removal.isPending}>
        <div className="flex flex-wrap items-start gap-3">
          <NumberField
            autoFocus
            label={`Limit per ${budget.period} in dollars`}
            min={0}
            step="any"
            value={values.limit_usd ?? ''}
            onNumberChange={(limit_usd) => set({ limit_usd })}
            error={errors.limit_usd}
            className="w-48 phone:w-full"
          />
          <NumberField
            label="Warn at"
            min={1}
            max={100}
            unit="%"
            value={values.warn_at_percent ?? ''}
            onNumberChange={(warn_at_percent) => set({ warn_at_percent })}
            error={errors.warn_at_percent}
            className="w-32 phone:w-full"
          />
        </div>
      </ReadOnlyWhile>
      <ErrorText className="mt-2">{removal.error?.message}</ErrorText>
    </EntityForm>
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
