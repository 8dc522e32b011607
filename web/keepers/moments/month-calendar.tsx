import { ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { QueryError } from '#web/queries/query-error.tsx'
import { QueryStatus } from '#web/queries/query-status.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { FilterChips } from '#web/ui/controls/filter-chips.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { ShowMore } from '#web/ui/controls/show-more.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Popover } from '#web/ui/overlays/popover.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { addDays } from '#web/ui/text/days.ts'
import { pluralize } from '#web/ui/text/pluralize.ts'
import {
  addMonths,
  countByDay,
  formatDay,
  formatLongDay,
  formatMonth,
  getToday,
  getWeekday,
  getWeeks,
  monthNames,
} from './format-day.ts'
import { DayHeading } from './moment-body.tsx'
import { MomentCard } from './moment-card.tsx'
import { moodLabels, moodScores } from './moment-draft.ts'
import { useMomentCalendar, useMoments, useMomentYears } from './moment-queries.ts'
import { usePageKeys } from './use-page-keys.ts'

interface MonthCalendarProps {
  keeper: Keeper
  day: string
  setDay: (day: string) => void
  openTopic: (name: string) => void
}

type DayStats = { count: number; mood: number | null }
const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** A month grid with the selected day below it. Arrow keys move by day, Page Up and Page Down by month, with Shift by year. */
export function MonthCalendar({ keeper, day, setDay, openTopic }: MonthCalendarProps) {
  const month = day.slice(0, 7)
  const weeks = getWeeks(month)
  const from = weeks[0]?.[0] ?? day
  const to = weeks.at(-1)?.at(-1) ?? day
  const query = useMomentCalendar(keeper, from, to)
  const statsByDate = new Map<string, DayStats>((query.data ?? []).map(({ date, ...stats }) => [date, stats]))
  const gridRef = useRef<HTMLDivElement>(null)
  const wasMovedByKey = useRef(false)
  useEffect(() => {
    if (!wasMovedByKey.current) return
    wasMovedByKey.current = false
    gridRef.current?.querySelector<HTMLElement>(`[data-date="${day}"]`)?.focus()
  }, [day])
  usePageKeys({ '[': () => setDay(addDays(day, -1)), ']': () => setDay(addDays(day, 1)) })

  const getSameDayIn = (targetMonth: string) => {
    const days = getWeeks(targetMonth)
      .flat()
      .filter((date) => date.startsWith(targetMonth))
    return days[Math.min(Number(day.slice(8)), days.length) - 1] ?? `${targetMonth}-01`
  }
  function handleKeyDown(event: KeyboardEvent) {
    const weekday = getWeekday(day)
    const targetDays: Record<string, string> = {
      ArrowLeft: addDays(day, -1),
      ArrowRight: addDays(day, 1),
      ArrowUp: addDays(day, -7),
      ArrowDown: addDays(day, 7),
      Home: addDays(day, -weekday),
      End: addDays(day, 6 - weekday),
      PageUp: getSameDayIn(addMonths(month, event.shiftKey ? -12 : -1)),
      PageDown: getSameDayIn(addMonths(month, event.shiftKey ? 12 : 1)),
    }
    const targetDay = targetDays[event.key]
    if (!targetDay || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    wasMovedByKey.current = true
    setDay(targetDay)
  }

  return (
    <div className="max-w-[788px]">
      <CalendarHead keeper={keeper} month={month} setDay={setDay} setMonth={(next) => setDay(getSameDayIn(next))} />
      {query.error && !query.data ? (
        <QueryError query={query} title="The calendar couldn’t be loaded" />
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: rows of buttons, as in the grid pattern
        <div
          ref={gridRef}
          role="grid"
          aria-label={formatMonth(month)}
          tabIndex={-1}
          onKeyDown={handleKeyDown}
          data-chrome
          className="overflow-hidden rounded-lg border border-border bg-card"
        >
          {/* biome-ignore lint/a11y/useSemanticElements: as above */}
          {/* biome-ignore lint/a11y/useFocusableInteractive: headings do not take focus */}
          <div role="row" className="grid grid-cols-7 border-b border-border">
            {weekdays.map((name) => (
              // biome-ignore lint/a11y/useSemanticElements: as above
              // biome-ignore lint/a11y/useFocusableInteractive: headings do not take focus
              <div
                key={name}
                role="columnheader"
                aria-label={name}
                className="px-2 py-1.5 text-small font-label text-muted-foreground"
              >
                {name.slice(0, 3)}
              </div>
            ))}
          </div>
          {weeks.map((week) => (
            // biome-ignore lint/a11y/useSemanticElements: as above
            // biome-ignore lint/a11y/useFocusableInteractive: its days take focus
            <div key={week[0]} role="row" className="grid grid-cols-7 not-last:border-b not-last:border-hairline">
              {week.map((date) => (
                <CalendarDay
                  key={date}
                  date={date}
                  stats={statsByDate.get(date)}
                  isOutsideMonth={!date.startsWith(month)}
                  isChosen={date === day}
                  onChoose={() => setDay(date)}
                />
              ))}
            </div>
          ))}
        </div>
      )}
      {query.data?.some(({ mood }) => mood !== null) && <MoodLegend />}
      <ChosenDay keeper={keeper} day={day} openTopic={openTopic} />
    </div>
  )
}

interface CalendarDayProps {
  date: string
  stats: DayStats | undefined
  isOutsideMonth: boolean
  isChosen: boolean
  onChoose: () => void
}

function CalendarDay({ date, stats, isOutsideMonth, isChosen, onChoose }: CalendarDayProps) {
  const mood = stats?.mood ?? null
  // One text node, because screen readers add a pause between several.
  const labelParts = [
    formatLongDay(date),
    stats ? pluralize(stats.count, 'moment') : 'no moments',
    ...(mood === null ? [] : [`mood ${moodLabels[Math.round(mood)]?.toLowerCase()}`]),
  ]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a selected cell, as in the grid pattern
    // biome-ignore lint/a11y/useFocusableInteractive: the button in it takes focus
    <div
      role="gridcell"
      aria-selected={isChosen}
      className="not-last:border-e not-last:border-hairline"
      style={{ gridColumnStart: getWeekday(date) + 1 }}
    >
      <button
        type="button"
        data-date={date}
        tabIndex={isChosen ? 0 : -1}
        aria-current={date === getToday() ? 'date' : undefined}
        onClick={onChoose}
        className={classNames(
          'flex h-[68px] w-full flex-col items-start gap-1 px-2 py-1.5 text-start text-ui tabular-nums transition-colors duration-120 hover:bg-fill focus-visible:-outline-offset-2 phone:h-14',
          isOutsideMonth && 'text-muted-foreground',
          isChosen && 'bg-ribbon-soft font-semibold text-ribbon-text',
        )}
      >
        <span className="sr-only">{labelParts.join(', ')}</span>
        <span aria-hidden className="flex w-full items-start justify-between gap-1 leading-[1.125rem]">
          <span className={date === getToday() ? 'border-b-2 border-ribbon' : undefined}>{Number(date.slice(8))}</span>
          {stats && (
            <span className="rounded-full bg-secondary px-1.5 text-micro leading-4 font-semibold text-secondary-foreground">
              {stats.count}
            </span>
          )}
        </span>
        {mood !== null && <MoodBar mood={mood} className="mt-auto w-full" />}
      </button>
    </div>
  )
}

/** Grows from the middle: to the left for low moods, to the right for good ones. */
function MoodBar({ mood, className }: { mood: number; className: string }) {
  const widthPercent = Math.abs(mood) * 25
  const isNearlyEven = Math.round(mood * 4) === 0
  return (
    <svg aria-hidden="true" className={classNames('h-2', className)}>
      <rect y="3" width="100%" height="2" rx="1" className="fill-border" />
      {isNearlyEven ? (
        <circle cx="50%" cy="4" r="3.5" className="fill-muted-foreground" />
      ) : (
        <rect
          x={`${mood > 0 ? 50 : 50 - widthPercent}%`}
          y="1"
          width={`${widthPercent}%`}
          height="6"
          rx="3"
          className={mood > 0 ? 'fill-chart3' : 'fill-chart4'}
        />
      )}
    </svg>
  )
}

function MoodLegend() {
  return (
    <p aria-hidden className="mt-2.5 flex flex-wrap gap-x-5 gap-y-1 text-small text-muted-foreground">
      {moodScores.map((mood) => (
        <span key={mood} className="flex items-center gap-2">
          <MoodBar mood={mood} className="w-10" />
          {moodLabels[mood]}
        </span>
      ))}
    </p>
  )
}

function ChosenDay({ keeper, day, openTopic }: { keeper: Keeper; day: string; openTopic: (name: string) => void }) {
  const momentsQuery = useMoments(keeper, { from: day, to: day })
  const { items } = momentsQuery
  return (
    <section aria-label={formatDay(day)} className="mt-5">
      <DayHeading day={day} count={countByDay(items, momentsQuery.hasNextPage).get(day)} />
      {!momentsQuery.data && (
        <QueryStatus query={momentsQuery} title="This day couldn’t be loaded" skeletonClassName="h-24" />
      )}
      {momentsQuery.data && items.length === 0 && (
        <EmptyPanel drawing="path" title="No moments on this day">
          To add a moment, write it above and set “When” to this day.
        </EmptyPanel>
      )}
      {items.map((moment) => (
        <MomentCard key={moment.id} keeper={keeper} moment={moment} openTopic={openTopic} />
      ))}
      {momentsQuery.hasNextPage && <ShowMore {...momentsQuery} label="Show earlier" size="medium" />}
    </section>
  )
}

interface CalendarHeadProps {
  keeper: Keeper
  month: string
  setDay: (day: string) => void
  setMonth: (month: string) => void
}

/** Arrows and a picker for the month, and links to the years that have moments, so that no day is far away. */
function CalendarHead({ keeper, month, setDay, setMonth }: CalendarHeadProps) {
  const [year = '', monthNumber = ''] = month.split('-')
  return (
    <div data-chrome>
      <div className="mb-3 flex items-center gap-2">
        <h2 aria-live="polite" className="me-auto">
          <Popover
            label="Go to a month"
            trigger={
              <button
                type="button"
                className="-ms-2 flex items-center gap-1.5 rounded-md px-2 py-1 transition-colors duration-120 hover:bg-fill phone:min-h-10 phone:text-h3"
              >
                {formatMonth(month)}
                <ChevronDown aria-hidden size={16} className="text-muted-foreground" />
              </button>
            }
            className="flex gap-2"
          >
            <SelectField
              label="Month"
              value={monthNumber}
              onChange={(event) => setMonth(`${year}-${event.currentTarget.value}`)}
              options={monthNames.map((label, index) => ({ value: String(index + 1).padStart(2, '0'), label }))}
              className="w-36"
            />
            <YearField year={year} setYear={(next) => setMonth(`${next}-${monthNumber}`)} />
          </Popover>
        </h2>
        <IconButton
          label="Previous month"
          outlined
          disabled={addMonths(month, -1) === month}
          onClick={() => setMonth(addMonths(month, -1))}
        >
          <ChevronLeft aria-hidden size={16} />
        </IconButton>
        <Button onClick={() => setDay(getToday())}>Today</Button>
        <IconButton
          label="Next month"
          outlined
          disabled={addMonths(month, 1) === month}
          onClick={() => setMonth(addMonths(month, 1))}
        >
          <ChevronRight aria-hidden size={16} />
        </IconButton>
      </div>
      <YearStrip keeper={keeper} year={year} setDay={setDay} />
    </div>
  )
}

/** Applies the year at its fourth digit, on Enter and on blur. */
function YearField({ year, setYear }: { year: string; setYear: (year: string) => void }) {
  const [yearText, setYearText] = useState(String(Number(year)))
  useEffect(() => setYearText(String(Number(year))), [year])
  function apply(text: string) {
    const typedYear = Number(text)
    const isYear = text !== '' && Number.isInteger(typedYear) && typedYear >= 0 && typedYear <= 9999
    if (!isYear) return setYearText(String(Number(year)))
    const paddedYear = String(typedYear).padStart(4, '0')
    if (paddedYear !== year) setYear(paddedYear)
  }
  return (
    <NumberField
      label="Year"
      inputMode="numeric"
      min={0}
      max={9999}
      step={1}
      value={yearText}
      onChange={(event) => {
        setYearText(event.currentTarget.value)
        if (/^\d{4}$/.test(event.currentTarget.value)) apply(event.currentTarget.value)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply(event.currentTarget.value)
      }}
      onBlur={(event) => apply(event.currentTarget.value)}
      className="w-24"
    />
  )
}

/** The year field reaches earlier years. */
const maxYearChips = 200

function YearStrip({ keeper, year, setDay }: { keeper: Keeper; year: string; setDay: (day: string) => void }) {
  const { data: years = [] } = useMomentYears(keeper)
  if (years.length < 2 && years[0]?.year === year) return null
  return (
    <FilterChips
      label="Years with moments"
      value={year}
      onValueChange={(next) => setDay(years.find((option) => option.year === next)?.first ?? `${next}-01-01`)}
      options={years
        .slice(-maxYearChips)
        .map(({ year: value, count }) => ({ value, label: String(Number(value)), count }))}
      className="mb-3 max-h-28 overflow-y-auto"
    />
  )
}
