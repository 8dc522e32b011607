import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Book, Feather, FileCode, LayoutDashboard, Route, Stamp } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { keeperListQuery } from '#web/keepers/keeper-queries.ts'
import { formatDay } from '#web/keepers/moments/format-day.ts'
import { toPlainExcerpt } from '#web/keepers/reflections/plain-excerpt.ts'
import { useDebouncedText } from '#web/ui/hooks/use-debounced-text.ts'
import { boardListQuery } from '../board-queries.ts'
import { AgentPicker } from './agent-picker.tsx'
import { EntityPicker, type EntityPickerProps } from './entity-picker.tsx'
import { journeyListQuery, momentSearchQuery } from './entity-queries.ts'
import type { PreviewedEntity } from './preview-frame.tsx'

interface PreviewPickerProps {
  onChoose: (entity: PreviewedEntity, entityId: string) => void
  onPage: () => void
  onCancel: (() => void) | undefined
}

const kinds: { kind: PreviewedEntity | 'page'; label: string; icon: ReactNode }[] = [
  { kind: 'moment', label: 'A moment', icon: <Feather aria-hidden size={15} /> },
  { kind: 'journey', label: 'A journey', icon: <Route aria-hidden size={15} /> },
  { kind: 'keeper', label: 'A keeper', icon: <Book aria-hidden size={15} /> },
  { kind: 'agent', label: 'An agent', icon: <Stamp aria-hidden size={15} /> },
  { kind: 'board', label: 'A board', icon: <LayoutDashboard aria-hidden size={15} /> },
  { kind: 'page', label: 'A page', icon: <FileCode aria-hidden size={15} /> },
]

/** Asks for the kind of entity first, then for the entity. */
export function PreviewPicker({ onChoose, onPage, onCancel }: PreviewPickerProps) {
  const [kind, setKind] = useState<PreviewedEntity>()
  const [keeperId, setKeeperId] = useState<string>()
  const backButton = (
    <BackButton
      onBack={() => {
        if (keeperId) return setKeeperId(undefined)
        setKind(undefined)
      }}
    />
  )
  if (!kind) {
    return (
      <div className="flex min-h-full flex-col gap-2 px-3 py-2.5">
        <p className="font-serif text-[16px] leading-[22px]">What do you want to see here?</p>
        <ul className="-mx-1 grid grid-cols-[repeat(auto-fill,minmax(116px,1fr))] gap-1">
          {kinds.map(({ kind: optionKind, label, icon }) => (
            <li key={optionKind}>
              <button
                type="button"
                onClick={() => (optionKind === 'page' ? onPage() : setKind(optionKind))}
                className="flex min-h-8 w-full items-center gap-2 rounded-md border border-border bg-card px-2 py-1.5 text-start text-ui hover:border-input hover:bg-muted phone:min-h-10"
              >
                {icon}
                {label}
              </button>
            </li>
          ))}
        </ul>
        {onCancel && <BackButton onBack={onCancel} label="Keep the current item" />}
      </div>
    )
  }
  const choose = (id: string) => onChoose(kind, id)
  if (kind === 'agent') {
    return (
      <AgentPicker title="Which agent?" onChoose={choose}>
        {backButton}
      </AgentPicker>
    )
  }
  if (kind === 'board') return <BoardPicker onChoose={choose}>{backButton}</BoardPicker>
  if (kind === 'keeper' || !keeperId) {
    return (
      <KeeperPicker
        title={kind === 'keeper' ? 'Which keeper?' : 'From which keeper?'}
        onChoose={kind === 'keeper' ? choose : setKeeperId}
      >
        {backButton}
      </KeeperPicker>
    )
  }
  const EntryPicker = kind === 'journey' ? JourneyPicker : MomentPicker
  return (
    <EntryPicker keeperId={keeperId} onChoose={choose}>
      {backButton}
    </EntryPicker>
  )
}

function BackButton({ onBack, label = 'Back' }: { onBack: () => void; label?: string }) {
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

interface EntityPickProps extends Pick<EntityPickerProps, 'onChoose' | 'children'> {}

function KeeperPicker({ title, ...props }: EntityPickProps & { title: string }) {
  const { data, error, refetch } = useQuery(keeperListQuery)
  return (
    <EntityPicker
      {...props}
      title={title}
      searchLabel="Search keepers"
      choices={data?.map(({ id, title: label, purpose: detail }) => ({ id, label, detail }))}
      problem={error}
      onRetry={refetch}
      empty="You have no keepers yet."
    />
  )
}

function JourneyPicker({ keeperId, ...props }: EntityPickProps & { keeperId: string }) {
  const { data, error, refetch } = useQuery(journeyListQuery(keeperId))
  return (
    <EntityPicker
      {...props}
      title="Which journey?"
      searchLabel="Search journeys"
      choices={data?.map(({ id, title: label, status: detail }) => ({ id, label, detail }))}
      problem={error}
      onRetry={refetch}
      empty="This keeper has no journeys yet."
    />
  )
}

function MomentPicker({ keeperId, ...props }: EntityPickProps & { keeperId: string }) {
  const [q, setQ] = useState('')
  // Keeps previous results, and the focus in them, while loading.
  const momentsQuery = { ...momentSearchQuery(keeperId, useDebouncedText(q)), placeholderData: keepPreviousData }
  const { data, error, refetch } = useQuery(momentsQuery)
  return (
    <EntityPicker
      {...props}
      title="Which moment?"
      searchLabel="Search moments"
      choices={data?.map(({ id, title, body, localDate }) => ({
        id,
        label: title || toPlainExcerpt(body, 120) || 'A picture',
        detail: formatDay(localDate),
      }))}
      problem={error}
      onRetry={refetch}
      search={{ value: q, onChange: setQ }}
      empty="This keeper has no moments yet."
    />
  )
}

function BoardPicker(props: EntityPickProps) {
  const { data, error, refetch } = useQuery(boardListQuery)
  const isLoaded = data?.source === 'server'
  return (
    <EntityPicker
      {...props}
      title="Which board?"
      searchLabel="Search boards"
      choices={
        isLoaded ? data.boards.map(({ id, name: label, description: detail }) => ({ id, label, detail })) : undefined
      }
      problem={error ?? (data && !isLoaded ? new Error('Your boards couldn’t be loaded.') : null)}
      onRetry={refetch}
      empty="You have no other boards yet."
    />
  )
}
