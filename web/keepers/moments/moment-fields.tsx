import { AudioLines, Clock, Heading, ImagePlus, MapPin, Route, SmilePlus, Tag } from 'lucide-react'
import { type ReactNode, type Ref, useId, useState } from 'react'
import type { Keeper } from '#contract/keepers/keepers.ts'
import { truncate } from '#contract/truncate.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { ChipInput } from '#web/ui/fields/chip-input.tsx'
import { ReadOnlyWhile } from '#web/ui/fields/read-only-while.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { useJourneys } from '../journeys/journey-queries.ts'
import type { useUploads } from '../media/form-uploads.ts'
import { getTransferFiles, MediaPicker, PickFiles } from '../media/media-picker.tsx'
import { formatLocalTime, formatMood, type MomentWriting, moodLabels } from './moment-writing.ts'
import { LocalTimeField, PhotoOriginOffer, PlaceField } from './place-field.tsx'

interface MoodFieldProps {
  value: MomentWriting['mood']
  onValueChange: (value: MomentWriting['mood']) => void
}

const moodScores = [-2, -1, 0, 1, 2]

function MoodField({ value, onValueChange }: MoodFieldProps) {
  return (
    <div className="flex flex-wrap items-end gap-3">
      <SegmentedControl
        label="Mood"
        options={moodScores.map((score) => ({ value: String(score), label: moodLabels[score] }))}
        value={value ? String(value.score) : ''}
        onValueChange={(score) => onValueChange({ score: Number(score), label: value?.label ?? '' })}
      />
      {value && (
        <>
          <TextField
            label="In your own words"
            labelHidden
            placeholder="In your own words"
            maxLength={40}
            value={value.label}
            onChange={(event) => onValueChange({ ...value, label: event.currentTarget.value })}
            className="w-44 phone:flex-1"
          />
          <Button variant="plain" onClick={() => onValueChange(null)}>
            No mood
          </Button>
        </>
      )}
    </div>
  )
}

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

type DetailName = 'mood' | 'place' | 'topics' | 'when' | 'journey' | 'title'

export function MomentFields(props: MomentFieldsProps) {
  const { keeper, value, onValueChange, uploads, textRef, placeholder, compact = false, isNew = false } = props
  const { saving = false } = props
  const [openDetail, setOpenDetail] = useState<DetailName | null>(null)
  const [dragging, setDragging] = useState(false)
  const panelId = useId()
  const addFiles = saving ? () => {} : uploads.add
  const set = (change: Partial<MomentWriting>) => onValueChange((previous) => ({ ...previous, ...change }))
  const renderDetailTool = (id: DetailName, label: string, Icon: typeof Clock, chosen: string | null) => (
    <DetailTool
      label={chosen ?? label}
      ariaLabel={chosen === null ? label : `${label}: ${chosen}`}
      isChosen={chosen !== null}
      Icon={Icon}
      isOpen={openDetail === id}
      panelId={panelId}
      onClick={() => setOpenDetail(openDetail === id ? null : id)}
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
          {isNew && <PhotoOriginOffer value={value} onValueChange={onValueChange} />}
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
          {renderDetailTool('mood', 'Mood', SmilePlus, value.mood && formatMood(value.mood))}
          {renderDetailTool('place', 'Place', MapPin, value.place?.name || null)}
          {renderDetailTool('topics', 'Topics', Tag, value.topics.length > 0 ? value.topics.join(', ') : null)}
          {renderDetailTool('when', 'When', Clock, value.lived && formatLocalTime(value.lived))}
          {renderDetailTool('journey', 'Journey', Route, value.journeyId ? 'On a journey' : null)}
          {!compact && renderDetailTool('title', 'Title', Heading, value.title.trim() || null)}
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
      {openDetail && (
        // The panel takes focus, and Enter in it doesn't save the moment.
        // biome-ignore lint/a11y/noStaticElementInteractions: only handles keys that bubble up from its fields
        <div
          key={openDetail}
          id={panelId}
          ref={focusFirstControl}
          onKeyDown={(event) => {
            const isSingleLineInput = event.target instanceof HTMLInputElement && event.target.type === 'text'
            const shouldClose =
              event.key === 'Escape' || (event.key === 'Enter' && isSingleLineInput && openDetail !== 'topics')
            if (event.key === 'Enter' && isSingleLineInput && !event.ctrlKey && !event.metaKey) event.preventDefault()
            if (!shouldClose || event.ctrlKey || event.metaKey) return
            event.stopPropagation()
            setOpenDetail(null)
            document.querySelector<HTMLElement>(`[aria-controls="${panelId}"]`)?.focus()
          }}
          className="mt-2.5 animate-fade rounded-md border border-hairline px-3 py-3"
        >
          <ReadOnlyWhile while={saving}>
            <DetailPanel
              detail={openDetail}
              keeper={keeper}
              value={value}
              onChange={onValueChange}
              set={set}
              isNew={isNew}
            />
          </ReadOnlyWhile>
        </div>
      )}
    </div>
  )
}

/** Takes focus so that the next key isn't handled as a page shortcut. */
function focusFirstControl(panel: HTMLElement | null): void {
  panel?.querySelector<HTMLElement>('input:checked, input, select')?.focus()
}

interface DetailPanelProps {
  detail: DetailName
  keeper: Keeper
  value: MomentWriting
  onChange: MomentFieldsProps['onValueChange']
  set: (change: Partial<MomentWriting>) => void
  isNew: boolean
}

function DetailPanel({ detail, keeper, value, onChange, set, isNew }: DetailPanelProps) {
  if (detail === 'mood') return <MoodField value={value.mood} onValueChange={(mood) => set({ mood })} />
  if (detail === 'place')
    return (
      <PlaceField
        value={value.place}
        onValueChange={(update) => onChange((previous) => ({ ...previous, place: update(previous.place) }))}
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
  const { data, error, refetch } = useJourneys(keeper)
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

interface DetailToolProps {
  label: string
  ariaLabel: string
  isChosen: boolean
  Icon: typeof Clock
  isOpen: boolean
  panelId: string
  onClick: () => void
}

function DetailTool({ label, ariaLabel, isChosen, Icon, isOpen, panelId, onClick }: DetailToolProps) {
  return (
    <button
      type="button"
      aria-label={ariaLabel}
      aria-expanded={isOpen}
      aria-controls={isOpen ? panelId : undefined}
      onClick={onClick}
      className={classNames(
        'inline-flex h-7 max-w-44 items-center gap-[5px] rounded-sm px-1.5 text-small leading-none font-label transition-colors duration-120 hover:bg-fill aria-expanded:bg-fill phone:h-[34px] phone:min-w-[34px] phone:justify-center',
        isChosen && 'bg-ribbon-soft text-ribbon-text',
      )}
    >
      <Icon aria-hidden size={15} className="shrink-0" />
      <span className={classNames('truncate leading-4', !isChosen && 'phone:hidden')}>{label}</span>
    </button>
  )
}
