import { type Connection, defaultTokenDays } from '#contract/connections/connections.ts'
import { type ConnectionScope, connectionScopes, scopeLabels } from '#contract/connections/scopes.ts'
import { getInstant, getLocalDay } from '#contract/keepers/local-time.ts'
import { Checkbox } from '#web/ui/controls/checkbox.tsx'
import { ChipInput } from '#web/ui/fields/chip-input.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { ErrorText } from '#web/ui/panels/error-text.tsx'
import { dayMs } from '#web/ui/text/days.ts'
import { getLocalTimeZone } from '#web/ui/text/format-time.ts'

export interface ConsentValues {
  scopes: ConnectionScope[]
  /** null: all keepers. */
  keeperIds: string[] | null
  topics: string[]
  withoutMoods: boolean
  purpose: string
  /** Dollars; empty: no separate budget. */
  budget: string
  /** A number of days, or `day` to use `endsOn`; empty: until revoked. */
  days: string
  endsOn: string
}

export const blankConsent: ConsentValues = {
  scopes: ['read:memory'],
  keeperIds: null,
  topics: [],
  withoutMoods: false,
  purpose: '',
  budget: '',
  days: String(defaultTokenDays),
  endsOn: '',
}

const lifetimes = [
  { value: '1', label: 'One day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: String(defaultTokenDays), label: '90 days' },
  { value: '365', label: 'One year' },
  { value: 'day', label: 'Until a day you choose' },
  { value: '', label: 'Until you revoke it' },
]

export const toConsentBody = ({ keeperIds, topics, withoutMoods, purpose, budget, days, endsOn }: ConsentValues) => ({
  keeperIds,
  topics: topics.length > 0 ? topics : null,
  withoutMoods,
  purpose,
  monthlyBudgetUsd: budget.trim() === '' ? null : Number(budget),
  expiresAt: toExpiresAt(days, endsOn),
})

function toExpiresAt(days: string, endsOn: string): string | null {
  if (days === '') return null
  const time = days === 'day' ? getInstant(getLocalTimeZone(), endsOn, '23:59') : Date.now() + Number(days) * dayMs
  return new Date(time).toISOString()
}

export function toConsentValues(connection: Connection): ConsentValues {
  const { expiresAt, monthlyBudgetUsd } = connection
  return {
    ...connection,
    topics: connection.topics ?? [],
    budget: monthlyBudgetUsd === null ? '' : String(monthlyBudgetUsd),
    days: expiresAt === null ? '' : 'day',
    endsOn: expiresAt === null ? '' : getLocalDay(getLocalTimeZone(), Date.parse(expiresAt)),
  }
}

export function findConsentProblems({ scopes, keeperIds, days, endsOn, budget }: ConsentValues) {
  return {
    ...(scopes.length === 0 && { scopes: 'Choose at least one.' }),
    ...(keeperIds?.length === 0 && { keeperIds: 'Choose at least one keeper.' }),
    ...(days === 'day' && endsOn === '' && { endsOn: 'Choose a day.' }),
    ...(budget.trim() !== '' && !(Number(budget) >= 0) && { budget: 'Enter an amount in dollars.' }),
  }
}

interface ConsentFieldsProps {
  values: ConsentValues
  onChange: (changes: Partial<ConsentValues>) => void
  keepers: readonly { id: string; title: string }[]
  /** Scopes to choose from; if empty, the scopes can't be changed. */
  offeredScopes?: readonly ConnectionScope[]
  errors?: Partial<Record<keyof ConsentValues, string | undefined>>
}

/** The permissions that a person grants to a program. */
export function ConsentFields({
  values,
  onChange,
  keepers,
  offeredScopes = connectionScopes,
  errors = {},
}: ConsentFieldsProps) {
  const { scopes, keeperIds, topics, withoutMoods, purpose, budget, days, endsOn } = values
  const chosenIds = keeperIds ?? keepers.map(({ id }) => id)
  return (
    <>
      {offeredScopes.length > 0 && (
        <fieldset className="grid gap-2">
          <legend className="mb-1 font-label text-ui">What it can do</legend>
          {offeredScopes.map((scope) => (
            <Checkbox
              key={scope}
              label={scopeLabels[scope].label}
              help={scopeLabels[scope].description}
              checked={scopes.includes(scope)}
              onCheckedChange={(isChosen) =>
                onChange({
                  scopes: connectionScopes.filter((candidate) =>
                    candidate === scope ? isChosen : scopes.includes(candidate),
                  ),
                })
              }
            />
          ))}
          {errors.scopes && <ErrorText>{errors.scopes}</ErrorText>}
        </fieldset>
      )}
      <fieldset className="grid gap-2">
        <legend className="mb-1 font-label text-ui">Which keepers</legend>
        <Checkbox
          label="All keepers, including new ones"
          checked={keeperIds === null}
          onCheckedChange={(isAll) => onChange({ keeperIds: isAll ? null : chosenIds })}
        />
        {keeperIds !== null &&
          keepers.map((keeper) => (
            <Checkbox
              key={keeper.id}
              label={<bdi>{keeper.title}</bdi>}
              checked={keeperIds.includes(keeper.id)}
              onCheckedChange={(isChosen) =>
                onChange({
                  keeperIds: isChosen ? [...keeperIds, keeper.id] : keeperIds.filter((id) => id !== keeper.id),
                })
              }
            />
          ))}
        {errors.keeperIds && <ErrorText>{errors.keeperIds}</ErrorText>}
      </fieldset>
      <ChipInput
        label="Only these topics"
        help="Leave this empty for all topics. If you add topics, the program can’t read your story."
        value={topics}
        onValueChange={(value) => onChange({ topics: value })}
      />
      <Checkbox
        label="Leave out moods"
        checked={withoutMoods}
        onCheckedChange={(value) => onChange({ withoutMoods: value })}
      />
      <TextField
        label="Purpose"
        maxLength={200}
        help="What you connect it for. You see this in the list of your programs."
        value={purpose}
        onChange={({ currentTarget }) => onChange({ purpose: currentTarget.value })}
      />
      <SelectField
        label="Access lasts"
        options={lifetimes}
        value={days}
        onChange={({ currentTarget }) => onChange({ days: currentTarget.value })}
      />
      {days === 'day' && (
        <TextField
          label="Last day"
          type="date"
          required
          min={getLocalDay(getLocalTimeZone(), Date.now())}
          value={endsOn}
          error={errors.endsOn}
          onChange={({ currentTarget }) => onChange({ endsOn: currentTarget.value })}
        />
      )}
      {scopes.includes('run:agents') && (
        <TextField
          label="Monthly budget for its agents, in dollars"
          inputMode="decimal"
          help="Leave this empty to use your own budget only."
          value={budget}
          error={errors.budget}
          onChange={({ currentTarget }) => onChange({ budget: currentTarget.value })}
        />
      )}
    </>
  )
}
