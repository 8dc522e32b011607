import { ImagePlus } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { getScaleMax, type TemplateAnswers, type TemplateField } from '#contract/keepers/engagement-templates.ts'
import { ChoiceCards } from '#web/ui/controls/choice-cards.tsx'
import { SegmentedControl } from '#web/ui/controls/segmented-control.tsx'
import { ChipInput } from '#web/ui/fields/chip-input.tsx'
import { NumberField } from '#web/ui/fields/number-field.tsx'
import { TextArea } from '#web/ui/fields/text-area.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { type PickedMedia, useUploads } from '../media/form-uploads.ts'
import { FilePicker, MediaPicker } from '../media/media-picker.tsx'

type FieldAnswer = TemplateAnswers[string]

interface AnswerFieldProps {
  field: TemplateField
  value: FieldAnswer | undefined
  onChange: (value: FieldAnswer | undefined) => void
  error?: string | undefined
  /** Destination of uploads; without it they are disabled. The draft key is that of {@link useUploads}. */
  uploadTarget?: { keeperId: string; draftKey: string }
  /** Reports running uploads, which leaving the question would lose. */
  onUploadingChange?: (isUploading: boolean) => void
  /** Larger inputs, for a question shown on its own. */
  isLarge?: boolean
}

export function AnswerField(props: AnswerFieldProps) {
  const { field, value, onChange, error, uploadTarget, onUploadingChange, isLarge = false } = props
  const { label, required, help } = field
  const text = typeof value === 'string' ? value : ''
  const values = Array.isArray(value) ? value : []
  const fieldProps = { label: label.trim() || 'Untitled question', required, help, error }
  switch (field.type) {
    case 'longtext':
      return (
        <TextArea
          {...fieldProps}
          serif={isLarge}
          rows={isLarge ? 9 : 3}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'text':
    case 'person':
    case 'place':
      return (
        <TextField
          {...fieldProps}
          maxLength={500}
          placeholder={{ text: undefined, person: 'A name', place: 'Where' }[field.type]}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )
    case 'date':
      return (
        <TextField {...fieldProps} type="date" value={text} onChange={(event) => onChange(event.currentTarget.value)} />
      )
    case 'number':
      return (
        <NumberField
          {...fieldProps}
          step="any"
          value={typeof value === 'number' ? value : ''}
          onNumberChange={(number) => onChange(number ?? undefined)}
        />
      )
    case 'choice':
      return (
        <div>
          <ChoiceCards
            label={fieldProps.label}
            required={required}
            error={error}
            columns={2}
            value={text === '' ? null : text}
            options={(field.options ?? []).map((option) => ({ value: option, title: option }))}
            onValueChange={onChange}
          />
          {help && <p className="text-small text-muted-foreground">{help}</p>}
        </div>
      )
    case 'scale':
      return (
        <AnswerFrame {...fieldProps}>
          <SegmentedControl
            label={`${fieldProps.label} From 1 to ${getScaleMax(field)}`}
            value={typeof value === 'number' ? String(value) : ''}
            options={Array.from({ length: getScaleMax(field) }, (_, index) => ({
              value: String(index + 1),
              label: String(index + 1),
            }))}
            onValueChange={(score) => onChange(Number(score))}
          />
        </AnswerFrame>
      )
    case 'tags':
      return (
        <ChipInput {...fieldProps} placeholder="Type a word and press Enter" value={values} onValueChange={onChange} />
      )
    case 'media':
      return uploadTarget === undefined ? (
        <MediaPlaceholder {...fieldProps} />
      ) : (
        <MediaAnswer
          {...fieldProps}
          uploadTarget={uploadTarget}
          ids={values}
          onChange={onChange}
          onUploadingChange={onUploadingChange}
        />
      )
  }
}

interface AnswerFrameProps {
  label: string
  required: boolean
  help?: string | undefined
  error?: string | undefined
}

/** Label, help and error of an answer that isn't one field. */
function AnswerFrame({ label, required, help, error, children }: AnswerFrameProps & { children: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-1.5">
      <p className="text-ui leading-[1.125rem] font-label">
        {label}
        {required && (
          <span aria-hidden className="ms-1.5 font-semibold text-destructive">
            *
          </span>
        )}
      </p>
      {children}
      <p aria-live="polite" className="text-small font-medium text-destructive empty:hidden">
        {error}
      </p>
      {help && !error && <p className="text-small text-muted-foreground">{help}</p>}
    </div>
  )
}

function MediaPlaceholder({ help, ...frame }: AnswerFrameProps) {
  return (
    <AnswerFrame {...frame} help={help || 'You can add files when answering in a keeper.'}>
      <FilePicker kinds={['image', 'audio']} onFiles={() => {}} disabled icon={<ImagePlus aria-hidden size={15} />}>
        Add pictures or sound
      </FilePicker>
    </AnswerFrame>
  )
}

interface MediaAnswerProps extends AnswerFrameProps, Pick<AnswerFieldProps, 'onUploadingChange'> {
  uploadTarget: { keeperId: string; draftKey: string }
  ids: string[]
  onChange: (ids: string[]) => void
}

function MediaAnswer({ uploadTarget, ids, onChange, onUploadingChange, ...frame }: MediaAnswerProps) {
  const [sessionMedia, setSessionMedia] = useState<PickedMedia[]>([])
  // Only ids are stored for files added before this page was opened.
  const pickedMedia = ids.map((id) => sessionMedia.find((media) => media.id === id) ?? toEarlierMedia(id))
  // Uploads can finish between renders or after unmounting.
  const latestIds = useRef(ids)
  latestIds.current = ids
  const uploads = useUploads({
    ...uploadTarget,
    kinds: ['image', 'audio'],
    ready: true,
    onPicked(media) {
      setSessionMedia((previous) => [...previous, media])
      latestIds.current = [...latestIds.current, media.id]
      onChange(latestIds.current)
    },
  })
  useEffect(() => {
    onUploadingChange?.(uploads.busy)
    return () => onUploadingChange?.(false)
  }, [uploads.busy, onUploadingChange])
  return (
    <AnswerFrame {...frame}>
      <MediaPicker
        value={pickedMedia}
        uploads={uploads}
        onValueChange={(next) => onChange(next.map((media) => media.id))}
      />
      <FilePicker kinds={['image', 'audio']} onFiles={uploads.add} icon={<ImagePlus aria-hidden size={15} />}>
        Add pictures or sound
      </FilePicker>
    </AnswerFrame>
  )
}

const toEarlierMedia = (id: string): PickedMedia => ({
  id,
  kind: 'file',
  mime: 'application/octet-stream',
  name: 'Added earlier',
  alt: null,
})
