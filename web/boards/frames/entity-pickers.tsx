import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { maxSearchLength } from '#contract/keepers/keeper-fields.ts'
import { createTextFilter } from '#contract/search/search-query.ts'
import { useAgentList } from '#web/agents/agent-queries.ts'
import { AgentSeal } from '#web/agents/agent-seal.tsx'
import { NetworkError } from '#web/api/api.ts'
import { getPatternLabel } from '#web/keepers/keeper-labels.ts'
import { keeperListQuery } from '#web/keepers/keeper-queries.ts'
import { formatDay } from '#web/keepers/moments/format-day.ts'
import { toPlainExcerpt } from '#web/keepers/reflections/plain-excerpt.ts'
import { keeperTypesQuery } from '#web/queries/keeper-types-query.ts'
import { useMyDomains } from '#web/queries/use-my-domains.ts'
import { SearchField } from '#web/ui/fields/search-field.tsx'
import { useDebouncedText } from '#web/ui/hooks/use-debounced-text.ts'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { boardListQuery } from '../board-queries.ts'
import { journeyListQuery, momentSearchQuery } from './entity-queries.ts'
import { FrameProblem } from './frame-query.tsx'

/** Fewer choices are visible at a glance, without a search field. */
const minSearchableChoices = 6
const maxVisibleChoices = 50

interface PickerProps {
  title: string
  onChoose: (id: string) => void
  /** Rendered last, for a back button. */
  children?: ReactNode
}

interface EntityPickerProps<Entity> extends PickerProps {
  searchLabel: string
  query: { data: readonly Entity[] | undefined; error: Error | null; refetch: () => unknown }
  toChoice: (entity: Entity) => { label: string; detail?: string | undefined; picture?: ReactNode }
  /** Shown when there are no choices at all. */
  emptyText: string
  /** External search; otherwise the choices are filtered here. */
  search?: { value: string; onChange: (value: string) => void }
}

