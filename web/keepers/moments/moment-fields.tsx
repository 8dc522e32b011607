import { AudioLines, Clock, Heading, ImagePlus, MapPin, Route, SmilePlus, Tag } from 'lucide-react'
import { type ReactNode, type Ref, useId, useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { truncate } from '#contract/truncate.ts'
import { ChipInput } from '#web/ui/chip-input.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ReadOnlyWhile } from '#web/ui/read-only-while.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { getTransferFiles, MediaPicker, PickFiles } from '../media/media-picker.tsx'
import type { useUploads } from '../media/use-uploads.ts'
import { LocalTimeField } from './local-time-field.tsx'
import { useJourneyChoices } from './moment-queries.ts'
import { formatLocalTime, formatMood, type MomentWriting } from './moment-writing.ts'
import { MoodField } from './mood-field.tsx'
import { PlaceField } from './place-field.tsx'

interface MomentFieldsProps {
  keeper: Keeper
  value: MomentWriting
  /** Takes an updater, because uploads finish at any time. */
  onValueChange: (change: (value: MomentWriting) => MomentWriting) => void
  uploads: ReturnType<typeof useUploads>
  textRef?: Ref<HTMLTextAreaElement>
  placeholder?: string
  /** Omits the title and the AI switch. */
  compact?: boolean
  isNew?: boolean
  readOnly?: boolean
  saving?: boolean
  /** Shown below the tools; its space is always reserved. */
  status?: ReactNode
  /** Buttons at the end of the tool row. */
  children: ReactNode
}

export const defaultMomentQuestion = 'What is worth keeping from today?'

type Detail = 'mood' | 'place' | 'topics' | 'when' | 'journey' | 'title'

export function MomentFields(props: MomentFieldsProps) {
  const { keeper, value, onValueChange, uploads, textRef, placeholder, compact = false, isNew = false } = props
  const { saving = false } = props
  const [open, setOpen] = useState<Detail | null>(null)
  const [dragging, setDragging] = useState(false)
  const panel = useId()
  const addFiles = saving ? () => {} : uploads.add
  const set = (change: Partial<MomentWriting>) => onValueChange((previous) => ({ ...previous, ...change }))
  const detail = (id: Detail, label: string, Icon: typeof Clock, chosen: string | null) => (
    <Tool
      label={chosen ?? label}
      ariaLabel={chosen === null ? label : `${label}: ${chosen}`}
      chosen={chosen !== null}
      Icon={Icon}
      open={open === id}
      panel={panel}
      onClick={() => setOpen(open === id ? null : id)}
    />
  )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped anywhere on it; the buttons offer the same
    <div
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setDragging(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDragging(false)
      }}
      onDrop={(event) => {
        setDragging(false)
        const files = getTransferFiles(event.dataTransfer)
        if (files.length === 0) return
        event.preventDefault()
        addFiles(files)
      }}
      className={classNames(
        'rounded-[inherit] p-4 pb-2',
        dragging && 'bg-ribbon-soft outline-2 outline-offset-[-6px] outline-ribbon outline-dashed',
      )}
    >
      <textarea
        ref={textRef}
        aria-label={isNew ? defaultMomentQuestion : 'What happened'}
        aria-keyshortcuts={isNew ? 'C M' : undefined}
        placeholder={placeholder}
        rows={isNew ? 2 : 4}
        value={value.body}
        readOnly={props.readOnly}
        onChange={(event) => set({ body: event.currentTarget.value })}
        onPaste={(event) => {
          const files = getTransferFiles(event.clipboardData)
          if (files.length === 0 || event.clipboardData.types.includes('text/plain')) return
          event.preventDefault()
          addFiles(files)
        }}
        className="field-sizing-content block max-h-[60vh] min-h-[60px] w-full resize-none rounded-xs bg-transparent px-2 py-0.5 font-serif text-read placeholder:text-muted-foreground placeholder:italic focus-visible:outline-2 focus-visible:outline-offset-2"
      />
      <ReadOnlyWhile while={saving}>
        <div className="mt-2 flex flex-col gap-3 empty:hidden">
          <MediaPicker value={value.media} onValueChange={(media) => set({ media })} uploads={uploads} />
        </div>
      </ReadOnlyWhile>
      <div className="mt-2.5 flex flex-wrap items-center gap-x-0.5 gap-y-2">
        <ReadOnlyWhile while={saving}>
          <PickFiles
            kinds={['image', 'video']}
            size="small"
            icon={<ImagePlus aria-hidden size={15} />}
            onFiles={uploads.add}
          >
            <span className="phone:sr-only">Picture</span>
          </PickFiles>
          <PickFiles kinds={['audio']} size="small" icon={<AudioLines aria-hidden size={15} />} onFiles={uploads.add}>
            <span className="phone:sr-only">Sound</span>
          </PickFiles>
          {detail('mood', 'Mood', SmilePlus, value.mood && formatMood(value.mood))}
          {detail('place', 'Place', MapPin, value.place?.name || null)}
          {detail('topics', 'Topics', Tag, value.topics.length > 0 ? value.topics.join(', ') : null)}
          {detail('when', 'When', Clock, value.lived && formatLocalTime(value.lived))}
          {detail('journey', 'Journey', Route, value.journeyId ? 'On a journey' : null)}
          {!compact && detail('title', 'Title', Heading, value.title.trim() || null)}
        </ReadOnlyWhile>
        <div className="ms-auto flex flex-wrap items-center gap-x-4 gap-y-2">
          {!compact && (
            <ReadOnlyWhile while={saving}>
              <Switch
                label="Not for AI"
                checked={!value.aiVisible}
                onCheckedChange={(hidden) => set({ aiVisible: !hidden })}
                className="items-center text-small"
              />
            </ReadOnlyWhile>
          )}
          {props.children}
        </div>
      </div>
      <p role="status" className="mt-1.5 min-h-4 text-end text-small text-muted-foreground phone:min-h-8">
        {props.status}
      </p>
      {open && (
        // The panel takes focus, and Enter in it doesn't save the moment.
        // biome-ignore lint/a11y/noStaticElementInteractions: only handles keys that bubble up from its fields
        <div
          key={open}
          id={panel}
          ref={focusFirstControl}
          onKeyDown={(event) => {
            const isLine = event.target instanceof HTMLInputElement && event.target.type === 'text'
            const closes = event.key === 'Escape' || (event.key === 'Enter' && isLine && open !== 'topics')
            if (event.key === 'Enter' && isLine && !event.ctrlKey && !event.metaKey) event.preventDefault()
            if (!closes || event.ctrlKey || event.metaKey) return
            event.stopPropagation()
            setOpen(null)
            document.querySelector<HTMLElement>(`[aria-controls="${panel}"]`)?.focus()
          }}
          className="mt-2.5 animate-fade rounded-md border border-hairline px-3 py-3"
        >
          <ReadOnlyWhile while={saving}>
            <OpenDetail detail={open} keeper={keeper} value={value} change={onValueChange} set={set} isNew={isNew} />
          </ReadOnlyWhile>
        </div>
      )}
    </div>
  )
}

