import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { FilterChips } from '#web/ui/controls/filter-chips.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { addMonths, formatMonth, getToday, monthNames } from './format-day.ts'
import { useMomentYears } from './moment-queries.ts'

interface CalendarHeadProps {
  keeper: Keeper
  month: string
  onDay: (day: string) => void
  onMonth: (month: string) => void
}

/** Arrows and fields for the month, and links to the years that have moments, so that no day is far away. */
export function CalendarHead({ keeper, month, onDay, onMonth }: CalendarHeadProps) {
  const [year = '', monthNumber = ''] = month.split('-')
  return (
    <div data-chrome>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <h2 aria-live="polite" className="me-auto">
          {formatMonth(month)}
        </h2>
        <SelectField
          label="Month"
          labelHidden
          value={monthNumber}
          onChange={(event) => onMonth(`${year}-${event.currentTarget.value}`)}
          options={monthNames.map((label, index) => ({ value: String(index + 1).padStart(2, '0'), label }))}
          className="w-36"
        />
        <YearField year={year} onYear={(next) => onMonth(`${next}-${monthNumber}`)} />
        <IconButton
          label="Previous month"
          outlined
          disabled={addMonths(month, -1) === month}
          onClick={() => onMonth(addMonths(month, -1))}
        >
          <ChevronLeft aria-hidden size={16} />
        </IconButton>
        <Button onClick={() => onDay(getToday())}>Today</Button>
        <IconButton
          label="Next month"
          outlined
          disabled={addMonths(month, 1) === month}
          onClick={() => onMonth(addMonths(month, 1))}
        >
          <ChevronRight aria-hidden size={16} />
        </IconButton>
      </div>
      <YearStrip keeper={keeper} year={year} onDay={onDay} />
    </div>
  )
}

/** Applied with the fourth digit, Enter, or when the field is left. */
function YearField({ year, onYear }: { year: string; onYear: (year: string) => void }) {
  const [typed, setTyped] = useState(String(Number(year)))
  useEffect(() => setTyped(String(Number(year))), [year])
  function apply(text: string) {
    const next = Number(text)
    if (text === '' || !Number.isInteger(next) || next < 0 || next > 9999) return setTyped(String(Number(year)))
    const padded = String(next).padStart(4, '0')
    if (padded !== year) onYear(padded)
  }
  return (
    <NumberField
      label="Year"
      labelHidden
      inputMode="numeric"
      min={0}
      max={9999}
      step={1}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        if (/^\d{4}$/.test(event.currentTarget.value)) apply(event.currentTarget.value)
      }}
      onKeyDown={(event) => event.key === 'Enter' && apply(event.currentTarget.value)}
      onBlur={(event) => apply(event.currentTarget.value)}
      className="w-24"
    />
  )
}

/** Earlier years are reached with the field. */
const maxYears = 200

function YearStrip({ keeper, year, onDay }: { keeper: Keeper; year: string; onDay: (day: string) => void }) {
  const { data: years = [] } = useMomentYears(keeper)
  if (years.length < 2 && years[0]?.year === year) return null
  return (
    <FilterChips
      label="Years with moments"
      value={year}
      onValueChange={(next) => onDay(years.find((one) => one.year === next)?.first ?? `${next}-01-01`)}
      options={years.slice(-maxYears).map(({ year: value, count }) => ({ value, label: String(Number(value)), count }))}
      className="mb-3 max-h-28 overflow-y-auto"
    />
  )
}