function EntityPicker<Entity extends { id: string }>(props: EntityPickerProps<Entity>) {
  const { title, searchLabel, query, toChoice, onChoose, emptyText, search, children } = props
  const [localText, setLocalText] = useState('')
  const text = search?.value ?? localText
  const isMatch = createTextFilter(text)
  const choices = query.data?.map((entity) => ({ id: entity.id, ...toChoice(entity) }))
  const visibleChoices = search ? choices : choices?.filter(({ label, detail }) => isMatch(label, detail))

  function handleKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    const choiceButtons = [...event.currentTarget.querySelectorAll<HTMLElement>('input, [data-choice]')]
    const next = choiceButtons[choiceButtons.indexOf(document.activeElement as HTMLElement) + step]
    event.preventDefault()
    next?.focus()
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move from the search field to the results
    <div onKeyDown={handleKeyDown} className="flex min-h-full flex-col gap-2 px-3 py-2.5">
      <p dir="auto" className="font-serif text-[1rem] leading-[1.375rem]">
        {title}
      </p>
      {(search || (choices && choices.length >= minSearchableChoices)) && (
        <SearchField
          label={searchLabel}
          maxLength={maxSearchLength}
          value={text}
          onValueChange={search?.onChange ?? setLocalText}
        />
      )}
      {query.error && !visibleChoices && <FrameProblem reason={query.error} onRetry={query.refetch} />}
      {!query.error && !visibleChoices && (
        <SkeletonGroup className="grid gap-2">
          <Skeleton className="h-7" />
          <Skeleton className="h-7 w-4/5" />
        </SkeletonGroup>
      )}
      {visibleChoices?.length === 0 && (
        <p className="text-ui text-muted-foreground">{text === '' ? emptyText : `Nothing found for “${text}”.`}</p>
      )}
      {visibleChoices && visibleChoices.length > 0 && (
        <ul aria-label={searchLabel} className="-mx-1.5 flex flex-col">
          {visibleChoices.slice(0, maxVisibleChoices).map(({ id, label, detail, picture }) => (
            <li key={id}>
              <button
                type="button"
                data-choice
                onClick={() => onChoose(id)}
                className="flex w-full min-w-0 items-center gap-2.5 rounded-sm px-1.5 py-1.5 text-start hover:bg-fill focus-visible:-outline-offset-2"
              >
                {picture}
                <span className="min-w-0">
                  <span dir="auto" className="block truncate text-ui leading-[1.125rem] font-label">
                    {label}
                  </span>
                  {detail && (
                    <span className="block truncate text-small leading-4 text-muted-foreground">{detail}</span>
                  )}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {children}
    </div>
  )
}

export function BackButton({ onBack, label = 'Back' }: { onBack: () => void; label?: string }) {
  return (
    <button
      type="button"
      onClick={onBack}
      className="self-start rounded-xs text-small text-muted-foreground underline underline-offset-2"
    >
      {label}
    </button>
  )
}

export function AgentPicker(props: PickerProps) {
  const { data, error, refetch } = useAgentList()
  const isLoaded = data?.source === 'server'
  const problem = error ?? (data && !isLoaded ? new NetworkError('The server couldn’t be reached.') : null)
  return (
    <EntityPicker
      {...props}
      searchLabel="Search agents"
      query={{ data: isLoaded ? data.agents : undefined, error: problem, refetch }}
      toChoice={(agent) => ({
        label: agent.name,
        detail: agent.purpose,
        picture: <AgentSeal agent={agent} size={24} className="shrink-0" />,
      })}
      emptyText="You have no agents yet. Create one in Manage Agents."
    />
  )
}

export function DomainPicker(props: PickerProps) {
  return (
    <EntityPicker
      {...props}
      searchLabel="Search domains"
      query={useMyDomains()}
      toChoice={({ name, slug }) => ({ label: name, detail: slug })}
      emptyText="You’re not in a domain yet."
    />
  )
}

export function KeeperTypePicker(props: PickerProps) {
  return (
    <EntityPicker
      {...props}
      searchLabel="Search keeper types"
      query={useQuery(keeperTypesQuery)}
      toChoice={({ name, memoryPattern }) => ({ label: name, detail: getPatternLabel(memoryPattern) })}
      emptyText="No keeper types yet."
    />
  )
}

export function KeeperPicker(props: PickerProps) {
  return (
    <EntityPicker
      {...props}
      searchLabel="Search keepers"
      query={useQuery(keeperListQuery)}
      toChoice={({ title, purpose }) => ({ label: title, detail: purpose })}
      emptyText="You have no keepers yet."
    />
  )
}

export function JourneyPicker({ keeperId, ...props }: PickerProps & { keeperId: string }) {
  return (
    <EntityPicker
      {...props}
      searchLabel="Search journeys"
      query={useQuery(journeyListQuery(keeperId))}
      toChoice={({ title, status }) => ({ label: title, detail: status })}
      emptyText="This keeper has no journeys yet."
    />
  )
}

export function MomentPicker({ keeperId, ...props }: PickerProps & { keeperId: string }) {
  const [text, setText] = useState('')
  // Keeps previous results, and the focus in them, while loading.
  const momentsQuery = { ...momentSearchQuery(keeperId, useDebouncedText(text)), placeholderData: keepPreviousData }
  return (
    <EntityPicker
      {...props}
      searchLabel="Search moments"
      query={useQuery(momentsQuery)}
      toChoice={({ title, body, localDate }) => ({
        label: title || toPlainExcerpt(body, 120) || 'A picture',
        detail: formatDay(localDate),
      })}
      search={{ value: text, onChange: setText }}
      emptyText="This keeper has no moments yet."
    />
  )
}

export function BoardPicker(props: PickerProps) {
  const { data, error, refetch } = useQuery(boardListQuery)
  const isLoaded = data?.source === 'server'
  const problem = error ?? (data && !isLoaded ? new Error('Your boards couldn’t be loaded.') : null)
  return (
    <EntityPicker
      {...props}
      searchLabel="Search boards"
      query={{ data: isLoaded ? data.boards : undefined, error: problem, refetch }}
      toChoice={({ name, description }) => ({ label: name, detail: description })}
      emptyText="You have no other boards yet."
    />
  )
}