/** Takes focus so that the next key isn't handled as a page shortcut. */
function focusFirstControl(box: HTMLElement | null): void {
  box?.querySelector<HTMLElement>('input:checked, input, select')?.focus()
}

interface OpenDetailProps {
  detail: Detail
  keeper: Keeper
  value: MomentWriting
  change: MomentFieldsProps['onValueChange']
  set: (change: Partial<MomentWriting>) => void
  isNew: boolean
}

function OpenDetail({ detail, keeper, value, change, set, isNew }: OpenDetailProps) {
  if (detail === 'mood') return <MoodField value={value.mood} onValueChange={(mood) => set({ mood })} />
  if (detail === 'place')
    return (
      <PlaceField
        value={value.place}
        onValueChange={(update) => change((previous) => ({ ...previous, place: update(previous.place) }))}
      />
    )
  if (detail === 'when')
    return (
      <LocalTimeField value={value.lived} onValueChange={(localTime) => set({ lived: localTime })} canBeNow={isNew} />
    )
  if (detail === 'title')
    return (
      <TextField
        label="Title"
        labelHidden
        placeholder="A title for this moment"
        maxLength={200}
        value={value.title}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
    )
  if (detail === 'topics')
    return (
      <ChipInput
        label="Topics"
        value={value.topics}
        onValueChange={(topics) => set({ topics: topics.slice(0, 30) })}
        normalize={(topic) => truncate(topic.trim(), 80)}
        placeholder="For example: Per, Bergen"
        help="Press Enter or comma after each."
      />
    )
  return <JourneyField keeper={keeper} value={value.journeyId} onValueChange={(journeyId) => set({ journeyId })} />
}

interface JourneyFieldProps {
  keeper: Keeper
  value: string | null
  onValueChange: (value: string | null) => void
}

function JourneyField({ keeper, value, onValueChange }: JourneyFieldProps) {
  const { data, error, refetch } = useJourneyChoices(keeper, true)
  return (
    <SelectField
      label="Journey"
      value={value ?? ''}
      onChange={(event) => onValueChange(event.currentTarget.value || null)}
      options={[{ value: '', label: 'None' }, ...(data ?? []).map(({ id, title }) => ({ value: id, label: title }))]}
      help={data?.length === 0 ? 'This keeper has no journeys yet.' : undefined}
      error={error ? 'Journeys couldn’t be loaded.' : undefined}
      fix={{ label: 'Retry', onFix: () => void refetch() }}
    />
  )
}

interface ToolProps {
  label: string
  ariaLabel: string
  chosen: boolean
  Icon: typeof Clock
  open: boolean
  panel: string
  onClick: () => void
}

function Tool({ label, ariaLabel, chosen, Icon, open, panel, onClick }: ToolProps) {
  return (
    <button
      type="button"
      aria-label={ariaLabel}
      aria-expanded={open}
      aria-controls={open ? panel : undefined}
      onClick={onClick}
      className={classNames(
        'inline-flex h-7 max-w-44 items-center gap-[5px] rounded-sm px-1.5 text-small leading-none font-label transition-colors duration-120 hover:bg-fill aria-expanded:bg-fill phone:h-[34px] phone:min-w-[34px] phone:justify-center',
        chosen && 'bg-ribbon-soft text-ribbon-text',
      )}
    >
      <Icon aria-hidden size={15} className="shrink-0" />
      <span className={classNames('truncate leading-4', !chosen && 'phone:hidden')}>{label}</span>
    </button>
  )
}
